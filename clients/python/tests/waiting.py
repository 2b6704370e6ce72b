"""An ``AsyncClient`` that can be used like a ``Client``, so that both are held to the same tests."""

from __future__ import annotations

import asyncio
import inspect
import threading
from typing import Any, Iterator

from holdpoint import AsyncClient


class Waiting:
    """Runs what an ``AsyncClient`` returns on a loop of its own, and waits for it."""

    _loop = asyncio.new_event_loop()

    def __init__(self, *args: Any, **more: Any) -> None:
        self._inner: Any = AsyncClient(*args, **more)

    def __repr__(self) -> str:
        return repr(self._inner)

    def __getattr__(self, name: str) -> Any:
        return _waiting(getattr(self._inner, name))

    @classmethod
    def for_it(cls, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, cls._loop).result()


threading.Thread(target=Waiting._loop.run_forever, daemon=True).start()


class _Verbs:
    """``client.runs`` and ``client.views``, likewise."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return _waiting(getattr(self._inner, name))


def _waiting(found: Any) -> Any:
    if callable(found):
        return lambda *args, **more: _result(found(*args, **more))
    return _Verbs(found) if type(found).__name__ in ("Runs", "Views") else found


def _result(made: Any) -> Any:
    if inspect.iscoroutine(made):
        return Waiting.for_it(made)
    return _each(made) if inspect.isasyncgen(made) else made


def _each(made: Any) -> Iterator[Any]:
    try:
        while True:
            try:
                yield Waiting.for_it(made.__anext__())
            except StopAsyncIteration:
                return
    finally:
        Waiting.for_it(made.aclose())
