"""The client for asyncio: the same verbs, to be awaited."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Callable,
    Coroutine,
    List,
    Mapping,
    Optional,
    Sequence,
    Type,
    TypeVar,
    overload,
)

from .async_transport import Awaiting
from .client import configured
from .decision import Answered, Decision
from .duration import Duration
from .event import Event
from .question import Question
from .run import Run
from .runs import Runs
from .verbs import OnGuidance, Verbs
from .views import View, Views
from .wire import Steps

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")
M = TypeVar("M")
Awaited = Coroutine[Any, Any, T]
Json = Mapping[str, Any]


class AsyncClient(
    Verbs[Awaited[Decision], Awaited[List[Answered]], AsyncIterator[Decision], AsyncIterator[Event]]
):
    """A client of one server for asyncio. Every verb of ``Client``, to be awaited; ``list`` and ``events`` go with
    ``async for``.

    A task that holds costs one connection and no thread. Cancelling it ends the connection and leaves the decision
    pending. Connections live as long as one call: there is nothing to open or to close.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        project: Optional[str] = None,
        patience: Duration = 10,
        log: Optional[Callable[[str], None]] = None,
    ) -> None:
        """Makes a client of the server at ``url``, with the same meaning as for ``Client``."""
        super().__init__(*configured(url, token, project, patience, log))
        self._awaiting = Awaiting(self._address)
        self.runs: Runs[
            Awaited[Run], Awaited[List[Run]], AsyncIterator[Run], Awaited[Json], Awaited[List[Json]], Awaited[bytes]
        ] = Runs(self._address, self._project, self._run, self._iterate)
        """Attempts at a task on a repository, and the verdict that ends each."""
        self.views: Views[Awaited[View], Awaited[List[View]], Awaited[None]] = Views(self._address, self._run)
        """Searches that the person this acts for gave names to."""

    @overload
    async def ask(
        self,
        prompt: Optional[str] = None,
        *,
        wait: Optional[Duration] = None,
        expect: Sequence[str] = (),
        on_guidance: Optional[OnGuidance] = None,
        key: Optional[str] = None,
        **question: "Unpack[Question]",
    ) -> Decision: ...

    @overload
    async def ask(
        self,
        prompt: Optional[str] = None,
        *,
        result: Type[M],
        wait: Optional[Duration] = None,
        expect: Sequence[str] = (),
        on_guidance: Optional[OnGuidance] = None,
        key: Optional[str] = None,
        **question: "Unpack[Question]",
    ) -> M: ...

    async def ask(
        self,
        prompt: Optional[str] = None,
        *,
        result: Optional[Type[Any]] = None,
        wait: Optional[Duration] = None,
        expect: Sequence[str] = (),
        on_guidance: Optional[OnGuidance] = None,
        key: Optional[str] = None,
        **question: "Unpack[Question]",
    ) -> Any:
        """Asks and holds, as ``Client.ask`` does. ``on_guidance`` may be a coroutine function."""
        return await self._run(self._ask(prompt, result, wait, expect, on_guidance, key, question))

    def _run(self, steps: Steps[Any]) -> Any:
        return self._awaiting.run(steps)

    def _iterate(self, steps: Steps[Any]) -> Any:
        return self._awaiting.iterate(steps)
