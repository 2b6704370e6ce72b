"""What is sent to ask and to revise."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Tuple, Type, TypedDict, Union

from .decision import Field, Kind, OnTimeout, Option, Priority, Source
from .duration import Duration, wire

OptionLike = Union[Option, str, Tuple[str, str], Mapping[str, Any]]
"""An option: whole, as JSON, an id alone, or an id and a label."""
FieldLike = Union[Field, Mapping[str, Any]]
"""A field: whole or as JSON."""

_PICKING = ("choice", "choices", "confirm", "products")
_LONGEST_LABEL = 200


class _CallbackUrl(TypedDict):
    url: str


class Callback(_CallbackUrl, total=False):
    """Where the server POSTs the outcome once the decision is settled; the server's settings must list the address."""

    #: The ``[[callback]]`` of the server's settings whose secret goes with it.
    auth: str
    #: What is sent: ``webhook`` (event and decision) unless it says otherwise.
    body: Literal["webhook", "data", "answer"]


class Question(TypedDict, total=False):
    """All that a question may say. Either ``fields``, or ``kind`` and ``options`` for a question with one field."""

    title: str
    kind: Kind
    options: Sequence[OptionLike]
    fields: Sequence[FieldLike]
    outs: Sequence[OptionLike]
    source: Source
    project: str
    owner: str
    requested_by: str
    assignees: Sequence[str]
    priority: Priority
    timeout: Duration
    deadline: Union[datetime, str]
    on_timeout: OnTimeout
    default: Union[str, Mapping[str, Any]]
    max_iterations: int
    subject: Any
    origin: Mapping[str, Any]
    metadata: Mapping[str, str]
    callback: Callback
    exclusive: bool


class Revision(TypedDict, total=False):
    """What can be changed in a question that waits; what is left out stays."""

    title: str
    prompt: str
    fields: Sequence[FieldLike]
    subject: Any
    default: Mapping[str, Any]


def new(prompt: Optional[str], question: Question, project: Optional[str]) -> Dict[str, Any]:
    """Puts together what is sent to ask."""
    if "result" in question:
        raise TypeError("`result` belongs to `ask`; here, give fields=fields_of(Model)")
    body: Dict[str, Any] = {key: value for key, value in question.items() if value is not None}
    kind, options = body.pop("kind", None), body.pop("options", None)
    if prompt is not None:
        body["prompt"] = prompt
    if project is not None:
        body.setdefault("project", project)
    if "fields" in body:
        if kind is not None or options is not None:
            raise ValueError("give either fields, or kind and options")
        body["fields"] = fields(body["fields"])
    else:
        body["fields"] = [_only_field(body, kind, options or ())]
    if "outs" in body:
        body["outs"] = _options(body["outs"])
    if "timeout" in body:
        body["timeout"] = wire(body["timeout"])
    if isinstance(body.get("deadline"), datetime):
        body["deadline"] = _moment(body["deadline"])
    if isinstance(body.get("default"), str):
        body["default"] = _default(body, body["default"])
    if "assignees" in body:
        body["assignees"] = list(body["assignees"])
    return body


def revision(change: Revision) -> Dict[str, Any]:
    """Puts together what is sent to revise."""
    body: Dict[str, Any] = {key: value for key, value in change.items() if value is not None}
    if "fields" in body:
        body["fields"] = fields(body["fields"])
    return body


def fields(given: Iterable[FieldLike]) -> List[Dict[str, Any]]:
    """Returns fields as they are sent."""
    return [each.to_json() if isinstance(each, Field) else dict(each) for each in given]


def _only_field(body: Mapping[str, Any], kind: Optional[str], options: Sequence[OptionLike]) -> Dict[str, Any]:
    """Makes the field of a question that has one, as ``hold ask`` does."""
    approval = body.get("source") == "approval" or ("source" not in body and "subject" in body)
    kind = kind or ("choice" if options else "confirm" if approval else "text")
    words = str(body.get("prompt") or body.get("title") or "")
    label = next((line.strip() for line in words.splitlines() if line.strip()), "")
    label = label if len(label) <= _LONGEST_LABEL else label[:_LONGEST_LABEL] + "…"
    made: Dict[str, Any] = {"id": "choice" if kind in _PICKING else kind, "kind": kind, "label": label}
    if options:
        made["options"] = _options(options)
    elif kind == "confirm":
        made["options"] = [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No", "refuses": True}]
    return made


def _options(given: Iterable[OptionLike]) -> List[Dict[str, Any]]:
    return [_option(each).to_json() if not isinstance(each, Mapping) else dict(each) for each in given]


def _option(given: Union[Option, str, Tuple[str, str]]) -> Option:
    if isinstance(given, Option):
        return given
    id, label = (given, given) if isinstance(given, str) else given
    return Option(id, label)


def _default(body: Mapping[str, Any], id: str) -> Dict[str, Any]:
    """Reads a default that is an option's or an out's id."""
    if any(out["id"] == id for out in body.get("outs", ())):
        return {"out": id}
    if len(body["fields"]) != 1:
        raise ValueError("a default that is one id goes with one field; give the values by field id")
    only = body["fields"][0]
    value = {"choices": [id], "products": [{"id": id, "quantity": 1}]}.get(only["kind"], id)
    return {only["id"]: value}


def _moment(at: datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("a deadline needs a time zone")
    return at.isoformat()


def formed(question: Question, model: Type[Any]) -> Question:
    """Returns a question with the form that a model makes."""
    from .model import fields_of

    for given in ("fields", "kind", "options"):
        if given in question:
            raise ValueError(f"the form is made from {model.__name__}; leave out {given}")
    made = question.copy()
    made["fields"] = fields_of(model)
    return made
