"""Carries steps out, and blocks meanwhile."""

from __future__ import annotations

import time
from typing import Any, Iterator, TypeVar

from .wire import Address, Broken, Do, Progress, Reply, Request, Steps

T = TypeVar("T")


class Blocking:
    """Speaks HTTP with one server, through the standard library's own client."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._opener: Any = None
        self._is_near = False

    def run(self, steps: Steps[T]) -> T:
        """Carries steps out to their end."""
        at = Progress(steps)
        while at.do is not None:
            self._carry_out(at, at.do)
        return at.value

    def iterate(self, steps: Steps[Any]) -> Iterator[Any]:
        """Yields what steps give, and carries them out as far as that needs."""
        at = Progress(steps)
        try:
            while at.do is not None:
                if at.do.verb == "give":
                    yield at.do.argument
                    at.went(None)
                else:
                    self._carry_out(at, at.do)
        finally:
            at.close()

    def _carry_out(self, at: Progress[Any], do: Do) -> None:
        try:
            came: Any = getattr(self, f"_{do.verb}")(do.argument)
        except BaseException as failure:
            at.failed(failure)
        else:
            at.went(came)

    def _sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def _settle(self, value: Any) -> Any:
        return value

    def _line(self, lines: Any) -> bytes:
        import http.client

        try:
            line: bytes = lines.readline()
        except (OSError, http.client.HTTPException) as why:
            raise self._address.broken(why) from why
        return line

    def _send(self, request: Request) -> Reply:
        return self._exchange(request, streams=False)

    def _open(self, request: Request) -> Reply:
        return self._exchange(request, streams=True)

    def _exchange(self, request: Request, streams: bool) -> Reply:
        # What speaks HTTP and TLS is loaded when it is needed: it takes longer than all the rest.
        import http.client
        import urllib.error
        import urllib.request

        url, headers, body = self._address.words(request)
        made = urllib.request.Request(url, data=body, headers=headers, method=request.method)
        try:
            try:
                response = self._opened().open(made, timeout=request.limit)
            except urllib.error.HTTPError as answered:
                response = answered
            reply = Reply(response.status or 0, {name.lower(): value for name, value in response.headers.items()}, b"")
            if streams and reply.status < 300 and reply.kind == "text/event-stream":
                return reply._replace(lines=response)
            with response:
                return reply._replace(body=response.read())
        except urllib.error.URLError as why:
            raise self._broken(why.reason) from why
        except (OSError, http.client.HTTPException) as why:
            raise self._broken(why) from why

    def _broken(self, why: Any) -> Broken:
        return self._address.broken(why if isinstance(why, BaseException) else OSError(str(why)))

    def _opened(self) -> Any:
        is_near = self._address.is_loopback
        if self._opener is None or self._is_near != is_near:
            from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

            class NoRedirect(HTTPRedirectHandler):
                def redirect_request(self, *_: Any, **__: Any) -> None:
                    return None

            # Nothing that a proxy says may send the token elsewhere, and what is on this machine needs no proxy.
            handlers = [NoRedirect(), ProxyHandler({})] if is_near else [NoRedirect()]
            self._opener, self._is_near = build_opener(*handlers), is_near
        return self._opener
