"""Ask a person, hold, and go on with the answer: client of a Holdpoint server."""

from typing import TYPE_CHECKING, Any

from .client import Client
from .decision import Answer, Answered, Auth, Decision, Field, Kind, OnTimeout, Option, Priority, Source, Status, Vote
from .duration import Duration
from .error import HoldpointError
from .event import Event
from .problem import FieldError, NotConfigured, Problem, Unreachable
from .question import Callback, Question, Revision
from .withheld import Cancelled, Refined, Refused, Removed, StillPending, Superseded, TimedOut, Unfit, Withheld

if TYPE_CHECKING:
    from .async_client import AsyncClient
    from .model import fields_of
    from .run import NotAccepted, Run, Verdict
    from .runs import Runs
    from .views import View, Views
    from .webhook import Notice, NotGenuine, verify

# What not every program needs is loaded when it is first named: asyncio alone takes longer than all the rest.
_LATER = {
    "AsyncClient": "async_client",
    "fields_of": "model",
    "NotAccepted": "run",
    "Run": "run",
    "Verdict": "run",
    "Runs": "runs",
    "View": "views",
    "Views": "views",
    "Notice": "webhook",
    "NotGenuine": "webhook",
    "verify": "webhook",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f".{_LATER[name]}", __name__), name)
    return found


__all__ = [
    "Answer",
    "Answered",
    "AsyncClient",
    "Auth",
    "Callback",
    "Cancelled",
    "Client",
    "Decision",
    "Duration",
    "Event",
    "FieldError",
    "Field",
    "HoldpointError",
    "Kind",
    "NotAccepted",
    "NotConfigured",
    "NotGenuine",
    "Notice",
    "OnTimeout",
    "Option",
    "Priority",
    "Problem",
    "Question",
    "Refined",
    "Refused",
    "Removed",
    "Revision",
    "Run",
    "Runs",
    "Source",
    "Status",
    "StillPending",
    "Superseded",
    "TimedOut",
    "Unfit",
    "Unreachable",
    "Verdict",
    "View",
    "Views",
    "Vote",
    "Withheld",
    "fields_of",
    "verify",
]
