"""Forms from pydantic models, and answers back into them. Nothing here imports pydantic: a model brings it along."""

from __future__ import annotations

import json
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, Dict, List, Literal, Mapping, Sequence, Tuple, Type, TypeVar, Union, get_args, get_origin

from .decision import Decision, Field, Kind, Option
from .withheld import Unfit

M = TypeVar("M")

_PLAIN: Sequence[Tuple[type, Kind]] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (Decimal, "number"),
    (datetime, "datetime"),
    (date, "date"),
    (time, "time"),
    (str, "text"),
)
_TEXTS = ("text", "multiline", "email", "tel", "url")
_CAN = "str, int, float, bool, Decimal, date, time, datetime, Literal, Enum, a list of Literal or Enum, and Optional of these"


def fields_of(model: Type[Any]) -> List[Field]:
    """Returns the form that asks for what a pydantic model has: one field for each of its own. Raises ``TypeError`` if it
    has one that a form cannot carry.

    Title, description, default, bounds and lengths are taken over. Limits that a form does not know (``multiple_of``,
    ``pattern``) are added to the description. A text becomes another kind of text with
    ``json_schema_extra={"kind": "multiline"}`` (or ``email``, ``tel``, ``url``).
    """
    return [_field(f"{model.__name__}.{name}", name, about) for name, about in _fields(model).items()]


def instance(decision: Decision, model: Type[M]) -> M:
    """Returns what was answered as an instance of the model; raises ``Unfit`` if the model does not accept it."""
    values: Dict[str, Any] = {}
    for name, about in _fields(model).items():
        given = about.validation_alias if isinstance(about.validation_alias, str) else about.alias or name
        if name in decision.values:
            values[given] = _value(about.annotation, decision.values[name])
        elif about.is_required():
            # An optional field without a default must be named, if only to say that there is nothing.
            values[given] = None
    accepts: Any = model
    try:
        # As JSON, so that a model in strict mode takes a date from a text.
        made: M = accepts.model_validate_json(json.dumps(values))
    except ValueError as why:
        raise Unfit(decision, f"{decision.id} was answered, but {model.__name__} does not accept it: {why}") from why
    return made


def _fields(model: Any) -> Mapping[str, Any]:
    found = getattr(model, "model_fields", None) if isinstance(model, type) else None
    if not isinstance(found, Mapping):
        raise TypeError(f"{model!r} is not a pydantic model; give a subclass of pydantic.BaseModel")
    if not found:
        raise TypeError(f"{model.__name__} has no fields, so there is nothing to ask")
    return found


def _field(place: str, name: str, about: Any) -> Field:
    inner, optional = _without_none(about.annotation)
    listed = get_args(inner)[0] if get_origin(inner) in (list, List) and get_args(inner) else None
    options = _options(place, listed if listed is not None else inner)
    extra = about.json_schema_extra if isinstance(about.json_schema_extra, Mapping) else {}
    kind = _kind(place, inner, listed, options, extra.get("kind"))
    least, most = _bounds(kind, about.metadata)
    default = None if about.default is None or about.is_required() or about.default_factory else _plain(about.default)
    return Field(
        id=name,
        kind=kind,
        label=about.title or name.replace("_", " ").strip().capitalize(),
        description=_description(about.description, about.metadata),
        required=about.is_required() and not optional,
        options=tuple(Option(id, id) for id in options),
        default=default,
        min=least,
        max=most,
        exclusive_min=kind == "number" and least is not None and least in _each(about.metadata, "gt"),
        exclusive_max=kind == "number" and most is not None and most in _each(about.metadata, "lt"),
    )


def _kind(place: str, inner: Any, listed: Any, options: Mapping[str, Any], wanted: Any) -> Kind:
    if options:
        return "choice" if listed is None else "choices"
    if isinstance(inner, type) and listed is None:
        if wanted is not None:
            if inner is not str or wanted not in _TEXTS:
                raise TypeError(f"{place}: a str can be asked as {', '.join(_TEXTS)}, not as {wanted!r}")
            kind: Kind = wanted
            return kind
        if inner.__name__ == "EmailStr":
            return "email"
        if inner.__name__.endswith("Url") and inner.__module__.startswith("pydantic"):
            return "url"
        for plain, kind in _PLAIN:
            # Other texts, such as secrets, are not for a form.
            if inner is plain:
                return kind
    raise TypeError(f"{place}: a form cannot carry {_named(inner)}; it can carry {_CAN}")


def _options(place: str, kind: Any) -> Dict[str, Any]:
    """Returns what can be chosen, by the id it is chosen with."""
    if get_origin(kind) is Literal:
        values: Sequence[Any] = get_args(kind)
    elif isinstance(kind, type) and issubclass(kind, Enum):
        values = [member.value for member in kind]
    else:
        return {}
    if not all(isinstance(value, (str, int)) for value in values):
        raise TypeError(f"{place}: only texts and whole numbers can be chosen, not all of {list(values)!r}")
    options = {str(value): value for value in values}
    if len(options) < len(values):
        raise TypeError(f"{place}: some of {list(values)!r} cannot be told apart in writing")
    return options


def _value(annotation: Any, answered: Any) -> Any:
    inner, _ = _without_none(annotation)
    if get_origin(inner) in (list, List) and isinstance(answered, list):
        return [_value(get_args(inner)[0], each) for each in answered]
    return _options("", inner).get(answered, answered) if isinstance(answered, str) else answered


def _without_none(annotation: Any) -> Tuple[Any, bool]:
    """Returns what an annotation says beside ``None``, and whether it allows that."""
    origin = get_origin(annotation)
    if origin is not Union and getattr(origin, "__name__", "") != "UnionType":
        return annotation, False
    others = [each for each in get_args(annotation) if each is not type(None)]
    return (others[0] if len(others) == 1 else annotation), len(others) < len(get_args(annotation))


def _bounds(kind: Kind, metadata: Sequence[Any]) -> Tuple[Any, Any]:
    least = most = None
    for each in metadata:
        step = 1 if kind == "integer" else 0
        least = _first(least, getattr(each, "ge", None), _moved(getattr(each, "gt", None), step), getattr(each, "min_length", None))
        most = _first(most, getattr(each, "le", None), _moved(getattr(each, "lt", None), -step), getattr(each, "max_length", None))
    return _plain(least), _plain(most)


def _description(given: Any, metadata: Sequence[Any]) -> Any:
    """Adds the limits that a form has no place for, so that a person can keep to them."""
    limits = [f"Must be a multiple of {_plain(step)}." for step in _each(metadata, "multiple_of")]
    limits += [f"Must match the pattern {_pattern(each)}" for each in _each(metadata, "pattern")]
    return " ".join(part for part in (given, *limits) if part) or None


def _each(metadata: Sequence[Any], name: str) -> List[Any]:
    return [found for found in (getattr(each, name, None) for each in metadata) if found is not None]


def _pattern(given: Any) -> str:
    return str(getattr(given, "pattern", given))


def _moved(bound: Any, by: int) -> Any:
    return bound + by if bound is not None and by else bound


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _plain(value: Any) -> Any:
    """Returns a value as it is written in an answer."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, (date, time)):
        return value.replace(microsecond=0).isoformat() if isinstance(value, (datetime, time)) else value.isoformat()
    return float(value) if isinstance(value, Decimal) else value


def _named(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and get_origin(kind) is None else str(kind).replace("typing.", "")
