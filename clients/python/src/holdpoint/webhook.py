"""What the server sends to a webhook: whether it is genuine, and what it says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Union

from .decision import Decision
from .duration import Duration, seconds
from .error import HoldpointError
from .event import Event


class NotGenuine(HoldpointError):
    """A request that the server did not send, or sent too long ago."""


@dataclass(frozen=True)
class Notice:
    """What a webhook or a callback is told. It may be told twice: ``id`` is the same then."""

    id: str
    said: Dict[str, Any]
    """The body, as it was sent."""

    @property
    def event(self) -> Event:
        """What happened; a callback that is sent only the answer has none."""
        return Event.from_json(self._part("event"))

    @property
    def decision(self) -> Decision:
        """As it was when this was sent; a callback that is sent only the answer has none."""
        return Decision.from_json(self._part("decision"))

    @property
    def url(self) -> Optional[str]:
        """The address of the decision for people, where the server has one."""
        return self.said.get("url")

    @property
    def answer(self) -> Dict[str, Any]:
        """How the decision ended, where a callback asked for the body ``answer`` or ``data``."""
        said = self.said.get("data", self.said)
        if not isinstance(said, dict) or "status" not in said:
            raise ValueError("the body has no answer: it is one of a webhook; see event and decision")
        return said

    def _part(self, name: str) -> Any:
        if name not in self.said:
            raise ValueError(f"the body has no {name}: it is one of a callback; see answer")
        return self.said[name]


def verify(
    secret: Union[str, bytes], headers: Mapping[str, str], body: Union[str, bytes], *, tolerance: Duration = "5m"
) -> Notice:
    """Returns what a request to a webhook, or a signed callback, says if the server sent it, and not longer ago than
    ``tolerance``; raises ``NotGenuine`` otherwise. ``body`` is the body exactly as it came.
    """
    found = {name.lower(): value for name, value in headers.items()}
    raw = body.encode() if isinstance(body, str) else body
    try:
        id, at, signatures = found["webhook-id"], found["webhook-timestamp"], found["webhook-signature"]
        age = abs(time.time() - int(at))
    except (KeyError, ValueError):
        raise NotGenuine("the request is not signed: webhook-id, webhook-timestamp or webhook-signature is missing") from None
    mac = hmac.new(_key(secret), f"{id}.{at}.".encode() + raw, hashlib.sha256).digest()
    ours = b"v1," + base64.b64encode(mac)
    if not any(hmac.compare_digest(ours, each.encode()) for each in signatures.split(" ")):
        raise NotGenuine("the signature is not of this body and this secret")
    if age > seconds(tolerance):
        raise NotGenuine(f"it was sent {round(age)} s ago or ahead, which is more than the tolerance")
    said = json.loads(raw)
    if not isinstance(said, dict):
        raise NotGenuine("the body is signed and not one that the server sends")
    return Notice(id, said)


def _key(secret: Union[str, bytes]) -> bytes:
    text = secret.encode() if isinstance(secret, str) else secret
    text = text.strip()
    if not text.startswith(b"whsec_"):
        return text
    try:
        return base64.b64decode(text[len(b"whsec_") :], validate=True)
    except binascii.Error:
        raise ValueError("what follows whsec_ in the secret is not base64") from None
