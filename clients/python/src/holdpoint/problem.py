"""What goes wrong: refusals of the server, and servers that are not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Tuple

from .decision import Decision
from .error import HoldpointError


class NotConfigured(HoldpointError):
    """Nothing says where the server is."""


class Unreachable(HoldpointError):
    """The server cannot be reached, or what answers there is none."""


@dataclass(frozen=True)
class FieldError:
    """One thing that is wrong with what was sent, and where."""

    field: str
    message: str


class Problem(HoldpointError):
    """The server refused. ``code`` is what programs match on; nothing was written."""

    status: int
    """The HTTP status."""
    code: str
    """The kind of problem, for programs."""
    detail: str
    """What is wrong here."""
    hint: Optional[str]
    """What to do about it."""
    errors: Tuple[FieldError, ...]
    """What is wrong, field by field."""
    decision: Optional[Decision]
    """The decision as it stands, where that is why."""
    candidates: Tuple[Decision, ...]
    """The decisions that could be meant, where several could."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.status = int(body["status"])
        self.code = str(body["code"])
        self.detail = str(body["detail"])
        self.hint = body.get("hint")
        self.errors = tuple(FieldError(each["field"], each["message"]) for each in body.get("errors", ()))
        settled = body.get("decision")
        self.decision = Decision.from_json(settled) if settled is not None else None
        self.candidates = tuple(Decision.from_json(each) for each in body.get("candidates", ()))
        hint = f"\nhint: {self.hint}" if self.hint else ""
        super().__init__(f"{self.detail} ({self.code}, {self.status}){hint}")
