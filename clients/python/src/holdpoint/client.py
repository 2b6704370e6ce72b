"""The client that blocks while it waits."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, overload

from .decision import Answered, Decision
from .discovery import find
from .duration import Duration, seconds
from .event import Event
from .question import Question
from .transport import Blocking
from .verbs import OnGuidance, Verbs
from .wire import Address, Steps

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .run import Run
    from .runs import Runs
    from .views import View, Views

M = TypeVar("M")
Json = Mapping[str, Any]


class Client(Verbs[Decision, List[Answered], Iterator[Decision], Iterator[Event]]):
    """A client of one server. Safe to share between threads. In asynchronous code use ``AsyncClient``."""

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        project: Optional[str] = None,
        patience: Duration = 10,
        log: Optional[Callable[[str], None]] = None,
    ) -> None:
        """Makes a client of the server at ``url``; by default of ``HOLD_URL``, else of the server on this machine.

        ``token`` is by default ``HOLD_TOKEN``, or the local token if the server is the one on this machine. Questions
        go to ``project``, by default ``HOLD_PROJECT``. A server that cannot be reached is tried for ``patience``.
        What ``ask`` has to say goes to ``log``, by default to standard error.
        """
        super().__init__(*configured(url, token, project, patience, log))
        self._blocking = Blocking(self._address)

    @property
    def runs(self) -> "Runs[Run, List[Run], Iterator[Run], Json, List[Json], bytes]":
        """Attempts at a task on a repository, and the verdict that ends each."""
        from .runs import Runs

        return Runs(self._address, self._project, self._run, self._iterate)

    @property
    def views(self) -> "Views[View, List[View], None]":
        """Searches that the person this acts for gave names to."""
        from .views import Views

        return Views(self._address, self._run)

    @overload
    def ask(
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
    def ask(
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

    def ask(
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
        """Asks and holds, through reconnects and restarts. Returns only if someone answered, and not with a no.

        Everything else raises a ``Withheld``: ``Refused``, ``Refined``, ``TimedOut``, ``Cancelled``, ``Superseded``,
        ``Removed``, and ``StillPending`` once ``wait`` is over. With ``expect``, other options count as refused.

        ``result`` is a pydantic model: the form is made from it, and an instance of it is returned.

        ``on_guidance`` is called with the next round when guidance came (``guidance`` says what); what it returns is
        changed in the question, then that round is waited for.
        """
        return self._run(self._ask(prompt, result, wait, expect, on_guidance, key, question))

    def _run(self, steps: Steps[Any]) -> Any:
        return self._blocking.run(steps)

    def _iterate(self, steps: Steps[Any]) -> Any:
        return self._blocking.iterate(steps)


def configured(
    url: Optional[str],
    token: Optional[str],
    project: Optional[str],
    patience: Duration,
    log: Optional[Callable[[str], None]],
) -> Tuple[Address, Optional[str], Callable[[str], None]]:
    """Returns what a client needs to know: as given, else from the environment."""
    env = dict(os.environ)
    base, found = find(url, token, env)
    address = Address(base, found, seconds(patience), lambda: find(url, token, env))
    return address, project or env.get("HOLD_PROJECT") or None, log or _to_standard_error


def _to_standard_error(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
