"""Everything that can be done with decisions on a server, written once for both clients."""

from __future__ import annotations

import time
from datetime import datetime
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generic,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from . import event
from .decision import Answered, Decision, Source, Status
from .duration import Duration, moment, seconds
from .problem import Problem
from .question import Question, Revision, formed, new, revision
from .wire import Address, Do, Request, Steps, given, keyed, segment
from .withheld import Removed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .views import View

One = TypeVar("One", covariant=True)
"""What comes back where there is one decision: it, or what can be awaited for it."""
Several = TypeVar("Several", covariant=True)
Decisions = TypeVar("Decisions", covariant=True)
Events = TypeVar("Events", covariant=True)

OnGuidance = Callable[[Decision], Any]
"""Called with the next round; returns a ``Revision`` or nothing, and with ``AsyncClient`` may be a coroutine function."""


class Verbs(Generic[One, Several, Decisions, Events]):
    """What ``Client`` and ``AsyncClient`` have in common, which is all but how IO is done."""

    def __init__(self, address: Address, project: Optional[str], log: Callable[[str], None]) -> None:
        self._address = address
        self._project = project
        self._log = log

    def _run(self, steps: Steps[Any]) -> Any:
        raise NotImplementedError

    def _iterate(self, steps: Steps[Any]) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    @property
    def url(self) -> str:
        """The server's address."""
        return self._address.base

    def link(self, decision: Union[str, Decision]) -> str:
        """Returns the address of a decision for people."""
        return f"{self.url}/d/{segment(_id(decision))}"

    def create(self, prompt: Optional[str] = None, *, key: Optional[str] = None, **question: "Unpack[Question]") -> One:
        """Asks, without waiting. Under a key that was used before, returns what was asked the first time.

        Without ``key`` one is made up, so that a request whose answer got lost can be sent again.
        """
        return self._one(self._create(prompt, key, question))

    def get(self, decision: Union[str, Decision]) -> One:
        """Returns the decision that an id or a unique start of one names."""
        return self._simple(Request("GET", _path(decision)))

    def list(
        self,
        *,
        status: Union[Status, Literal["all"], Sequence[Status], None] = None,
        project: Optional[str] = None,
        owner: Optional[str] = None,
        source: Optional[Source] = None,
        requested_by: Optional[str] = None,
        q: Optional[str] = None,
        view: "Optional[View]" = None,
        newest_first: bool = False,
        page: int = 100,
    ) -> Decisions:
        """Yields decisions, oldest first, page by page as they are needed: the pending ones, or those in ``status``
        (one, several, or ``"all"``). ``q`` is what to look for in them; a saved ``view`` stands for both.
        """
        wanted = status if status is None or isinstance(status, str) else ",".join(status)
        if view is not None:
            if q is not None or status is not None:
                raise ValueError("a view says what to look for; leave out q and status")
            q, wanted = view.q, view.status
        query: Dict[str, Any] = {
            "status": wanted,
            "q": q or None,
            "project": project,
            "owner": owner,
            "source": source,
            "requested_by": requested_by,
            "order": "newest_first" if newest_first else None,
            "limit": page,
        }
        found: Decisions = self._iterate(self._address.pages("/v1/decisions", query, Decision.from_json))
        return found

    def wait(self, decision: Union[str, Decision], timeout: Optional[Duration] = None) -> One:
        """Holds until the decision is settled or the time is up, through reconnects and restarts of the server.

        Returns it as it stands then, in whatever status: look at ``approved`` or call ``require`` before going on.
        Without ``timeout`` it holds for as long as it takes, also while the server cannot be reached.
        """
        return self._one(self._wait(decision, timeout, None))

    def revise(self, decision: Union[str, Decision], **change: "Unpack[Revision]") -> One:
        """Changes what is asked, while it is pending."""
        return self._simple(Request("PATCH", _path(decision), body=revision(change)))

    def answer(
        self,
        decision: Union[str, Decision],
        choice: Any = None,
        *,
        choices: Optional[Sequence[Any]] = None,
        values: Optional[Mapping[str, Any]] = None,
        out: Optional[str] = None,
        message: Optional[str] = None,
        digest: Optional[str] = None,
        by: Optional[str] = None,
        seen: Optional[bool] = None,
        same: Optional[Sequence[Union[str, Decision]]] = None,
    ) -> One:
        """Answers: with the option of the only field that takes one, with several, with values by field id, or with
        an out. Given a whole decision, its digest is sent, and the answer is refused as stale if the question has changed
        since that was read. What has a subject is answered so, or with ``digest``; with an id alone it is refused.
        ``seen`` says whether the whole subject was on the answerer's screen; ``False`` if they consent unread.
        ``same`` names others that were shown as the same ask; each is answered too, if it still is.
        """
        body = {
            "choice": choice,
            "choices": None if choices is None else [*choices],
            "values": None if values is None else dict(values),
            "out": out,
            "message": message,
            "digest": _digest(decision, digest),
            "by": by,
            "seen": seen,
            "same": None if same is None else [getattr(one, "id", one) for one in same],
        }
        return self._simple(Request("POST", _path(decision, "answer"), body=given(body)))

    def answer_many(self, answers: Sequence[Tuple[Union[str, Decision], Union[str, Mapping[str, Any]]]]) -> Several:
        """Answers up to a hundred decisions, each by itself, and says what became of each: what was settled or changed
        meanwhile is refused, the rest is answered. An answer is the option to choose, or a mapping as over HTTP.
        """
        items = []
        for decision, answer in answers:
            said = {"choice": answer} if isinstance(answer, str) else dict(answer)
            body = given({"digest": _digest(decision, None), **said})
            items.append({"id": _id(decision), "answer": body})
        done: Several = self._run(self._answer_many(Request("POST", "/v1/answers", body={"items": items})))
        return done

    def guide(
        self, decision: Union[str, Decision], guidance: str, *, digest: Optional[str] = None, by: Optional[str] = None
    ) -> One:
        """Gives guidance instead of an answer. Returns the decision it closed; ``next`` names the round it opened, if
        it opened one.
        """
        body = given({"guidance": guidance, "digest": _digest(decision, digest), "by": by})
        return self._one(self._guide(Request("POST", _path(decision, "answer"), body=body), guidance))

    def draft(self, decision: Union[str, Decision], values: Mapping[str, Any]) -> One:
        """Keeps values for the person who finishes the answer."""
        return self._simple(Request("PUT", _path(decision, "draft"), body={"values": dict(values)}))

    def cancel(self, decision: Union[str, Decision], reason: Optional[str] = None) -> One:
        """Takes a question back."""
        return self._simple(Request("POST", _path(decision, "cancel"), body=given({"reason": reason})))

    def take(self, decision: Union[str, Decision], *, by: Optional[str] = None) -> One:
        """Says that one is on it, for half an hour; others see it and may still answer. Only for people, as are the next three."""
        return self._simple(Request("PUT", _path(decision, "take"), body=given({"by": by})))

    def release(self, decision: Union[str, Decision]) -> One:
        """Says that one is not on it any more."""
        return self._simple(Request("DELETE", _path(decision, "take")))

    def snooze(self, decision: Union[str, Decision], until: Union[datetime, Duration], *, by: Optional[str] = None) -> One:
        """Puts a decision aside until a time (with its zone), or for a while: it is out of one's own list until then, until
        it is revised, or until shortly before its deadline.
        """
        body = {"until": moment(until), **given({"by": by})}
        return self._simple(Request("PUT", _path(decision, "snooze"), body=body))

    def wake(self, decision: Union[str, Decision]) -> One:
        """Has a decision in one's list again."""
        return self._simple(Request("DELETE", _path(decision, "snooze")))

    def consume(
        self,
        decision: Union[str, Decision],
        subject: Any,
        *,
        min_auth: Optional[str] = None,
        seen: Optional[bool] = None,
        key: Optional[str] = None,
    ) -> One:
        """Uses an approval of exactly this subject, once; with ``seen``, only if the answer says that the whole subject
        was seen. Raises a ``Problem`` (``not_consumable``) otherwise.

        Under the key it was used with (kept for seven days), the same call succeeds again: a process that crashed calls
        it with its old key. Without ``key`` one is made up, so that a request whose answer got lost can be sent again.
        """
        body: Dict[str, Any] = {"subject": subject, **given({"min": min_auth, "seen": seen})}
        return self._simple(Request("POST", _path(decision, "consume"), body=body, headers=keyed(key)))

    def events(
        self,
        after: Optional[int] = None,
        *,
        decision: Union[str, Decision, None] = None,
        project: Optional[str] = None,
        follow: bool = True,
    ) -> Events:
        """Yields events after a sequence number (from now on if not given) and goes on as they happen, through
        reconnects and restarts, each once. Without ``follow`` it ends with the last there is.
        """
        query = {"decision": None if decision is None else _id(decision), "project": project}
        steps = event.follow(self._address, after, query) if follow else event.read(self._address, after or 0, query)
        found: Events = self._iterate(steps)
        return found

    def _one(self, steps: Steps[Decision]) -> One:
        one: One = self._run(steps)
        return one

    def _simple(self, request: Request) -> One:
        return self._one(self._decision(request))

    def _decision(self, request: Request) -> Steps[Decision]:
        return Decision.from_json((yield from self._address.call(request)))

    def _create(self, prompt: Optional[str], key: Optional[str], question: Question) -> Steps[Decision]:
        body = new(prompt, question, self._project)
        return (yield from self._decision(Request("POST", "/v1/decisions", body=body, headers=keyed(key))))

    def _answer_many(self, request: Request) -> Steps[Any]:
        reply = yield from self._address.call(request)
        return [Answered.from_json(item) for item in reply["items"]]

    def _guide(self, request: Request, guidance: str) -> Steps[Decision]:
        try:
            return (yield from self._decision(request))
        except Problem as problem:
            # The first reply may have been lost; then this refusal is of our own second try.
            settled = problem.decision
            if settled is not None and settled.status == "refined" and settled.message == guidance.strip():
                return settled
            raise

    def _wait(
        self, decision: Union[str, Decision], timeout: Optional[Duration], log: Optional[Callable[[str], None]]
    ) -> Steps[Decision]:
        give_up = None if timeout is None else time.monotonic() + seconds(timeout)
        return (yield from self._held(decision, give_up, log))

    def _held(
        self, decision: Union[str, Decision], give_up: Optional[float], log: Optional[Callable[[str], None]]
    ) -> Steps[Decision]:
        lost = None if log is None else _lost(log)
        return (yield from self._address.held(_path(decision, "wait"), Decision.from_json, lambda it: it.pending, give_up, lost))

    def _ask(
        self,
        prompt: Optional[str],
        result: Optional[Type[Any]],
        wait: Optional[Duration],
        expect: Sequence[str],
        on_guidance: Optional[OnGuidance],
        key: Optional[str],
        question: Question,
    ) -> Steps[Any]:
        give_up = None if wait is None else time.monotonic() + seconds(wait)
        question = question if result is None else formed(question, result)
        decision = yield from self._create(prompt, key, question)
        while True:
            if decision.pending:
                self._announce(decision)
            try:
                decision = yield from self._held(decision, give_up, self._log)
            except Problem as problem:
                if problem.code not in ("removed", "not_found"):
                    raise
                raise Removed(decision, f"{decision.id} has been removed") from problem
            except BaseException as stopped:
                # Ctrl-C, or a task that was cancelled.
                if not isinstance(stopped, (Exception, GeneratorExit)):
                    self._log(f"Stopped waiting; {decision.id} is still pending. Resume with: hold wait {decision.id}")
                raise
            if decision.status != "refined" or decision.next is None or on_guidance is None:
                decision.require(*expect)
                return decision if result is None else decision.into(result)
            following = yield from self._decision(Request("GET", _path(decision.next)))
            decision = yield from self._revised(following, on_guidance)

    def _announce(self, decision: Decision) -> None:
        until = ""
        if decision.deadline is not None:
            until = f" until {decision.raw['deadline']}, then: {decision.on_timeout}"
        self._log(
            f"Holding on {decision.id}{until}\n"
            f"  answer it at {self.link(decision)}\n"
            f"  Ctrl-C stops waiting and leaves it pending; to take it back: hold cancel {decision.id}"
        )

    def _revised(self, following: Decision, on_guidance: OnGuidance) -> Steps[Decision]:
        change: Optional[Revision] = yield Do("settle", on_guidance(following))
        if not change:
            return following
        try:
            return (yield from self._decision(Request("PATCH", _path(following), body=revision(change))))
        except Problem as problem:
            # Someone was quicker and answered the round as it stood.
            if problem.code != "already_settled":
                raise
            return following


def _id(decision: Union[str, Decision]) -> str:
    return decision.id if isinstance(decision, Decision) else decision


def _path(decision: Union[str, Decision], verb: Optional[str] = None) -> str:
    return f"/v1/decisions/{segment(_id(decision))}{'/' + verb if verb else ''}"


def _digest(decision: Union[str, Decision], digest: Optional[str]) -> Optional[str]:
    return decision.digest if digest is None and isinstance(decision, Decision) else digest


def _lost(log: Callable[[str], None]) -> Callable[[str], None]:
    return lambda why: log(f"{why}; trying again until it is back")
