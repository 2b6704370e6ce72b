"""What the server sends to a webhook is known as its own, and nothing else is."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.server
import json
import queue
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict, Tuple

from holdpoint import NotGenuine, verify

from .server import PATIENCE, Server

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Webhook(unittest.TestCase):
    def test_what_the_server_sends(self) -> None:
        came: "queue.Queue[Tuple[Dict[str, str], bytes]]" = queue.Queue()

        class Receiver(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                came.put((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

        receiver = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        threading.Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        server = Server.asking_nobody()
        self.addCleanup(server.close)
        server.stop()
        Path(server.home, "secret").write_text(SECRET)
        Path(server.home, "secret").chmod(0o600)
        Path(server.home, "config.toml").write_text(
            f'[hooks]\ndesktop = false\n[[webhook]]\nname = "here"\nallow_private = true\noccasions = ["respond"]\n'
            f'url = "http://127.0.0.1:{receiver.server_address[1]}/"\nsecret_file = "{server.home}/secret"\n'
        )
        server.start()
        made = server.client().create("Deploy?", kind="confirm")
        server.client().answer(made, "yes", by="ana")
        headers, body = came.get(timeout=PATIENCE)
        notice = verify(SECRET, headers, body)
        self.assertEqual((notice.decision.id, notice.decision.approved), (made.id, True))
        self.assertEqual((notice.event.type, notice.url), ("decision:resolved", server.client().link(made)))
        self.assertEqual(notice.id, {name.lower(): value for name, value in headers.items()}["webhook-id"])
        with self.assertRaises(NotGenuine):
            verify(SECRET, headers, body.replace(b'"yes"', b'"no!"', 1))

    def test_callbacks_of_every_shape(self) -> None:
        key, at = b"k" * 24, str(int(time.time()))
        answer = {"id": "dcn-7k3fq2xw9mpd", "status": "answered", "refused": False, "values": {"choice": "yes"}}
        for said in (answer, {"data": answer}):
            body = json.dumps(said).encode()
            signature = _signature(key, "1", at, body)
            headers = {"webhook-id": "1", "webhook-timestamp": at, "webhook-signature": signature}
            notice = verify(key, headers, body)
            self.assertEqual((notice.id, notice.answer, notice.said, notice.url), ("1", answer, said, None))
            for part in ("event", "decision"):
                with self.assertRaisesRegex(ValueError, f"has no {part}"):
                    getattr(notice, part)
        for body in (b"{}", b'{"data": []}', b'{"data": {}}'):
            headers = {"webhook-id": "1", "webhook-timestamp": at, "webhook-signature": _signature(key, "1", at, body)}
            with self.assertRaisesRegex(ValueError, "has no answer"):
                verify(key, headers, body).answer
        headers["webhook-signature"] = _signature(key, "1", at, b"[]")
        with self.assertRaises(NotGenuine):
            verify(key, headers, b"[]")

    def test_what_anybody_else_sends(self) -> None:
        key, now = b"k" * 24, str(int(time.time()))
        signed = {"webhook-id": "1", "webhook-timestamp": now, "webhook-signature": _signature(key, "1", now, b"{}")}
        for headers, secret, why in (
            ({}, key, "not signed"),
            ({**signed, "webhook-timestamp": "soon"}, key, "not signed"),
            (signed, b"another secret of some length", "not of this body"),
            ({**signed, "webhook-id": "2"}, key, "not of this body"),
            ({**signed, "webhook-signature": "v1,"}, key, "not of this body"),
            (_at(key, str(int(time.time()) - 3600)), key, "tolerance"),
            (_at(key, str(int(time.time()) + 3600)), key, "tolerance"),
        ):
            with self.assertRaisesRegex(NotGenuine, why):
                verify(secret, headers, b"{}")
        with self.assertRaises(ValueError):
            verify("whsec_!!", signed, b"{}")


def _signature(key: bytes, id: str, at: str, body: bytes) -> str:
    mac = hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(mac).decode()


def _at(key: bytes, at: str) -> Dict[str, str]:
    return {"webhook-id": "1", "webhook-timestamp": at, "webhook-signature": _signature(key, "1", at, b"{}")}
