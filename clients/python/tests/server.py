"""The real server, in a folder of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request
from pathlib import Path
from typing import Any, Callable, Dict, Optional

from holdpoint import Client

ROOT = Path(__file__).resolve().parents[3]
BINARY = os.environ.get("HOLD_BIN") or str(ROOT / "target/debug/hold")
PATIENCE = 30.0

for _name in [name for name in os.environ if name.startswith("HOLD_") and name != "HOLD_BIN"]:
    del os.environ[_name]


class Server:
    """A server that can be killed and started again on the same port."""

    def __init__(self, *flags: str) -> None:
        self.flags = flags
        self.home = tempfile.mkdtemp(prefix="holdpoint-")
        Path(self.home, "config.toml").write_text("[hooks]\ndesktop = false\n")
        self.port = 0
        self.process: Optional["subprocess.Popen[str]"] = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @classmethod
    def asking_nobody(cls) -> "Server":
        """A server that takes callers at their word."""
        return cls("--no-auth")

    def token(self, name: str, role: str) -> Dict[str, Any]:
        """Makes a token; its ``secret`` is in what comes back."""
        return self._administer("POST", "/v1/tokens", {"name": name, "role": role})

    def revoke(self, id: str) -> None:
        """Ends a token."""
        self._administer("DELETE", f"/v1/tokens/{id}", None)

    def _administer(self, method: str, path: str, body: Optional[Dict[str, Any]]) -> Dict[str, Any]:
        secret = Path(self.home, "local.token").read_text()
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            reply: Dict[str, Any] = json.loads(response.read())
        return reply

    def start(self) -> None:
        self.process = subprocess.Popen(
            [BINARY, "serve", *self.flags, "--listen", f"127.0.0.1:{self.port}"],
            env={**os.environ, "HOLD_HOME": self.home},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stderr is not None
        said = ""
        for line in self.process.stderr:
            said += line
            match = re.search(r"Listening on http://127\.0\.0\.1:(\d+)", line)
            if match:
                self.port = int(match[1])
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        raise RuntimeError(f"{BINARY} did not start: {said}")

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Asks it to end and waits until it has."""
        self._end(signal.SIGTERM)

    def close(self) -> None:
        if self.process is not None:
            self.kill()
        shutil.rmtree(self.home, ignore_errors=True)

    def client(self, **more: Any) -> Client:
        return Client(self.url, log=more.pop("log", lambda _: None), **more)

    def parked(self) -> int:
        """How many requests hold on a decision."""
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=5) as response:
            match = re.search(r"^hold_waiters (\d+)", response.read().decode(), re.MULTILINE)
        return int(match[1]) if match else 0

    def until_parked(self, count: int = 1) -> None:
        until(lambda: self.parked() >= count)

    def _end(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        if self.process.stderr is not None:
            self.process.stderr.close()
        self.process = None


def until(holds: Callable[[], bool]) -> None:
    """Looks until something holds."""
    give_up = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > give_up:
            raise AssertionError("it did not come to that")
        time.sleep(0.01)


class Served(unittest.TestCase):
    """Tests that share one server and one client."""

    server: Server
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server.asking_nobody()
        cls.client = cls.server.client()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()


class Task:
    """Something that runs beside the test; its result or its exception is fetched with ``result``."""

    def __init__(self, run: Callable[[], Any]) -> None:
        self._outcome: Any = None
        self._failure: Optional[BaseException] = None
        self._thread = threading.Thread(target=self._run, args=(run,), daemon=True)
        self._thread.start()

    def result(self) -> Any:
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            raise AssertionError("it is still running")
        if self._failure is not None:
            raise self._failure
        return self._outcome

    def _run(self, run: Callable[[], Any]) -> None:
        try:
            self._outcome = run()
        except BaseException as failure:
            self._failure = failure
