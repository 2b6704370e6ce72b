"""The run as a server shows it: an attempt at a task on a repository, and the verdict that ends it."""

from __future__ import annotations

from dataclasses import dataclass, field as attribute
from datetime import datetime
from typing import Any, Dict, Literal, Mapping, Optional, Tuple

from .duration import instant
from .error import HoldpointError

Json = Mapping[str, Any]

Verdict = Literal["commit", "checkpoint", "retry", "abandon", "rollback"]
"""How a run may end."""

_UNDER_WAY = ("running", "waiting", "carrying")
_NO = ("retry", "abandon")


class NotAccepted(HoldpointError):
    """A run did not end as it was to; ``run`` says how it stands."""

    def __init__(self, run: "Run", detail: str) -> None:
        # Words in it come from elsewhere; on a terminal they must be no more than words.
        super().__init__("".join(c if c.isprintable() else " " for c in detail))
        self.run = run


@dataclass(frozen=True)
class Run:
    """An attempt at a task, and its outcome.

    It is neither true nor false: ``if run:`` raises, so that a retry never passes for a commit. Look at ``standing`` and
    ``verdict``, or call ``require``.
    """

    id: str
    project: str
    status: str
    task: Json
    intent: Optional[Json]
    repo: str
    base: str
    branch: str
    origin: Optional[Json]
    job: Optional[str]
    guidance: Optional[str]
    parameters: Optional[str]
    patchsets: Tuple[Json, ...]
    evidence: Tuple[Json, ...]
    comments: Tuple[Json, ...]
    usage: Json
    decision: Optional[str]
    trouble: Optional[str]
    created_by: str
    created_at: datetime
    decided_at: Optional[datetime]
    raw: Json = attribute(repr=False, compare=False)
    """The resource as it came over the wire."""

    @classmethod
    def from_json(cls, body: Json) -> "Run":
        """Reads a run; keys that this version does not know are kept in ``raw`` only."""
        known: Dict[str, Any] = {key: body.get(key) for key in cls.__dataclass_fields__}
        for key in ("patchsets", "evidence", "comments"):
            known[key] = tuple(body.get(key) or ())
        for key in ("created_at", "decided_at"):
            known[key] = instant(body[key]) if body.get(key) else None
        known["raw"] = body
        return cls(**known)

    def __bool__(self) -> bool:
        raise TypeError("a run is neither true nor false; use .standing, .verdict or .require()")

    @property
    def standing(self) -> str:
        """Where it stands: ``running``, ``waiting``, ``carrying``, ``withdrawn``, ``unanswered``, ``committed``,
        ``checkpointed``, ``retried``, ``abandoned`` or ``rolled_back``.
        """
        return str(self.raw["standing"]["is"])

    @property
    def under_way(self) -> bool:
        """Whether something more becomes of it by itself: it is worked on, asked about, or carried out."""
        return self.standing in _UNDER_WAY

    @property
    def verdict(self) -> Optional[str]:
        """What was carried out: ``commit``, ``checkpoint``, ``retry``, ``abandon`` or ``rollback``; none yet otherwise."""
        given = self.raw.get("verdict")
        return str(given["verdict"]) if given else None

    @property
    def commit(self) -> Optional[str]:
        """The commit that came of it."""
        return self._of_verdict("commit")

    @property
    def next(self) -> Optional[str]:
        """The id of the run that tries again."""
        return self._of_verdict("next")

    @property
    def rationale(self) -> Optional[str]:
        """Why it was decided so, in the words of the person who did."""
        return self._of_verdict("rationale")

    @property
    def state(self) -> Optional[Json]:
        """Where its task stands, where one run was asked for: ``status``, ``thread``, ``plan``, ``release``, ``ui``."""
        return self.raw.get("state")

    def require(self, *expect: Verdict) -> "Run":
        """Returns the run if its verdict was carried out and is no retry and no abandon; raises ``NotAccepted`` otherwise.

        With verdicts, only one of those will do.
        """
        if self.verdict is None:
            raise NotAccepted(self, f"run {self.id} has no verdict: it is {self.standing}")
        if self.verdict in _NO if not expect else self.verdict not in expect:
            said = f": {self.rationale}" if self.rationale else ""
            raise NotAccepted(self, f"the verdict on run {self.id} is {self.verdict}{said}")
        return self

    def _of_verdict(self, key: str) -> Optional[str]:
        value = (self.raw.get("verdict") or {}).get(key)
        return None if value is None else str(value)
