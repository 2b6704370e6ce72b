"""Carries steps out on asyncio's loop: one connection for each operation, no threads, nothing left open."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, AsyncIterator, Dict, Optional, Tuple, TypeVar

from .connection import Connection, Route, Unheard
from .wire import Address, Do, Progress, Reply, Request, Steps

T = TypeVar("T")
Message = Tuple[str, str, Dict[str, str], Optional[bytes], float]


class Awaiting:
    """Speaks HTTP with one server."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._route: Optional[Route] = None

    async def run(self, steps: Steps[T]) -> T:
        """Carries steps out to their end."""
        operation = self._operation()
        try:
            at = Progress(steps)
            while at.do is not None:
                await operation.carry_out(at, at.do)
            return at.value
        finally:
            operation.close()

    async def iterate(self, steps: Steps[Any]) -> AsyncIterator[Any]:
        """Yields what steps give, and carries them out as far as that needs."""
        operation = self._operation()
        at = Progress(steps)
        try:
            while at.do is not None:
                if at.do.verb == "give":
                    yield at.do.argument
                    at.went(None)
                else:
                    await operation.carry_out(at, at.do)
        finally:
            at.close()
            operation.close()

    def _operation(self) -> "_Operation":
        if self._route is None:
            self._route = Route(self._address)
        return _Operation(self._address, self._route)


class _Operation:
    """What one call of a client does, over one connection for as long as that lasts."""

    def __init__(self, address: Address, route: Route) -> None:
        self._address = address
        self._route = route
        self._kept: Optional[Connection] = None

    async def carry_out(self, at: Progress[Any], do: Do) -> None:
        try:
            came: Any = await getattr(self, f"_{do.verb}")(do.argument)
        except BaseException as failure:
            at.failed(failure)
        else:
            at.went(came)

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _settle(self, value: Any) -> Any:
        return await value if inspect.isawaitable(value) else value

    async def _line(self, connection: Connection) -> bytes:
        try:
            return await connection.line()
        except (OSError, EOFError) as why:
            raise self._address.broken(why) from why

    async def _send(self, request: Request) -> Reply:
        return await self._exchange(request, streams=False)

    async def _open(self, request: Request) -> Reply:
        return await self._exchange(request, streams=True)

    async def _exchange(self, request: Request, streams: bool) -> Reply:
        message = (request.method, *self._address.words(request), request.limit)
        kept, self._kept = self._kept, None
        try:
            # A server may have closed a connection that was kept, so what must not be sent twice gets a fresh one.
            if kept is not None and not request.once:
                try:
                    return await self._over(kept, message, streams)
                except Unheard:
                    kept = None
            if kept is not None:
                kept.close()
            return await self._over(await self._route.connect(request.limit), message, streams)
        except (OSError, EOFError) as why:
            raise self._address.broken(why) from why

    async def _over(self, connection: Connection, message: Message, streams: bool) -> Reply:
        try:
            reply = await connection.exchange(*message)
            if streams and reply.status < 300 and reply.kind == "text/event-stream":
                return reply._replace(lines=connection)
            reply = reply._replace(body=await connection.body())
        except BaseException:
            connection.close()
            raise
        if connection.lasts:
            self._kept = connection
        else:
            connection.close()
        return reply
