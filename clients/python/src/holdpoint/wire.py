"""Requests that outlive broken connections and restarts, and are never made twice where that would matter.

Nothing here does IO. What is to be done is written once, as *steps*: a generator that yields each thing that needs IO,
and is sent what came of it. ``Client`` carries steps out and blocks; ``AsyncClient`` carries out the same ones and awaits.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, Generic, Mapping, NamedTuple, Optional, Tuple, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from .error import HoldpointError
from .problem import NotConfigured, Problem, Unreachable

if TYPE_CHECKING:
    from typing import Protocol

    class Lines(Protocol):
        """A stream that is open."""

        def close(self) -> None:
            """Ends it."""


PAUSES = (0.05, 2.0)
"""How many seconds to wait before asking again, at first and at most."""
HOLD = 50.0
"""How many seconds one request holds: fewer than what proxies cut off."""
_PASSING = (429, 502, 503, 504)
_USER_AGENT = "holdpoint-python/0.1.0"

T = TypeVar("T")


class Do(NamedTuple):
    """One thing that needs IO: ``send`` a request, ``open`` a stream, read a ``line`` of it, ``sleep``, ``settle`` what may
    have to be awaited, or ``give`` something to the caller.
    """

    verb: str
    argument: Any


Steps = Generator[Do, Any, T]


class Progress(Generic[T]):
    """How far steps have come: what is to be done next, or the value they ended with."""

    do: Optional[Do]
    value: T

    def __init__(self, steps: Steps[T]) -> None:
        self.close = steps.close
        self._steps = steps
        self._go(steps.send, None)

    def went(self, came: Any) -> None:
        """Goes on with what came of it."""
        self._go(self._steps.send, came)

    def failed(self, why: BaseException) -> None:
        """Goes on with what went wrong."""
        self._go(self._steps.throw, why)

    def _go(self, how: Callable[[Any], Do], what: Any) -> None:
        try:
            self.do = how(what)
        except StopIteration as done:
            self.do, self.value = None, done.value


class Request(NamedTuple):
    """What is sent."""

    method: str
    path: str
    query: Mapping[str, Any] = {}
    body: Optional[Mapping[str, Any]] = None
    headers: Mapping[str, str] = {}
    once: bool = False
    """Whether it must not be sent again if it may have arrived."""
    limit: float = 30.0
    """How many seconds of silence from the server are borne."""


class Reply(NamedTuple):
    """What came back. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    lines: "Optional[Lines]" = None
    """The stream, where one was opened."""

    @property
    def kind(self) -> str:
        """The media type."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Broken(Exception):
    """A request that got no answer. ``unsent`` if the server cannot have seen it."""

    def __init__(self, error: HoldpointError, unsent: bool = False, lasting: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.unsent = unsent
        self.lasting = lasting


class Address:
    """The server, and what every request to it carries.

    ``again`` says where it is if it cannot be reached: it may have come back at another address.
    """

    def __init__(
        self,
        base: str,
        token: Optional[str],
        patience: float,
        again: Optional[Callable[[], Tuple[str, Optional[str]]]] = None,
    ) -> None:
        self.base = base
        self.patience = patience
        self._token = token
        self._again = again

    @property
    def is_loopback(self) -> bool:
        """Whether it is on this machine, where no proxy is needed."""
        host = urlsplit(self.base).hostname or ""
        return host in ("localhost", "::1") or (host.startswith("127.") and host.replace(".", "").isdigit())

    def words(self, request: Request) -> Tuple[str, Dict[str, str], Optional[bytes]]:
        """Returns the whole address, the headers and the body of a request."""
        query = urlencode({key: value for key, value in request.query.items() if value is not None})
        headers: Dict[str, str] = {"Accept": "application/json", "User-Agent": _USER_AGENT, **request.headers}
        body = None
        if request.body is not None:
            body = json.dumps(request.body, ensure_ascii=False, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        return f"{self.base}{request.path}{'?' + query if query else ''}", headers, body

    def broken(self, why: BaseException) -> Broken:
        """Returns what to raise for a connection that failed, and looks where the next one leads."""
        unsent = isinstance(why, ConnectionRefusedError)
        lasting = type(why).__name__ == "SSLCertVerificationError"
        error = Unreachable(f"the server at {self.base} cannot be reached: {why or type(why).__name__}")
        if self._again is not None:
            try:
                self.base, self._token = self._again()
            except NotConfigured:
                # None runs now; it may come back where it was.
                pass
        return Broken(error, unsent, lasting)

    def call(
        self,
        request: Request,
        *,
        give_up: Optional[float] = None,
        lost: Optional[Callable[[str], None]] = None,
    ) -> Steps[Any]:
        """Sends a request until the server answers or it is time to give up (by ``time.monotonic``; within the client's
        patience if not given). Returns the JSON that came back, or bytes that are none. ``lost`` is told once if the
        connection is.
        """
        give_up = time.monotonic() + self.patience if give_up is None else give_up
        pause = PAUSES[0]
        while True:
            try:
                reply: Reply = yield Do("send", request)
                if reply.status < 300:
                    return self._content(reply)
                failure = self._failure(reply)
                if reply.status not in _PASSING or (request.once and reply.status != 429):
                    raise failure
                pause = max(pause, _retry_after(reply))
            except Broken as broken:
                failure = broken.error
                if broken.lasting or (request.once and not broken.unsent):
                    raise failure from broken
            if time.monotonic() + pause > give_up:
                raise failure
            if lost is not None:
                lost(str(failure))
                lost = None
            yield Do("sleep", jitter(pause))
            pause = min(pause * 2, PAUSES[1])

    def held(
        self,
        path: str,
        read: Callable[[Any], T],
        goes_on: Callable[[T], bool],
        give_up: Optional[float],
        lost: Optional[Callable[[str], None]] = None,
    ) -> Steps[T]:
        """Holds on a resource for as long as it ``goes_on``, one request after the other, or until it is time to give up."""
        while True:
            began = time.monotonic()
            hold = HOLD if give_up is None else max(0.0, min(HOLD, give_up - began))
            # With a bound, a server that says nothing at all is not waited for much longer than that.
            limit = hold + (10.0 if give_up is None else 2.0)
            request = Request("GET", path, {"timeout": f"{round(hold * 1000)}ms"}, limit=limit)
            until = float("inf") if give_up is None else max(give_up, began + 1.0)
            current = read((yield from self.call(request, give_up=until, lost=lost)))
            now = time.monotonic()
            if not goes_on(current) or (give_up is not None and now >= give_up):
                return current
            if now - began < hold / 2:
                # The server ends held requests when it is told to stop.
                yield Do("sleep", 0.1)

    def pages(self, path: str, query: Dict[str, Any], read: Callable[[Any], T]) -> Steps[None]:
        """Gives every item of a list, page by page as they are needed."""
        while True:
            listed = yield from self.call(Request("GET", path, query))
            for item in listed["items"]:
                yield Do("give", read(item))
            if listed["next"] is None:
                return
            query["cursor"] = listed["next"]

    def stream(self, request: Request) -> "Steps[Lines]":
        """Opens a stream; raises ``Broken`` if that may pass, ``Problem`` if the server refuses."""
        reply: Reply = yield Do("open", request)
        if reply.lines is not None:
            return reply.lines
        if reply.status < 300:
            raise self._stranger(reply.status)
        failure = self._failure(reply)
        if reply.status in _PASSING:
            raise Broken(failure)
        raise failure

    def _content(self, reply: Reply) -> Any:
        if reply.kind == "application/octet-stream":
            return reply.body
        try:
            if reply.kind == "application/jsonl":
                return [json.loads(line) for line in reply.body.split(b"\n") if line]
            return json.loads(reply.body)
        except ValueError:
            raise self._stranger(reply.status) from None

    def _failure(self, reply: Reply) -> HoldpointError:
        try:
            return Problem(json.loads(reply.body))
        except (ValueError, TypeError, KeyError):
            return self._stranger(reply.status)

    def _stranger(self, status: int) -> Unreachable:
        return Unreachable(f"what answers at {self.base} is not a Holdpoint server (status {status})")


def jitter(pause: float) -> float:
    """Returns between half of a pause and all of it, so that many waiters do not come back at once."""
    return pause * (0.5 + os.urandom(1)[0] / 512)


def segment(text: str) -> str:
    """Escapes a path segment."""
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is not an id")
    return quote(text, safe="")


def keyed(key: Optional[str]) -> Dict[str, str]:
    """Returns the header that makes a request repeatable."""
    key = os.urandom(16).hex() if key is None else key
    if not key.isascii() or not key.isprintable():
        raise ValueError("a key must be plain ASCII text")
    return {"Idempotency-Key": key}


def given(body: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns what is set."""
    return {key: value for key, value in body.items() if value is not None}


def _retry_after(reply: Reply) -> float:
    try:
        return min(float(reply.headers.get("retry-after") or 0), 30.0)
    except ValueError:
        return 0.0
