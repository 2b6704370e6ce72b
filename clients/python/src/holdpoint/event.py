"""The log: as it stands, or as it grows."""

from __future__ import annotations

import http.client
import json
import random
import time
from dataclasses import dataclass, field as attribute
from datetime import datetime
from typing import Any, Dict, Iterator, Mapping, Optional, Tuple

from .duration import instant
from .transport import PAUSES, Broken, Request, Transport

_PAGE = 500
_SILENCE = 45.0
"""How many seconds without a sign of life end a connection; the server gives one every 15."""


@dataclass(frozen=True)
class Event:
    """Something that happened, as the log has it."""

    seq: int
    type: str
    at: datetime
    project: Optional[str]
    stream: str
    id: Optional[str]
    data: Mapping[str, Any] = attribute(repr=False)
    """The whole event as it came over the wire."""

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> "Event":
        """Reads an event."""
        return cls(body["seq"], body["type"], instant(body["at"]), body.get("project"), body["stream"], body.get("id"), body)


def read(transport: Transport, after: int, query: Mapping[str, Any]) -> Iterator[Event]:
    """Yields the events after a sequence number, up to the last there is."""
    while True:
        page = Request("GET", "/v1/events", {**query, "after": after, "limit": _PAGE})
        lines = transport.call(page)
        if not lines:
            return
        for line in lines:
            event = Event.from_json(line)
            after = event.seq
            yield event


def follow(transport: Transport, after: Optional[int], query: Mapping[str, Any]) -> Iterator[Event]:
    """Yields events as they are recorded, each once and in order, through broken connections and restarts.

    A server that cannot be reached at first is given up on after the client's patience; one that was there is not.
    """
    give_up: Optional[float] = time.monotonic() + transport.patience
    last, pause = after, PAUSES[0]
    while True:
        try:
            with transport.open(_stream(query, last)) as response:
                give_up = None
                for last, body in _frames(response, last):
                    pause = PAUSES[0]
                    if body is not None:
                        yield Event.from_json(body)
        except Broken as broken:
            if broken.lasting or (give_up is not None and time.monotonic() + pause > give_up):
                raise broken.error from broken
        except (OSError, http.client.HTTPException):
            # The connection broke; the next one goes on after what was seen last.
            pass
        time.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(pause * 2, PAUSES[1])


def _stream(query: Mapping[str, Any], last: Optional[int]) -> Request:
    headers: Dict[str, str] = {"Accept": "text/event-stream"}
    if last is not None:
        headers["Last-Event-ID"] = str(last)
    return Request("GET", "/v1/events", query, headers=headers, limit=_SILENCE)


def _frames(
    response: http.client.HTTPResponse, last: Optional[int]
) -> Iterator[Tuple[Optional[int], Optional[Mapping[str, Any]]]]:
    """Yields what a stream says, frame by frame: the sequence number to go on after, and the event if there is one."""
    id, data = last, ""
    for raw in iter(response.readline, b""):
        if not raw.endswith(b"\n"):
            # Cut off in the middle: the event comes again.
            return
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if line == "":
            if id != last or data:
                yield id, json.loads(data) if data else None
            last, data = id, ""
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "id" and value.isdigit():
            id = int(value)
        elif name == "data":
            data = f"{data}\n{value}" if data else value
