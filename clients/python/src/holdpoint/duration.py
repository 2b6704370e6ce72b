"""Spans of time, as people and the wire write them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Union

Duration = Union[str, int, float, timedelta]
"""How long: text such as ``"30m"`` or ``"1h30m"``, a number of seconds, or a ``timedelta``."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"([0-9]+)(ms|s|m|h|d)")


def seconds(span: Duration) -> float:
    """Returns a span in seconds."""
    if isinstance(span, timedelta):
        length = span.total_seconds()
    elif isinstance(span, str):
        text = span.strip()
        parts = _PART.findall(text)
        if not parts or "".join(number + unit for number, unit in parts) != text:
            raise ValueError(f"{span!r} is not a duration; use a number and ms, s, m, h or d, e.g. 30m or 1h30m")
        length = sum(int(number) * _UNITS[unit] for number, unit in parts)
    else:
        length = float(span)
    if not 0 <= length < float("inf"):
        raise ValueError(f"{span!r} is not a length of time")
    return length


def wire(span: Duration) -> str:
    """Returns a span as the server reads it."""
    if isinstance(span, str):
        return span
    return f"{round(seconds(span) * 1000)}ms"


def moment(until: Union[datetime, Duration]) -> str:
    """Returns a point in time, or the end of a span that begins now, as the server reads it."""
    if not isinstance(until, datetime):
        until = datetime.now(timezone.utc) + timedelta(seconds=seconds(until))
    if until.tzinfo is None:
        raise ValueError(f"{until} is in no time zone; give one, e.g. timezone.utc")
    return until.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def instant(text: str) -> datetime:
    """Reads a point in time as the server writes it: RFC 3339 with Z and any number of digits."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    at = datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S")
    return at.replace(microsecond=int(fraction.ljust(6, "0")[:6] or 0), tzinfo=timezone.utc)
