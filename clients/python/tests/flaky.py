"""A wire that loses replies: it passes requests on to a server and breaks off before the answer."""

from __future__ import annotations

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import urlsplit


class Flaky:
    """Loses the next ``drop`` requests, then the next ``lose`` replies, and remembers what was asked. ``replies`` are
    sent first, without asking anyone.
    """

    def __init__(self, target: Optional[str] = None) -> None:
        self.drop = 0
        self.lose = 0
        self.seen: List[Tuple[str, str, Dict[str, str]]] = []
        self.replies: List[Tuple[int, Dict[str, str], bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def _pass_on(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.seen.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
                self.close_connection = True
                if outer.replies:
                    self._reply(*outer.replies.pop(0))
                    return
                if outer.drop > 0:
                    outer.drop -= 1
                    return
                assert target is not None
                wire = http.client.HTTPConnection(urlsplit(target).netloc, timeout=30)
                headers = {key: value for key, value in self.headers.items() if key.lower() != "host"}
                wire.request(self.command, self.path, body or None, headers)
                answered = wire.getresponse()
                content = answered.read()
                wire.close()
                if outer.lose > 0:
                    outer.lose -= 1
                    return
                self._reply(answered.status, {"Content-Type": answered.headers["Content-Type"]}, content)

            def _reply(self, status: int, headers: Dict[str, str], content: bytes) -> None:
                self.send_response(status)
                for key, value in headers.items():
                    self.send_header(key, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = _pass_on

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
