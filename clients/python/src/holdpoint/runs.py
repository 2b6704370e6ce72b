"""Everything that can be done with runs on a server."""

from __future__ import annotations

import os
import time
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from .duration import Duration, seconds
from .run import Run
from .transport import Request, Transport, segment

_HOLD = 50.0
"""How many seconds one request holds: fewer than what proxies cut off."""

Named = Union[str, Run]


class Runs:
    """Runs on one server: ``client.runs``. A run is named by its id, the start or end of one, or the run itself.

    Whatever adds something is sent once: if the reply got lost, ``Unreachable`` is raised, and ``get`` says what is there.
    """

    def __init__(self, transport: Transport, project: Optional[str]) -> None:
        self._transport = transport
        self._project = project

    def start(
        self,
        task: str,
        repo: "Union[str, os.PathLike[str]]" = ".",
        *,
        description: Optional[str] = None,
        intent: Optional[str] = None,
        base: Optional[str] = None,
        branch: Optional[str] = None,
        project: Optional[str] = None,
    ) -> Run:
        """Begins an attempt at a task (a title, or the id of one that was attempted before) on a repository of the
        server's machine.
        """
        body = {
            "task": task,
            "repo": os.path.abspath(os.fspath(repo)),
            "description": description,
            "intent": intent,
            "base": base,
            "branch": branch,
            "project": project or self._project,
        }
        return self._run(_post("/v1/runs", body))

    def get(self, run: Named) -> Run:
        """Returns a run, with where it and its task stand."""
        return self._run(Request("GET", _path(run)))

    def list(
        self, *, project: Optional[str] = None, task: Optional[str] = None, oldest_first: bool = False, page: int = 100
    ) -> Iterator[Run]:
        """Yields runs, newest first, page by page as they are needed."""
        order = "oldest_first" if oldest_first else None
        query: Dict[str, Any] = {"project": project, "task": task, "order": order, "limit": page}
        while True:
            listed = self._transport.call(Request("GET", "/v1/runs", query))
            for item in listed["items"]:
                yield Run.from_json(item)
            if listed["next"] is None:
                return
            query["cursor"] = listed["next"]

    def log(self, run: Named) -> List[Run]:
        """Returns all attempts at a run's task, the oldest first."""
        return [Run.from_json(item) for item in self._transport.call(Request("GET", _path(run, "log")))["items"]]

    def state(self, run: Named) -> Mapping[str, Any]:
        """Returns where a run's task stands: ``status``, ``thread``, ``plan``, ``release``, ``ui``."""
        state: Mapping[str, Any] = self._transport.call(Request("GET", _path(run, "log")))["state"]
        return state

    def patch(self, run: Named, diff: str, *, rationale: Optional[str] = None) -> Run:
        """Proposes a change: a diff against the commit that the run starts from."""
        return self._run(_post(_path(run, "patch"), {"diff": diff, "rationale": rationale}))

    def evidence(
        self,
        run: Named,
        kind: str,
        tool: str,
        *,
        command: Optional[str] = None,
        exit_code: Optional[int] = None,
        took_ms: Optional[int] = None,
        patchset: Optional[str] = None,
        log: Optional[str] = None,
    ) -> Run:
        """Adds what a tool found; the caller has run it. ``kind`` is ``test``, ``lint``, ``build`` or another word."""
        body = {
            "kind": kind,
            "tool": tool,
            "command": command,
            "exit_code": exit_code,
            "took_ms": took_ms,
            "patchset": patchset,
            "log": log,
        }
        return self._run(_post(_path(run, "evidence"), body))

    def usage(self, run: Named, *, input_tokens: int = 0, output_tokens: int = 0, cost_micros: int = 0) -> Run:
        """Adds to what the run used up; the cost is in millionths of a US dollar."""
        body = {"input_tokens": input_tokens, "output_tokens": output_tokens, "cost_micros": cost_micros}
        return self._run(_post(_path(run, "usage"), body))

    def record(self, run: Named, object: Mapping[str, Any]) -> Mapping[str, Any]:
        """Keeps an object with the run: a plan, a tool call, context. Returns it as it is kept."""
        kept: Mapping[str, Any] = self._transport.call(_post(_path(run, "objects"), object))
        return kept

    def objects(self, run: Named) -> List[Mapping[str, Any]]:
        """Returns every object of a run as git-internal writes them."""
        items: List[Mapping[str, Any]] = self._transport.call(Request("GET", _path(run, "objects")))["items"]
        return items

    def comment(
        self, run: Named, path: str, line: int, text: str, *, patchset: Optional[int] = None, before: bool = False
    ) -> Run:
        """Says something about a line of a patch set (by number, the last if none); it goes with the guidance of a retry."""
        body = {"path": path, "line": line, "text": text, "patchset": patchset, "before": before}
        return self._run(_post(_path(run, "comments"), body))

    def diff(self, run: Named, patchset: Optional[int] = None, *, against: Optional[str] = None) -> bytes:
        """Returns the diff of a patch set (by number from 1, the last if none); or what changed from ``RUN:NUMBER`` to it."""
        query = {"patchset": patchset, "against": against}
        return self._bytes(Request("GET", _path(run, "diff"), query, headers=_ANYTHING))

    def output(self, run: Named, evidence: int) -> bytes:
        """Returns all that a piece of evidence said, by number from 1."""
        return self._bytes(Request("GET", _path(run, "output"), {"evidence": evidence}, headers=_ANYTHING))

    def finish(
        self,
        run: Named,
        *,
        message: Optional[str] = None,
        assignees: Sequence[str] = (),
        verdict: str = "ask",
        choose: Optional[str] = None,
        patchset: Optional[str] = None,
        parameters: Optional[str] = None,
    ) -> Run:
        """Ends the work and asks for the verdict (``decision`` names the question); or gives it, with ``verdict`` ``auto``
        or ``agent``, where the project allows that.
        """
        body = {
            "message": message,
            "assignees": [*assignees] or None,
            "verdict": verdict,
            "choose": choose,
            "patchset": patchset,
            "parameters": parameters,
        }
        return self._run(_post(_path(run, "finish"), body))

    def wait(self, run: Named, timeout: Optional[Duration] = None, *, follow: bool = False) -> Run:
        """Holds until the verdict on a run was carried out, or nobody is asked for one any more, or the time is up;
        through reconnects and restarts of the server.

        Returns it as it stands then: call ``require`` before going on. With ``follow``, a run that is tried again is left
        for the next attempt.
        """
        give_up = None if timeout is None else time.monotonic() + seconds(timeout)
        while True:
            ended = self._wait(run, give_up)
            if not follow or ended.next is None:
                return ended
            run = ended.next

    def carry(self, run: Named) -> Run:
        """Has the verdict on a run carried out now, if the process that should have done so has not."""
        return self._run(Request("POST", _path(run, "carry"), body={}))

    def resume(self, run: Named) -> Run:
        """Begins a run that goes on from the checkpoint that this one saved."""
        return self._run(_post(_path(run, "resume"), {}))

    def rollback(self, run: Named) -> Run:
        """Begins a run that takes back what this one committed, and asks for its verdict."""
        return self._run(_post(_path(run, "rollback"), {}))

    def export(self, run: Named) -> Mapping[str, Any]:
        """Writes all attempts at the run's task to its repository, for others to read."""
        written: Mapping[str, Any] = self._transport.call(Request("POST", _path(run, "export"), body={}))
        return written

    def take_over(
        self, repo: "Union[str, os.PathLike[str]]", *, ref: Optional[str] = None, project: Optional[str] = None
    ) -> Mapping[str, Any]:
        """Brings runs here that others wrote to a repository, all or none."""
        body = {"repo": os.path.abspath(os.fspath(repo)), "ref": ref, "project": project or self._project}
        taken: Mapping[str, Any] = self._transport.call(_post("/v1/imports", body))
        return taken

    def _wait(self, run: Named, give_up: Optional[float]) -> Run:
        while True:
            began = time.monotonic()
            hold = _HOLD if give_up is None else max(0.0, min(_HOLD, give_up - began))
            limit = hold + (10.0 if give_up is None else 2.0)
            request = Request("GET", _path(run, "wait"), {"timeout": f"{round(hold * 1000)}ms"}, limit=limit)
            until = float("inf") if give_up is None else max(give_up, began + 1.0)
            current = Run.from_json(self._transport.call(request, give_up=until))
            now = time.monotonic()
            if not current.under_way or (give_up is not None and now >= give_up):
                return current
            if now - began < hold / 2:
                # The server ends held requests when it is told to stop.
                time.sleep(0.1)

    def _run(self, request: Request) -> Run:
        return Run.from_json(self._transport.call(request))

    def _bytes(self, request: Request) -> bytes:
        body: bytes = self._transport.call(request)
        return body


_ANYTHING = {"Accept": "*/*"}


def _path(run: Named, verb: Optional[str] = None) -> str:
    id = run.id if isinstance(run, Run) else run
    return f"/v1/runs/{segment(id)}{'/' + verb if verb else ''}"


def _post(path: str, body: Mapping[str, Any]) -> Request:
    given = {key: value for key, value in body.items() if value is not None}
    return Request("POST", path, body=given, once=True)
