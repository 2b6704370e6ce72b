"""The decision as a server shows it, and what its answer amounts to."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field as attribute, fields
from datetime import datetime
from typing import Any, Dict, List, Literal, Mapping, Optional, Tuple, Type, TypeVar

from .duration import instant
from .withheld import Refused, outcome

Json = Mapping[str, Any]
M = TypeVar("M")

Status = Literal["pending", "answered", "refined", "timed_out", "cancelled", "superseded"]
"""Where a decision stands."""
Source = Literal["question", "approval", "plan", "gate", "idle", "dead", "error", "request", "form", "verdict"]
"""Why a decision is asked."""
OnTimeout = Literal["expire", "default", "deny", "cancel"]
"""What silence until the deadline means. It is never consent."""
Priority = Literal["low", "normal", "high", "urgent"]
"""How urgent a decision is."""
Auth = Literal["system", "claimed", "rule", "local", "link", "channel", "token", "session"]
"""How surely it is known who answered, from least to most."""
Kind = Literal[
    "choice", "choices", "confirm", "products", "text", "multiline", "email", "tel", "url",
    "number", "integer", "boolean", "date", "time", "datetime", "location",
]  # fmt: skip
"""The kind of a field: which values answer it."""

_PICKING = ("choice", "choices", "confirm", "products")


@dataclass(frozen=True)
class Option:
    """Something that can be chosen; also an out, which is chosen instead of answering."""

    id: str
    label: str = ""
    short: Optional[str] = None
    description: Optional[str] = None
    image_url: Optional[str] = None
    url: Optional[str] = None
    recommended: bool = False
    refuses: bool = False
    rating: Optional[float] = None
    reviews_count: Optional[int] = None
    quote: Any = None
    variants: Tuple["Option", ...] = ()
    effect: Optional[str] = None
    extra: Json = attribute(default_factory=dict)

    @classmethod
    def from_json(cls, body: Json) -> "Option":
        """Reads an option; keys that this version does not know are passed over."""
        known = {key: body[key] for key in cls.__dataclass_fields__ if key in body}
        known["variants"] = tuple(cls.from_json(variant) for variant in body.get("variants", ()))
        return cls(**known)

    def to_json(self) -> Dict[str, Any]:
        """Returns the option as it is sent."""
        body = _sparse(self)
        if self.variants:
            body["variants"] = [variant.to_json() for variant in self.variants]
        return body


@dataclass(frozen=True)
class Field:
    """One thing that is asked."""

    id: str
    kind: Kind
    label: str = ""
    description: Optional[str] = None
    required: bool = True
    options: Tuple[Option, ...] = ()
    custom: bool = False
    visible_if: Optional[Json] = None
    default: Any = None
    options_from: Optional[Json] = None
    min: Any = None
    max: Any = None
    extra: Json = attribute(default_factory=dict)
    #: Whether a number must be greater than ``min``, or less than ``max``, and not equal to it.
    exclusive_min: bool = False
    exclusive_max: bool = False

    @classmethod
    def from_json(cls, body: Json) -> "Field":
        """Reads a field; keys that this version does not know are passed over."""
        known = {key: body[key] for key in cls.__dataclass_fields__ if key in body}
        known["options"] = tuple(Option.from_json(option) for option in body.get("options", ()))
        return cls(**known)

    def to_json(self) -> Dict[str, Any]:
        """Returns the field as it is sent."""
        body = _sparse(self)
        if self.options:
            body["options"] = [option.to_json() for option in self.options]
        return body


@dataclass(frozen=True)
class Answered:
    """What became of one of several answers."""

    id: str
    #: How the decision stands now; None if it was not answered.
    status: Optional[Status] = None
    #: Why it was not answered, for programs and in words; None if it was.
    code: Optional[str] = None
    detail: Optional[str] = None

    @classmethod
    def from_json(cls, body: Json) -> "Answered":
        """Reads what became of an answer."""
        refused = body.get("refused") or {}
        return cls(body["id"], body.get("status"), refused.get("code"), refused.get("detail"))


@dataclass(frozen=True)
class Answer:
    """What was answered, by whom, and how surely that is known."""

    values: Json
    out: Optional[str]
    message: Optional[str]
    by: str
    via: str
    auth: Auth
    at: datetime
    #: For a consent to a subject: whether the whole subject was on the answerer's screen; None if nobody said.
    seen: Optional[bool] = None
    #: The digest of the decision as it was when this was answered; None in answers from before this was recorded.
    digest: Optional[str] = None
    #: Whose answer it is, where a standing rule gave it (`for` in JSON); None otherwise.
    on_behalf_of: Optional[str] = None
    #: The `account` and `message` it came by, where `via` is Telegram or Slack; None otherwise, and for agents.
    channel: Optional[Json] = None

    @classmethod
    def from_json(cls, body: Json) -> "Answer":
        """Reads an answer."""
        later = ("seen", "digest", "on_behalf_of", "channel")
        known = {key: body[key] for key in cls.__dataclass_fields__ if key not in later}
        known.update({"seen": body.get("seen"), "digest": body.get("digest"), "on_behalf_of": body.get("for")})
        known["channel"] = body.get("channel")
        known["at"] = instant(body["at"])
        return cls(**known)


@dataclass(frozen=True)
class Vote:
    """What one person says to a decision that takes several."""

    by: str
    values: Json
    message: Optional[str]
    auth: Auth
    at: datetime
    out: Optional[str] = None
    #: Which of those who are needed they are: their name, or groups that they were in when they voted.
    counts_for: Tuple[str, ...] = ()

    @classmethod
    def from_json(cls, body: Json) -> "Vote":
        """Reads a vote."""
        known: Dict[str, Any] = {key: body.get(key) for key in cls.__dataclass_fields__}
        known["at"] = instant(body["at"])
        known["counts_for"] = tuple(body.get("counts_for") or ())
        return cls(**known)


@dataclass(frozen=True)
class Decision:
    """A question asked of someone, and its outcome.

    It is neither true nor false: ``if decision:`` raises, so that a no or silence never passes for a yes. Look at
    ``approved``, ``refused``, ``chosen``, or call ``require``.
    """

    id: str
    project: str
    status: Status
    source: Source
    title: Optional[str]
    prompt: Optional[str]
    fields: Tuple[Field, ...]
    outs: Tuple[Option, ...]
    owner: Optional[str]
    requested_by: Optional[str]
    """What the asker calls itself; nobody checks it."""
    asked_by: Optional[str]
    """The name of the credential that asked; ``None`` where nobody was checked."""
    assignees: Tuple[str, ...]
    priority: Priority
    iteration: int
    max_iterations: int
    prior: Optional[str]
    next: Optional[str]
    guidance: Optional[str]
    default: Optional[Json]
    deadline: Optional[datetime]
    on_timeout: OnTimeout
    draft: Json
    subject: Any
    subject_digest: Optional[str]
    digest: str
    origin: Optional[Json]
    created_at: datetime
    settled_at: Optional[datetime]
    superseded_by: Optional[str]
    consumed_at: Optional[datetime]
    reason: Optional[str]
    answer: Optional[Answer]
    metadata: Dict[str, str]
    """Texts of the asker's own, by name."""
    needs: Optional[Json]
    """How many people must consent, and which; ``None`` where one is enough."""
    needs_person: bool
    """Whether only a signed-in person, or one with a token of their own, may answer."""
    votes: Tuple[Vote, ...]
    """What people have said so far, where it takes several."""
    taken: Optional[Json]
    """Who is on it (``by``), and for how long that counts (``until``); ``None`` if nobody said so."""
    snoozed: Dict[str, datetime]
    """Who has put it aside, and until when."""
    raw: Json = attribute(repr=False, compare=False)
    """The resource as it came over the wire."""

    @classmethod
    def from_json(cls, body: Json) -> "Decision":
        """Reads a decision; keys that this version does not know are kept in ``raw`` only."""
        known: Dict[str, Any] = {key: body.get(key) for key in cls.__dataclass_fields__}
        known["fields"] = tuple(Field.from_json(each) for each in body["fields"])
        known["outs"] = tuple(Option.from_json(each) for each in body["outs"])
        known["assignees"] = tuple(body["assignees"])
        for key in ("deadline", "created_at", "settled_at", "consumed_at"):
            known[key] = instant(body[key]) if body.get(key) else None
        known["answer"] = Answer.from_json(body["answer"]) if body.get("answer") else None
        known["metadata"] = dict(body.get("metadata") or {})
        known["needs_person"] = bool(body.get("needs_person"))
        known["votes"] = tuple(Vote.from_json(each) for each in body.get("votes") or ())
        known["snoozed"] = {who: instant(until) for who, until in (body.get("snoozed") or {}).items()}
        known["raw"] = body
        return cls(**known)

    def __bool__(self) -> bool:
        raise TypeError("a decision is neither true nor false; use .approved, .refused, .chosen or .require()")

    @property
    def pending(self) -> bool:
        """Whether it still waits for someone."""
        return self.status == "pending"

    @property
    def answered(self) -> bool:
        """Whether someone answered, be it with a yes or a no. Never true for silence, guidance or a cancellation."""
        return self.status == "answered" and self.answer is not None

    @property
    def refused(self) -> bool:
        """Whether someone answered with a no: a refusing option, an out, or words without any value."""
        if not self.answered or self.answer is None:
            return False
        return self.answer.out is not None or not self.answer.values or any(o.refuses for o in self._picked())

    @property
    def approved(self) -> bool:
        """Whether someone chose at least one option, and none of those chosen is a no."""
        return self.answered and not self.refused and bool(self._picked())

    @property
    def chosen(self) -> Tuple[str, ...]:
        """The ids of the options that the answer picks, an out included. A deadline's default counts as well."""
        out = self.answer.out if self.answer is not None else None
        return tuple(option.id for option in self._picked()) + ((out,) if out is not None else ())

    @property
    def values(self) -> Json:
        """The answer's values by field id; empty if there are none."""
        return self.answer.values if self.answer is not None else {}

    @property
    def value(self) -> Any:
        """The answer's only value; ``None`` if there is none or there are several."""
        values = list(self.values.values())
        return values[0] if len(values) == 1 else None

    @property
    def message(self) -> Optional[str]:
        """The words that go with the answer, or the guidance that was given."""
        return self.answer.message if self.answer is not None else None

    def require(self, *expect: str) -> "Decision":
        """Returns the decision if someone answered and not with a no; raises a ``Withheld`` otherwise.

        With option ids, only an answer that chose nothing else will do.
        """
        withheld = outcome(self)
        if withheld is not None:
            raise withheld
        if expect and not (self.chosen and set(self.chosen) <= set(expect)):
            raise Refused(self, f"{self.id} was answered, but not with {' or '.join(expect)}")
        return self

    def into(self, model: "Type[M]") -> M:
        """Returns the answer as an instance of a pydantic model. Raises a ``Withheld`` if there is none to go on with, and
        ``Unfit`` if the model does not accept it.
        """
        from .model import instance

        return instance(self.require(), model)

    def _picked(self) -> List[Option]:
        picked: List[Option] = []
        for each in self.fields:
            if each.kind in _PICKING and each.id in self.values:
                value = self.values[each.id]
                items = value if isinstance(value, list) else [value]
                ids = [item.get("id") if isinstance(item, dict) else item for item in items]
                options = {option.id: option for option in _with_variants(each.options)}
                picked.extend(options[id] for id in ids if id in options)
        return picked


def _with_variants(options: Tuple[Option, ...]) -> List[Option]:
    found: List[Option] = []
    for option in options:
        found.append(option)
        found.extend(_with_variants(option.variants))
    return found


def _sparse(thing: Any) -> Dict[str, Any]:
    """Returns what is set in a dataclass, which is what differs from how it begins."""
    body: Dict[str, Any] = {}
    for each in fields(thing):
        value = getattr(thing, each.name)
        begins = each.default_factory() if each.default_factory is not MISSING else each.default
        if value != begins or type(value) is not type(begins):
            body[each.name] = value
    return body
