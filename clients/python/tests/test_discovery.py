"""Where the server is looked for, and who gets to see which token."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import Dict

from holdpoint import Client, NotConfigured
from holdpoint.discovery import find
from holdpoint.duration import seconds, wire

from .server import Server

HERE, ELSEWHERE = "http://127.0.0.1:4653", "https://hold.example"


class Discovery(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.env: Dict[str, str] = {"HOLD_HOME": folder.name}

    def publish(self, address: str = HERE, pid: int = os.getpid(), mode: int = 0o600) -> None:
        for name, text in (("server.json", json.dumps({"address": address, "pid": pid})), ("local.token", "local\n")):
            (self.home / name).write_text(text)
            (self.home / name).chmod(mode)

    def test_nothing_known(self) -> None:
        for env in (self.env, {}, {"HOLD_URL": "", "HOME": "/nowhere"}):
            with self.assertRaises(NotConfigured):
                find(None, None, env)

    def test_the_server_on_this_machine(self) -> None:
        self.publish()
        self.assertEqual(find(None, None, self.env), (HERE, "local"))
        self.assertEqual(find(HERE + "/", None, {**self.env, "HOLD_URL": ELSEWHERE}), (HERE, "local"))
        self.assertEqual(find(None, None, {**self.env, "HOLD_URL": HERE}), (HERE, "local"))
        self.assertEqual(find(None, "mine", self.env), (HERE, "mine"))

    def test_the_local_token_goes_nowhere_else(self) -> None:
        self.publish()
        for url in (ELSEWHERE, "http://127.0.0.1:4654", "https://127.0.0.1:4653", "http://127.0.0.1:46530"):
            self.assertEqual(find(url, None, self.env), (url, None))
            self.assertEqual(find(None, None, {**self.env, "HOLD_URL": url}), (url, None))

    def test_addresses_that_could_be_read_in_two_ways(self) -> None:
        self.publish()
        for url in (HERE + "@evil.example", "http://evil@127.0.0.1:4653", HERE + "\\@evil.example", "ftp://x", "x:1"):
            with self.assertRaises(NotConfigured):
                find(url, None, self.env)

    def test_hold_token_belongs_to_hold_url(self) -> None:
        env = {**self.env, "HOLD_URL": ELSEWHERE, "HOLD_TOKEN": "theirs"}
        self.assertEqual(find(None, None, env), (ELSEWHERE, "theirs"))
        self.assertEqual(find("https://other.example", None, env), ("https://other.example", None))
        self.assertEqual(find(None, "", env), (ELSEWHERE, None))
        del env["HOLD_URL"]
        self.assertEqual(find("https://other.example", None, env), ("https://other.example", "theirs"))

    def test_files_that_others_can_touch_are_not_believed(self) -> None:
        self.publish(mode=0o644)
        with self.assertRaises(NotConfigured):
            find(None, None, self.env)

    def test_a_server_that_is_gone(self) -> None:
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        self.publish(pid=ended.pid)
        with self.assertRaises(NotConfigured):
            find(None, None, self.env)

    def test_broken_files(self) -> None:
        for text in ("", "null", "[]", "{}", '{"address":1,"pid":1}', '{"address":"x","pid":-1}', "\xff"):
            self.publish()
            (self.home / "server.json").write_text(text, encoding="latin-1")
            with self.assertRaises(NotConfigured):
                find(None, None, self.env)

    def test_state_folders(self) -> None:
        self.home = self.home / "holdpoint"
        self.home.mkdir()
        self.publish()
        self.assertEqual(find(None, None, {"XDG_STATE_HOME": str(self.home.parent)})[0], HERE)

    def test_a_client_that_is_told_nothing(self) -> None:
        server = Server.asking_nobody()
        self.addCleanup(server.close)
        assert server.process is not None
        self.publish(server.url, server.process.pid)
        with unittest.mock.patch.dict(os.environ, {**self.env, "HOLD_PROJECT": "mine"}):
            self.assertEqual(Client().create("?").project, "mine")


class Durations(unittest.TestCase):
    def test_they_are_read_as_the_server_reads_them(self) -> None:
        for text, length in (("250ms", 0.25), ("1h30m", 5400.0), ("2d", 172800.0), (" 45s ", 45.0)):
            self.assertEqual(seconds(text), length)
        self.assertEqual((wire(1.5), wire("30m")), ("1500ms", "30m"))
        for wrong in ("", "30", "m", "1h 30m", "-1s", "1.5s", float("nan"), float("inf"), -1):
            with self.assertRaises(ValueError):
                seconds(wrong)
