"""The log: as it stands, or as it grows."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field as attribute
from datetime import datetime
from typing import Any, Dict, Mapping, Optional

from .duration import instant
from .wire import PAUSES, Address, Broken, Do, Request, Steps, jitter

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


def read(address: Address, after: int, query: Mapping[str, Any]) -> Steps[None]:
    """Gives the events after a sequence number, up to the last there is."""
    while True:
        page = Request("GET", "/v1/events", {**query, "after": after, "limit": _PAGE})
        lines = yield from address.call(page)
        if not lines:
            return
        for line in lines:
            event = Event.from_json(line)
            after = event.seq
            yield Do("give", event)


def follow(address: Address, after: Optional[int], query: Mapping[str, Any]) -> Steps[None]:
    """Gives events as they are recorded, each once and in order, through broken connections and restarts.

    A server that cannot be reached at first is given up on after the client's patience; one that was there is not.
    """
    give_up: Optional[float] = time.monotonic() + address.patience
    last, pause = after, PAUSES[0]
    while True:
        try:
            lines = yield from address.stream(_stream(query, last))
            give_up = None
            try:
                frame = _Frame(last)
                while True:
                    raw: bytes = yield Do("line", lines)
                    if not raw.endswith(b"\n"):
                        # The end, or cut off in the middle: then the event comes again.
                        break
                    if not frame.took(raw):
                        continue
                    last, pause = frame.id, PAUSES[0]
                    if frame.data:
                        yield Do("give", Event.from_json(json.loads(frame.data)))
                    frame = _Frame(last)
            finally:
                lines.close()
        except Broken as broken:
            # Where it was there before, the next connection goes on after what was seen last.
            if broken.lasting or (give_up is not None and time.monotonic() + pause > give_up):
                raise broken.error from broken
        yield Do("sleep", jitter(pause))
        pause = min(pause * 2, PAUSES[1])


def _stream(query: Mapping[str, Any], last: Optional[int]) -> Request:
    headers: Dict[str, str] = {"Accept": "text/event-stream"}
    if last is not None:
        headers["Last-Event-ID"] = str(last)
    return Request("GET", "/v1/events", query, headers=headers, limit=_SILENCE)


class _Frame:
    """One thing that a stream says: the sequence number to go on after, and the event if there is one."""

    def __init__(self, last: Optional[int]) -> None:
        self._last = last
        self.id = last
        self.data = ""

    def took(self, raw: bytes) -> bool:
        """Takes a line. Returns whether it ended a frame that says something."""
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if line == "":
            return self.id != self._last or bool(self.data)
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "id" and value.isdigit():
            self.id = int(value)
        elif name == "data":
            self.data = f"{self.data}\n{value}" if self.data else value
        return False
