"""Everything that can be done with runs on a server, written once for both clients."""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Dict, Generic, List, Literal, Mapping, Optional, Sequence, TypeVar, Union

from .duration import Duration, seconds
from .run import Run, Verdict
from .wire import Address, Request, Steps, given, segment

Named = Union[str, Run]

One = TypeVar("One", covariant=True)
"""What comes back where there is one run: it, or what can be awaited for it."""
Attempts = TypeVar("Attempts", covariant=True)
All = TypeVar("All", covariant=True)
Object = TypeVar("Object", covariant=True)
Objects = TypeVar("Objects", covariant=True)
Bytes = TypeVar("Bytes", covariant=True)


class Runs(Generic[One, Attempts, All, Object, Objects, Bytes]):
    """Runs on one server: ``client.runs``. A run is named by its id, the start or end of one, or the run itself.

    Whatever adds something is sent once: if the reply got lost, ``Unreachable`` is raised, and ``get`` says what is there.
    """

    def __init__(
        self,
        address: Address,
        project: Optional[str],
        run: Callable[[Steps[Any]], Any],
        iterate: Callable[[Steps[Any]], Any],
    ) -> None:
        self._address = address
        self._project = project
        self._steps = run
        self._iterate = iterate

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
    ) -> One:
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

    def get(self, run: Named) -> One:
        """Returns a run, with where it and its task stand."""
        return self._run(Request("GET", _path(run)))

    def list(
        self, *, project: Optional[str] = None, task: Optional[str] = None, oldest_first: bool = False, page: int = 100
    ) -> All:
        """Yields runs, newest first, page by page as they are needed."""
        order = "oldest_first" if oldest_first else None
        query: Dict[str, Any] = {"project": project, "task": task, "order": order, "limit": page}
        found: All = self._iterate(self._address.pages("/v1/runs", query, Run.from_json))
        return found

    def log(self, run: Named) -> Attempts:
        """Returns all attempts at a run's task, the oldest first."""
        found: Attempts = self._read(Request("GET", _path(run, "log")), _attempts)
        return found

    def state(self, run: Named) -> Object:
        """Returns where a run's task stands: ``status``, ``thread``, ``plan``, ``release``, ``ui``."""
        state: Object = self._read(Request("GET", _path(run, "log")), lambda log: log["state"])
        return state

    def patch(self, run: Named, diff: str, *, rationale: Optional[str] = None) -> One:
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
    ) -> One:
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

    def usage(self, run: Named, *, input_tokens: int = 0, output_tokens: int = 0, cost_micros: int = 0) -> One:
        """Adds to what the run used up; the cost is in millionths of a US dollar."""
        body = {"input_tokens": input_tokens, "output_tokens": output_tokens, "cost_micros": cost_micros}
        return self._run(_post(_path(run, "usage"), body))

    def record(self, run: Named, object: Mapping[str, Any]) -> Object:
        """Keeps an object with the run: a plan, a tool call, context. Returns it as it is kept."""
        kept: Object = self._read(_post(_path(run, "objects"), object))
        return kept

    def objects(self, run: Named) -> Objects:
        """Returns every object of a run as git-internal writes them."""
        items: Objects = self._read(Request("GET", _path(run, "objects")), lambda listed: listed["items"])
        return items

    def comment(
        self, run: Named, path: str, line: int, text: str, *, patchset: Optional[int] = None, before: bool = False
    ) -> One:
        """Says something about a line of a patch set (by number, the last if none); it goes with the guidance of a retry."""
        body = {"path": path, "line": line, "text": text, "patchset": patchset, "before": before}
        return self._run(_post(_path(run, "comments"), body))

    def diff(self, run: Named, patchset: Optional[int] = None, *, against: Optional[str] = None) -> Bytes:
        """Returns the diff of a patch set (by number from 1, the last if none); or what changed from ``RUN:NUMBER`` to it."""
        query = {"patchset": patchset, "against": against}
        return self._bytes(Request("GET", _path(run, "diff"), query, headers=_ANYTHING))

    def output(self, run: Named, evidence: int) -> Bytes:
        """Returns all that a piece of evidence said, by number from 1."""
        return self._bytes(Request("GET", _path(run, "output"), {"evidence": evidence}, headers=_ANYTHING))

    def finish(
        self,
        run: Named,
        *,
        message: Optional[str] = None,
        assignees: Sequence[str] = (),
        verdict: Literal["ask", "auto", "agent"] = "ask",
        choose: Optional[Verdict] = None,
        patchset: Optional[str] = None,
        parameters: Optional[str] = None,
    ) -> One:
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

    def wait(self, run: Named, timeout: Optional[Duration] = None, *, follow: bool = False) -> One:
        """Holds until the verdict on a run was carried out, or nobody is asked for one any more, or the time is up;
        through reconnects and restarts of the server.

        Returns it as it stands then: call ``require`` before going on. With ``follow``, a run that is tried again is left
        for the next attempt.
        """
        one: One = self._steps(self._wait(run, timeout, follow))
        return one

    def carry(self, run: Named) -> One:
        """Has the verdict on a run carried out now, if the process that should have done so has not."""
        return self._run(Request("POST", _path(run, "carry"), body={}))

    def resume(self, run: Named) -> One:
        """Begins a run that goes on from the checkpoint that this one saved."""
        return self._run(_post(_path(run, "resume"), {}))

    def rollback(self, run: Named) -> One:
        """Begins a run that takes back what this one committed, and asks for its verdict."""
        return self._run(_post(_path(run, "rollback"), {}))

    def export(self, run: Named) -> Object:
        """Writes all attempts at the run's task to its repository, for others to read."""
        written: Object = self._read(Request("POST", _path(run, "export"), body={}))
        return written

    def take_over(
        self, repo: "Union[str, os.PathLike[str]]", *, ref: Optional[str] = None, project: Optional[str] = None
    ) -> Object:
        """Brings runs here that others wrote to a repository, all or none."""
        body = {"repo": os.path.abspath(os.fspath(repo)), "ref": ref, "project": project or self._project}
        taken: Object = self._read(_post("/v1/imports", body))
        return taken

    def _wait(self, run: Named, timeout: Optional[Duration], follow: bool) -> Steps[Run]:
        give_up = None if timeout is None else time.monotonic() + seconds(timeout)
        while True:
            ended = yield from self._address.held(_path(run, "wait"), Run.from_json, lambda it: it.under_way, give_up)
            if not follow or ended.next is None:
                return ended
            run = ended.next

    def _run(self, request: Request) -> One:
        one: One = self._read(request, Run.from_json)
        return one

    def _bytes(self, request: Request) -> Bytes:
        body: Bytes = self._read(request)
        return body

    def _read(self, request: Request, read: Optional[Callable[[Any], Any]] = None) -> Any:
        return self._steps(self._called(request, read))

    def _called(self, request: Request, read: Optional[Callable[[Any], Any]]) -> Steps[Any]:
        reply = yield from self._address.call(request)
        return reply if read is None else read(reply)


_ANYTHING = {"Accept": "*/*"}


def _path(run: Named, verb: Optional[str] = None) -> str:
    id = run.id if isinstance(run, Run) else run
    return f"/v1/runs/{segment(id)}{'/' + verb if verb else ''}"


def _post(path: str, body: Mapping[str, Any]) -> Request:
    return Request("POST", path, body=given(body), once=True)


def _attempts(log: Mapping[str, Any]) -> List[Run]:
    return [Run.from_json(item) for item in log["items"]]
