"""Ask a person, hold, and go on with the answer: client of a Holdpoint server."""

from .client import Client
from .decision import Answer, Answered, Decision, Field, Option
from .duration import Duration
from .event import Event
from .problem import FieldError, HoldpointError, NotConfigured, Problem, Unreachable
from .question import Question, Revision
from .run import NotAccepted, Run
from .runs import Runs
from .withheld import Cancelled, Refined, Refused, Removed, StillPending, Superseded, TimedOut, Withheld

__all__ = [
    "Answer",
    "Answered",
    "Cancelled",
    "Client",
    "Decision",
    "Duration",
    "Event",
    "FieldError",
    "Field",
    "HoldpointError",
    "NotAccepted",
    "NotConfigured",
    "Option",
    "Problem",
    "Question",
    "Refined",
    "Refused",
    "Removed",
    "Revision",
    "Run",
    "Runs",
    "StillPending",
    "Superseded",
    "TimedOut",
    "Unreachable",
    "Withheld",
]
