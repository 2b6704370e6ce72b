"""What can come instead of a go-ahead. Each is its own exception, so that none passes for a yes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

from .error import HoldpointError

if TYPE_CHECKING:
    from .decision import Decision


class Withheld(HoldpointError):
    """There is no answer to go on with; ``decision`` says how it stands."""

    def __init__(self, decision: "Decision", detail: str) -> None:
        # Words in it come from elsewhere; on a terminal they must be no more than words.
        super().__init__("".join(c if c.isprintable() else " " for c in detail))
        self.decision = decision


class Refused(Withheld):
    """Someone said no, or answered with something that was not expected."""


class Refined(Withheld):
    """Someone gave guidance instead of an answer; the next round is open."""

    @property
    def guidance(self) -> str:
        """What they said."""
        return self.decision.message or ""

    @property
    def next(self) -> Optional[str]:
        """The id of the next round."""
        return self.decision.next


class TimedOut(Withheld):
    """Nobody answered until the deadline. Silence is not consent."""

    @property
    def default(self) -> Mapping[str, Any]:
        """The values that the question itself declared for this case; empty if it declared none."""
        return self.decision.values


class Cancelled(Withheld):
    """It was taken back."""


class Superseded(Withheld):
    """Replaced by a newer decision; ``decision.superseded_by`` names it."""


class Removed(Withheld):
    """It is gone, with its owner or by pruning; ``decision`` is as it was seen last."""


class Unfit(Withheld):
    """Someone answered, but the model that the form was made from does not accept it; the cause says why."""


class StillPending(Withheld):
    """The time to wait is up; it still waits for someone. Go on with ``wait``."""


def outcome(decision: "Decision") -> Optional[Withheld]:
    """Returns what to raise for a decision that gives no go-ahead; nothing if someone answered and did not refuse."""
    id = decision.id
    if decision.refused:
        said = f": {decision.message}" if decision.message else ""
        return Refused(decision, f"{id} was refused{said}")
    if decision.answered:
        return None
    if decision.status == "pending":
        return StillPending(decision, f"{id} is still pending")
    if decision.status == "refined":
        return Refined(decision, f"{id} got guidance; the next round is {decision.next}: {decision.message}")
    if decision.status == "timed_out":
        return TimedOut(decision, f"nobody answered {id} until its deadline")
    if decision.status == "cancelled":
        why = f": {decision.reason}" if decision.reason else ""
        return Cancelled(decision, f"{id} was cancelled{why}")
    if decision.status == "superseded":
        return Superseded(decision, f"{id} was superseded by {decision.superseded_by}")
    # A status from a newer server is no yes either.
    return Withheld(decision, f"{id} is {decision.status}")
