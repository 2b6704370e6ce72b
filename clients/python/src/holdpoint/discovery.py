"""Where the server is, and with which token it is spoken to."""

from __future__ import annotations

import json
import os
import re
import stat
from typing import Mapping, Optional, Tuple

from .problem import NotConfigured

_LIMIT = 4096
_ORIGIN = re.compile(r"(https?)://([A-Za-z0-9.\-:\[\]]+)(?=[/?#]|$)")


def find(url: Optional[str], token: Optional[str], env: Mapping[str, str]) -> Tuple[str, Optional[str]]:
    """Returns the server's address and the token for it: as given, else ``HOLD_URL`` and ``HOLD_TOKEN``, else the
    server that runs on this machine for this data folder.
    """
    local = _local(env)
    address = url or env.get("HOLD_URL") or (local and local[0])
    if not address:
        raise NotConfigured("no server is known: set HOLD_URL, or start `hold serve` on this machine")
    if origin(address) is None:
        raise NotConfigured(f"{address!r} is not the address of a server; it must start with http:// or https://")
    if token is None and env.get("HOLD_TOKEN") and _is_for(address, env.get("HOLD_URL")):
        token = env["HOLD_TOKEN"]
    if token is None and local is not None and origin(local[0]) == origin(address):
        token = local[1]
    return address.rstrip("/"), token or None


def origin(url: str) -> Optional[str]:
    """Returns scheme, host and port; nothing if two readers could take it for different hosts."""
    match = _ORIGIN.match(url)
    return f"{match[1]}://{match[2].lower()}" if match else None


def _is_for(address: str, configured: Optional[str]) -> bool:
    """``HOLD_TOKEN`` belongs to ``HOLD_URL``; another server must not get to see it."""
    return not configured or origin(configured) == origin(address)


def _local(env: Mapping[str, str]) -> Optional[Tuple[str, Optional[str]]]:
    """Finds the server of the data folder, if it runs, and its token."""
    home = _home(env)
    if home is None or os.name != "posix":
        return None
    try:
        server = json.loads(_read_private(os.path.join(home, "server.json")) or "null")
        address, pid = server["address"], server["pid"]
    except (ValueError, TypeError, KeyError):
        return None
    if not isinstance(address, str) or not isinstance(pid, int) or not _is_alive(pid):
        return None
    token = _read_private(os.path.join(home, "local.token"))
    return address, token.strip() if token else None


def _home(env: Mapping[str, str]) -> Optional[str]:
    if env.get("HOLD_HOME"):
        return env["HOLD_HOME"]
    state = env.get("XDG_STATE_HOME", "")
    if os.path.isabs(state):
        return os.path.join(state, "holdpoint")
    return os.path.join(env["HOME"], ".local/state/holdpoint") if env.get("HOME") else None


def _read_private(path: str) -> Optional[str]:
    """Reads a file that nobody but its owner can have written or read; nothing otherwise."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_mode & 0o077 or about.st_uid not in (os.geteuid(), 0):
            return None
        return file.read(_LIMIT).decode("utf-8", "replace")


def _is_alive(pid: int) -> bool:
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
