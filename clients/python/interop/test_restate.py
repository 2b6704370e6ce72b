"""The program of the page about Restate, with the real server, killed while it waits."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from tests.server import ROOT, Task, until

from .page import block
from .test_pages import CLIENT, Running

PAGE = ROOT / "docs/with-restate.md"


def free() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def post(url: str, body: bytes) -> str:
    request = urllib.request.Request(url, data=body, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as reply:
        said: str = reply.read().decode()
    return said


@unittest.skipUnless("AI_SDK" in os.environ, "AI_SDK names the folder where npm installed the packages")
class Restate(Running):
    def setUp(self) -> None:
        super().setUp()
        self.ingress, self.admin, self.node, self.service = free(), free(), free(), free()
        env = {
            **os.environ,
            "RESTATE_INGRESS__BIND_ADDRESS": f"127.0.0.1:{self.ingress}",
            "RESTATE_ADMIN__BIND_ADDRESS": f"127.0.0.1:{self.admin}",
            "RESTATE_BIND_ADDRESS": f"127.0.0.1:{self.node}",
        }
        command = [os.path.join(os.environ["AI_SDK"], "node_modules/.bin/restate-server"), "--base-dir", self.folder + "/data"]
        self.begin([*command, "--node-name", "here"], env)
        self.server.kill()
        settings = Path(self.server.home, "config.toml")
        settings.write_text(settings.read_text() + self.placed(block(PAGE, "toml")))
        self.server.start()
        until(lambda: self.answers(f"http://127.0.0.1:{self.admin}/health"))

    def placed(self, text: str) -> str:
        """Puts the port in that Restate has here."""
        return text.replace("127.0.0.1:8080", f"127.0.0.1:{self.ingress}")

    def begin(self, command: "list[str]", env: "dict[str, str]") -> "subprocess.Popen[bytes]":
        """Starts a program in a group of its own, because it starts others."""
        quiet = subprocess.DEVNULL
        begun = subprocess.Popen(command, cwd=self.folder, env=env, stdout=quiet, stderr=quiet, start_new_session=True)
        self.addCleanup(self.end, begun)
        return begun

    def end(self, begun: "subprocess.Popen[bytes]") -> None:
        if begun.returncode is None:
            os.killpg(begun.pid, signal.SIGKILL)
            begun.wait()

    def answers(self, url: str) -> bool:
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:
                return bool(reply.status == 200)
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    def serve(self) -> "subprocess.Popen[bytes]":
        Path(self.folder, "program.py").write_text(self.placed(block(PAGE, "python")))
        env = {**os.environ, "HOLD_URL": self.server.url, "PYTHONPATH": str(CLIENT / "src")}
        bind = ["--bind", f"127.0.0.1:{self.service}"]
        begun = self.begin([sys.executable, "-m", "hypercorn", "program:app", *bind], env)
        until(lambda: self.answers(f"http://127.0.0.1:{self.service}/"))
        return begun

    def test_restate(self) -> None:
        first = self.serve()
        post(f"http://127.0.0.1:{self.admin}/deployments", b'{"uri": "http://127.0.0.1:%d"}' % self.service)
        caller = Task(lambda: post(f"http://127.0.0.1:{self.ingress}/deployer/deploy", b'"production"'))
        until(lambda: len(list(self.client.list())) == 1)
        (made,) = self.client.list()
        self.end(first)
        self.server.kill()
        self.server.start()
        self.serve()
        self.client.answer(made, "yes")
        self.assertEqual([each.id for each in self.client.list(status="all")], [made.id])
        self.assertEqual(caller.result() + "\n", block(PAGE, "text"))
