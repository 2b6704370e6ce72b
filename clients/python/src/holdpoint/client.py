"""The client: everything that can be done with decisions on a server, and the way to runs."""

from __future__ import annotations

import os
import sys
import time
import uuid
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import event
from .decision import Answered, Decision
from .discovery import find
from .duration import Duration, seconds
from .event import Event
from .problem import Problem
from .question import Question, Revision, new, revision
from .runs import Runs
from .transport import Request, Transport, segment
from .withheld import Removed

if TYPE_CHECKING:
    from typing_extensions import Unpack

_HOLD = 50.0
"""How many seconds one request holds: fewer than what proxies cut off."""


class Client:
    """A client of one server. Safe to share between threads."""

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
        base, found = find(url, token, os.environ)
        self._transport = Transport(base, found, seconds(patience))
        self._project = project or os.environ.get("HOLD_PROJECT") or None
        self._log = log or _to_standard_error
        self.runs = Runs(self._transport, self._project)
        """Attempts at a task on a repository, and the verdict that ends each."""

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    @property
    def url(self) -> str:
        """The server's address."""
        return self._transport.base

    def link(self, decision: Union[str, Decision]) -> str:
        """Returns the address of a decision for people."""
        return f"{self.url}/d/{segment(_id(decision))}"

    def create(self, prompt: Optional[str] = None, *, key: Optional[str] = None, **question: "Unpack[Question]") -> Decision:
        """Asks, without waiting. Under a key that was used before, returns what was asked the first time.

        Without ``key`` one is made up, so that a request whose answer got lost can be sent again.
        """
        headers = _keyed(key)
        body = new(prompt, question, self._project)
        return self._decision(Request("POST", "/v1/decisions", body=body, headers=headers))

    def get(self, decision: Union[str, Decision]) -> Decision:
        """Returns the decision that an id or a unique start of one names."""
        return self._decision(Request("GET", _path(decision)))

    def list(
        self,
        *,
        status: Union[str, Sequence[str], None] = None,
        project: Optional[str] = None,
        owner: Optional[str] = None,
        source: Optional[str] = None,
        requested_by: Optional[str] = None,
        newest_first: bool = False,
        page: int = 100,
    ) -> Iterator[Decision]:
        """Yields decisions, oldest first, page by page as they are needed: the pending ones, or those in ``status``
        (one, several, or ``"all"``).
        """
        query: Dict[str, Any] = {
            "status": status if status is None or isinstance(status, str) else ",".join(status),
            "project": project,
            "owner": owner,
            "source": source,
            "requested_by": requested_by,
            "order": "newest_first" if newest_first else None,
            "limit": page,
        }
        while True:
            listed = self._transport.call(Request("GET", "/v1/decisions", query))
            for item in listed["items"]:
                yield Decision.from_json(item)
            if listed["next"] is None:
                return
            query["cursor"] = listed["next"]

    def wait(self, decision: Union[str, Decision], timeout: Optional[Duration] = None) -> Decision:
        """Holds until the decision is settled or the time is up, through reconnects and restarts of the server.

        Returns it as it stands then, in whatever status: look at ``approved`` or call ``require`` before going on.
        Without ``timeout`` it holds for as long as it takes, also while the server cannot be reached.
        """
        return self._wait(decision, None if timeout is None else time.monotonic() + seconds(timeout), None)

    def ask(
        self,
        prompt: Optional[str] = None,
        *,
        wait: Optional[Duration] = None,
        expect: Sequence[str] = (),
        on_guidance: Optional[Callable[[Decision], Optional[Revision]]] = None,
        key: Optional[str] = None,
        **question: "Unpack[Question]",
    ) -> Decision:
        """Asks and holds, through reconnects and restarts. Returns only if someone answered, and not with a no.

        Everything else raises a ``Withheld``: ``Refused``, ``Refined``, ``TimedOut``, ``Cancelled``, ``Superseded``,
        ``Removed``, and ``StillPending`` once ``wait`` is over. With ``expect``, other options count as refused.

        ``on_guidance`` is called with the next round when guidance came (``guidance`` says what); what it returns is
        changed in the question, then that round is waited for.
        """
        give_up = None if wait is None else time.monotonic() + seconds(wait)
        decision = self.create(prompt, key=key, **question)
        while True:
            if decision.pending:
                self._announce(decision)
            try:
                decision = self._wait(decision, give_up, self._log)
            except KeyboardInterrupt:
                self._log(f"Stopped waiting; {decision.id} is still pending. Go on with: hold wait {decision.id}")
                raise
            except Problem as problem:
                if problem.code not in ("removed", "not_found"):
                    raise
                raise Removed(decision, f"{decision.id} has been removed") from problem
            if decision.status != "refined" or decision.next is None or on_guidance is None:
                return decision.require(*expect)
            decision = self._revised(self.get(decision.next), on_guidance)

    def revise(self, decision: Union[str, Decision], **change: "Unpack[Revision]") -> Decision:
        """Changes what is asked, while it is pending."""
        return self._decision(Request("PATCH", _path(decision), body=revision(change)))

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
    ) -> Decision:
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
        return self._decision(Request("POST", _path(decision, "answer"), body=_given(body)))

    def answer_many(self, answers: Sequence[Tuple[Union[str, Decision], Union[str, Mapping[str, Any]]]]) -> List[Answered]:
        """Answers up to a hundred decisions, each by itself, and says what became of each: what was settled or changed
        meanwhile is refused, the rest is answered. An answer is the option to choose, or a mapping as over HTTP.
        """
        items = []
        for decision, answer in answers:
            given = {"choice": answer} if isinstance(answer, str) else dict(answer)
            body = _given({"digest": _digest(decision, None), **given})
            items.append({"id": _id(decision), "answer": body})
        reply = self._transport.call(Request("POST", "/v1/answers", body={"items": items}))
        return [Answered.from_json(item) for item in reply["items"]]

    def guide(
        self, decision: Union[str, Decision], guidance: str, *, digest: Optional[str] = None, by: Optional[str] = None
    ) -> Decision:
        """Gives guidance instead of an answer. Returns the decision it closed; ``next`` names the round it opened, if
        it opened one.
        """
        body = _given({"guidance": guidance, "digest": _digest(decision, digest), "by": by})
        try:
            return self._decision(Request("POST", _path(decision, "answer"), body=body))
        except Problem as problem:
            # The first reply may have been lost; then this refusal is of our own second try.
            settled = problem.decision
            if settled is not None and settled.status == "refined" and settled.message == guidance.strip():
                return settled
            raise

    def draft(self, decision: Union[str, Decision], values: Mapping[str, Any]) -> Decision:
        """Keeps values for the person who finishes the answer."""
        return self._decision(Request("PUT", _path(decision, "draft"), body={"values": dict(values)}))

    def cancel(self, decision: Union[str, Decision], reason: Optional[str] = None) -> Decision:
        """Takes a question back."""
        return self._decision(Request("POST", _path(decision, "cancel"), body=_given({"reason": reason})))

    def consume(
        self,
        decision: Union[str, Decision],
        subject: Any,
        *,
        min_auth: Optional[str] = None,
        seen: Optional[bool] = None,
        key: Optional[str] = None,
    ) -> Decision:
        """Uses an approval of exactly this subject, once; with ``seen``, only if the answer says that the whole subject
        was seen. Raises a ``Problem`` (``not_consumable``) otherwise.

        Under the key it was used with (kept for seven days), the same call succeeds again: a process that crashed calls
        it with its old key. Without ``key`` one is made up, so that a request whose answer got lost can be sent again.
        """
        body: Dict[str, Any] = {"subject": subject, **_given({"min": min_auth, "seen": seen})}
        return self._decision(Request("POST", _path(decision, "consume"), body=body, headers=_keyed(key)))

    def events(
        self,
        after: Optional[int] = None,
        *,
        decision: Union[str, Decision, None] = None,
        project: Optional[str] = None,
        follow: bool = True,
    ) -> Iterator[Event]:
        """Yields events after a sequence number (from now on if not given) and goes on as they happen, through
        reconnects and restarts, each once. Without ``follow`` it ends with the last there is.
        """
        query = {"decision": None if decision is None else _id(decision), "project": project}
        if follow:
            return event.follow(self._transport, after, query)
        return event.read(self._transport, after or 0, query)

    def _wait(
        self, decision: Union[str, Decision], give_up: Optional[float], log: Optional[Callable[[str], None]]
    ) -> Decision:
        path = _path(decision, "wait")
        while True:
            began = time.monotonic()
            hold = _HOLD if give_up is None else max(0.0, min(_HOLD, give_up - began))
            # With a bound, a server that says nothing at all is not waited for much longer than that.
            limit = hold + (10.0 if give_up is None else 2.0)
            request = Request("GET", path, {"timeout": f"{round(hold * 1000)}ms"}, limit=limit)
            until = float("inf") if give_up is None else max(give_up, began + 1.0)
            reply = self._transport.call(request, give_up=until, lost=log and _lost(log))
            current = Decision.from_json(reply)
            now = time.monotonic()
            if not current.pending or (give_up is not None and now >= give_up):
                return current
            if now - began < hold / 2:
                # The server ends held requests when it is told to stop.
                time.sleep(0.1)

    def _announce(self, decision: Decision) -> None:
        until = ""
        if decision.deadline is not None:
            until = f" until {decision.raw['deadline']}, then: {decision.on_timeout}"
        self._log(
            f"Holding on {decision.id}{until}\n"
            f"  answer it at {self.link(decision)}\n"
            f"  Ctrl-C stops waiting and leaves it pending; to take it back: hold cancel {decision.id}"
        )

    def _revised(self, following: Decision, on_guidance: Callable[[Decision], Optional[Revision]]) -> Decision:
        change = on_guidance(following)
        if not change:
            return following
        try:
            return self.revise(following, **change)
        except Problem as problem:
            # Someone was quicker and answered the round as it stood.
            if problem.code != "already_settled":
                raise
            return following

    def _decision(self, request: Request) -> Decision:
        return Decision.from_json(self._transport.call(request))


def _id(decision: Union[str, Decision]) -> str:
    return decision.id if isinstance(decision, Decision) else decision


def _path(decision: Union[str, Decision], verb: Optional[str] = None) -> str:
    return f"/v1/decisions/{segment(_id(decision))}{'/' + verb if verb else ''}"


def _digest(decision: Union[str, Decision], digest: Optional[str]) -> Optional[str]:
    return decision.digest if digest is None and isinstance(decision, Decision) else digest


def _keyed(key: Optional[str]) -> Dict[str, str]:
    """Returns the header that makes a request repeatable."""
    key = uuid.uuid4().hex if key is None else key
    if not key.isascii() or not key.isprintable():
        raise ValueError("a key must be plain ASCII text")
    return {"Idempotency-Key": key}


def _given(body: Mapping[str, Any]) -> Dict[str, Any]:
    return {key: value for key, value in body.items() if value is not None}


def _lost(log: Callable[[str], None]) -> Callable[[str], None]:
    return lambda why: log(f"{why}; trying again until it is back")


def _to_standard_error(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
