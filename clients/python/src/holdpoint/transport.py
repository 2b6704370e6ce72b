"""Requests that outlive broken connections and restarts, and are never made twice where that would matter."""

from __future__ import annotations

import http.client
import ipaddress
import json
import random
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field as attribute
from email.message import Message
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from .problem import HoldpointError, Problem, Unreachable

PAUSES = (0.05, 2.0)
"""How many seconds to wait before asking again, at first and at most."""
_PASSING = (429, 502, 503, 504)
_USER_AGENT = "holdpoint-python/0.1.0"


@dataclass(frozen=True)
class Request:
    """What is sent."""

    method: str
    path: str
    query: Mapping[str, Any] = attribute(default_factory=dict)
    body: Optional[Mapping[str, Any]] = None
    headers: Mapping[str, str] = attribute(default_factory=dict)
    once: bool = False
    """Whether it must not be sent again if it may have arrived."""
    limit: float = 30.0
    """How many seconds of silence from the server are borne."""


class Broken(Exception):
    """A request that got no answer. ``unsent`` if the server cannot have seen it."""

    def __init__(self, error: HoldpointError, unsent: bool, lasting: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self.unsent = unsent
        self.lasting = lasting


class Transport:
    """Speaks HTTP with one server."""

    def __init__(self, base: str, token: Optional[str], patience: float) -> None:
        self.base = base
        self.patience = patience
        self._token = token
        # Nothing that a proxy says may send the token elsewhere, and what is on this machine needs no proxy.
        handlers = [_NoRedirect(), urllib.request.ProxyHandler({})] if _is_loopback(base) else [_NoRedirect()]
        self._opener = urllib.request.build_opener(*handlers)

    def call(
        self,
        request: Request,
        *,
        give_up: Optional[float] = None,
        lost: Optional[Callable[[str], None]] = None,
    ) -> Any:
        """Sends a request until the server answers or it is time to give up (by ``time.monotonic``; within the
        client's patience if not given). Returns the JSON that came back, or bytes that are none. ``lost`` is told once if the connection is.
        """
        give_up = time.monotonic() + self.patience if give_up is None else give_up
        pause = PAUSES[0]
        while True:
            try:
                status, headers, body = self._send(request)
                if status < 300:
                    return self._json(status, headers, body)
                failure = self._failure(status, body)
                if status not in _PASSING or (request.once and status != 429):
                    raise failure
                pause = max(pause, _retry_after(headers))
            except Broken as broken:
                failure = broken.error
                if broken.lasting or (request.once and not broken.unsent):
                    raise failure from broken
            if time.monotonic() + pause > give_up:
                raise failure
            if lost is not None:
                lost(str(failure))
                lost = None
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(pause * 2, PAUSES[1])

    def open(self, request: Request) -> http.client.HTTPResponse:
        """Opens a stream; raises ``Broken`` if that may pass, ``Problem`` if the server refuses."""
        opened: Any = self._open(request)
        if isinstance(opened, urllib.error.HTTPError):
            with opened:
                failure = self._failure(opened.code, opened.read())
            if opened.code in _PASSING:
                raise Broken(failure, unsent=False, lasting=False)
            raise failure
        response: http.client.HTTPResponse = opened
        if _kind(response.headers) != "text/event-stream":
            response.close()
            raise self._stranger(response.status)
        return response

    def _send(self, request: Request) -> Tuple[int, Message, bytes]:
        response = self._open(request)
        try:
            with response:
                return response.status or 0, response.headers, response.read()
        except (OSError, http.client.HTTPException) as why:
            raise self._broken(why) from why

    def _open(self, request: Request) -> Any:
        query = urllib.parse.urlencode({key: value for key, value in request.query.items() if value is not None})
        headers: Dict[str, str] = {"Accept": "application/json", "User-Agent": _USER_AGENT, **request.headers}
        body = None
        if request.body is not None:
            body = json.dumps(request.body, ensure_ascii=False, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        url = f"{self.base}{request.path}{'?' + query if query else ''}"
        made = urllib.request.Request(url, data=body, headers=headers, method=request.method)
        try:
            return self._opener.open(made, timeout=request.limit)
        except urllib.error.HTTPError as answered:
            return answered
        except (OSError, http.client.HTTPException) as why:
            raise self._broken(why) from why

    def _broken(self, why: Exception) -> Broken:
        reason = why.reason if isinstance(why, urllib.error.URLError) else why
        unsent = isinstance(reason, ConnectionRefusedError)
        lasting = isinstance(reason, ssl.SSLCertVerificationError)
        return Broken(Unreachable(f"the server at {self.base} cannot be reached: {reason}"), unsent, lasting)

    def _json(self, status: int, headers: Message, body: bytes) -> Any:
        if _kind(headers) == "application/octet-stream":
            return body
        try:
            if _kind(headers) == "application/jsonl":
                return [json.loads(line) for line in body.split(b"\n") if line]
            return json.loads(body)
        except ValueError:
            raise self._stranger(status) from None

    def _failure(self, status: int, body: bytes) -> HoldpointError:
        try:
            return Problem(json.loads(body))
        except (ValueError, TypeError, KeyError):
            return self._stranger(status)

    def _stranger(self, status: int) -> Unreachable:
        return Unreachable(f"what answers at {self.base} is not a Holdpoint server (status {status})")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def segment(text: str) -> str:
    """Escapes a path segment."""
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is not an id")
    return urllib.parse.quote(text, safe="")


def _is_loopback(base: str) -> bool:
    host = urllib.parse.urlsplit(base).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _kind(headers: Message) -> str:
    return str(headers.get("Content-Type") or "").partition(";")[0].strip().lower()


def _retry_after(headers: Message) -> float:
    try:
        return min(float(headers.get("Retry-After") or 0), 30.0)
    except ValueError:
        return 0.0
