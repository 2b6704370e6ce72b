"""A tool call that waits for a yes: what the modules for agent frameworks have in common."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import os
from typing import TYPE_CHECKING, Any, List, Mapping, NamedTuple, Optional, Sequence, Union, cast

from .decision import Decision
from .problem import Problem
from .question import Question
from .verbs import Verbs
from .wire import Request, Steps, keyed, segment
from .withheld import Cancelled, Refined, Refused, TimedOut, Withheld

if TYPE_CHECKING:
    from . import AsyncClient

AnyClient = Verbs[Any, Any, Any, Any]


class Ruling(NamedTuple):
    """What came of asking about a tool call."""

    approved: bool
    message: Optional[str]
    """What the person said; for a no, what to tell the model."""
    decision: Decision


class Call(NamedTuple):
    """A tool call to ask about."""

    key: str
    tool: str
    arguments: Any


def key(framework: str, *parts: str) -> str:
    """Returns the key under which something is asked: the same for the same parts, whatever characters they have."""
    return f"{framework}-{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}"


def waited(hold: AnyClient, about: Optional[str], key: str, question: Question) -> Steps[None]:
    """Asks, and waits until somebody has decided, without using a yes up. Where several calls of a turn wait, each is waited for
    before the first yes is used: a process that is killed meanwhile finds all of them as they were given.
    """
    for attempt in itertools.count(1):
        try:
            decision: Decision = yield from hold._ask(about, None, None, (), None, _numbered(key, attempt), question)
        except Withheld:
            return
        if decision.consumed_at is None:
            return


async def ruled(client: AsyncClient, calls: Sequence[Call], asking: Mapping[str, Any]) -> List[Ruling]:
    """Asks about all calls of a turn at once, and uses up every yes once all are answered."""
    each = [(call, asked(call.tool, call.arguments, asking)) for call in calls]
    await asyncio.gather(*(client._run(waited(client, None, call.key, question)) for call, question in each))
    return [await client._run(ruling(client, *call, None, asking)) for call in calls]


def ruling(
    hold: AnyClient, key: str, tool: str, arguments: Any, about: Optional[str], asking: Mapping[str, Any]
) -> Steps[Ruling]:
    """Asks whether a tool may be called with these arguments, and uses the yes up, once and for exactly this. A process that
    was killed before that comes back to the same question. Where the yes was used already, by a process that was killed
    after it or by another call of the same id, a person is asked again. Silence until the deadline, guidance and taking
    the question back are a no.
    """
    question = asked(tool, arguments, asking)
    for attempt in itertools.count(1):
        found = yield from _once(hold, _numbered(key, attempt), question, about)
        if found is not None:
            return found
    raise AssertionError("counting does not end")


def _numbered(key: str, attempt: int) -> str:
    return key if attempt == 1 else f"{key}-{attempt}"


def _once(hold: AnyClient, key: str, question: Question, about: Optional[str]) -> Steps[Optional[Ruling]]:
    """Asks under a key; nothing if the yes was used up already."""
    try:
        decision: Decision = yield from hold._ask(about, None, None, (), None, key, question)
    except Refused as no:
        return Ruling(False, no.decision.message, no.decision)
    except Refined as no:
        yield from _take_back(hold, no.next)
        return Ruling(False, no.guidance, no.decision)
    except TimedOut as no:
        return Ruling(False, "Nobody answered in time, so this was not approved.", no.decision)
    except Cancelled as no:
        return Ruling(False, no.decision.reason or "The question was taken back, so this was not approved.", no.decision)
    if decision.consumed_at is not None:
        return None
    use = Request("POST", f"/v1/decisions/{segment(decision.id)}/consume", body={"subject": question["subject"]}, headers=keyed(None))
    try:
        decision = yield from hold._decision(use)
    except Problem as problem:
        now = yield from hold._decision(Request("GET", f"/v1/decisions/{segment(decision.id)}"))
        if problem.status != 409 or now.consumed_at is None:
            raise
        return None
    return Ruling(True, decision.message, decision)


def asked(tool: str, arguments: Any, asking: Mapping[str, Any]) -> Question:
    """Returns what is asked about a tool call."""
    return cast(Question, {"title": f"Call {tool}?", **asking, "subject": {"tool": tool, "arguments": arguments}})


def _take_back(hold: AnyClient, next: Optional[str]) -> Steps[None]:
    """Takes back the round that guidance opened: the guidance goes to the model, which asks anew if it tries again."""
    if next is None:
        return
    body = {"reason": "the guidance was passed on to the agent"}
    try:
        yield from hold._decision(Request("POST", f"/v1/decisions/{segment(next)}/cancel", body=body))
    except Problem as problem:
        if problem.code != "already_settled":
            raise


class StateFile:
    """A file that keeps what an agent was doing while it waits, for the process that comes after a kill."""

    def __init__(self, path: "Union[str, os.PathLike[str]]") -> None:
        self._path = os.fspath(path)

    def read(self) -> Optional[bytes]:
        """Returns what was kept; nothing if nothing was."""
        try:
            with open(self._path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, content: bytes) -> None:
        """Keeps something, all of it or nothing, readable for its owner only."""
        beside = f"{self._path}.{os.getpid()}.new"
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path)

    def remove(self) -> None:
        """Forgets it."""
        try:
            os.remove(self._path)
        except FileNotFoundError:
            pass
