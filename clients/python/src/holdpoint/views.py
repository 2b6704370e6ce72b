"""Saved views: searches that a person gave names to. Written once for both clients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generic, List, Mapping, Optional, Sequence, TypeVar, Union

from .decision import Status
from .wire import Address, Request, Steps, given, segment

One = TypeVar("One", covariant=True)
"""What comes back where there is one view: it, or what can be awaited for it."""
Several = TypeVar("Several", covariant=True)
Nothing = TypeVar("Nothing", covariant=True)


@dataclass(frozen=True)
class View:
    """A search with a name: ``client.list(view=view)`` lists what it finds."""

    name: str
    q: str
    """What is looked for: words, and filters such as ``project=web`` or ``older=10m``."""
    status: str
    """In which status: one, several with commas between, or ``all``."""

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> "View":
        """Reads a view."""
        return cls(name=body["name"], q=body["q"], status=body["status"])


class Views(Generic[One, Several, Nothing]):
    """The views of the person that the client acts for: ``client.views``. An agent has none."""

    def __init__(self, address: Address, run: Callable[[Steps[Any]], Any]) -> None:
        self._address = address
        self._run = run

    def list(self) -> Several:
        """Returns one's own views, by name."""
        found: Several = self._run(self._read(Request("GET", "/v1/views"), _all))
        return found

    def save(self, name: str, q: str = "", *, status: Union[str, Sequence[Status], None] = None) -> One:
        """Saves a view, in the place of one that has the name; ``status`` is ``pending`` if not given."""
        wanted = status if status is None or isinstance(status, str) else ",".join(status)
        request = Request("PUT", _path(name), body=given({"q": q, "status": wanted}))
        saved: One = self._run(self._read(request, View.from_json))
        return saved

    def remove(self, name: str) -> Nothing:
        """Removes a view. Raises a ``Problem`` (``not_found``) if there is none of that name."""
        # A second try would be told that there is none.
        gone: Nothing = self._run(self._read(Request("DELETE", _path(name), once=True), lambda _: None))
        return gone

    def _read(self, request: Request, read: Callable[[Any], Any]) -> Steps[Any]:
        return read((yield from self._address.call(request)))


def _all(listed: Any) -> List[View]:
    return [View.from_json(each) for each in listed["items"]]


def _path(name: str) -> str:
    return f"/v1/views/{segment(name)}"
