"""The parts of the page about Temporal that run without its server: the activity, or the workflow on a history."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from dataclasses import replace
from typing import Any, Dict, List

import program
from temporalio.client import WorkflowHistory
from temporalio.testing import ActivityEnvironment
from temporalio.worker import Replayer


async def act(target: str) -> None:
    environment, beats = ActivityEnvironment(), 0
    environment.info = replace(environment.info, workflow_run_id=target)

    def count(*_: object) -> None:
        nonlocal beats
        beats += 1

    environment.on_heartbeat = count
    outcome = await environment.run(program.approved, target)
    print(json.dumps({"approved": outcome, "beats": beats}))


def payloads(value: object) -> "Dict[str, Any]":
    encoding = base64.b64encode(b"json/plain").decode()
    data = base64.b64encode(json.dumps(value).encode()).decode()
    return {"payloads": [{"metadata": {"encoding": encoding}, "data": data}]}


def history(target: str, approved: bool, ending: str) -> "List[Dict[str, Any]]":
    """Returns what Temporal keeps of a run in which the activity came to this."""
    queue = {"name": "release"}
    kinds = [
        ("WORKFLOW_EXECUTION_STARTED", {"workflowType": {"name": "Release"}, "taskQueue": queue, "input": payloads(target),
                                        "originalExecutionRunId": "run", "firstExecutionRunId": "run", "workflowTaskTimeout": "10s"}),
        ("WORKFLOW_TASK_SCHEDULED", {"taskQueue": queue}),
        ("WORKFLOW_TASK_STARTED", {"scheduledEventId": "2"}),
        ("WORKFLOW_TASK_COMPLETED", {"scheduledEventId": "2", "startedEventId": "3"}),
        ("ACTIVITY_TASK_SCHEDULED", {"activityId": "1", "activityType": {"name": "approved"}, "taskQueue": queue, "input": payloads(target),
                                     "workflowTaskCompletedEventId": "4", "startToCloseTimeout": "604800s", "heartbeatTimeout": "30s"}),
        ("ACTIVITY_TASK_STARTED", {"scheduledEventId": "5"}),
        ("ACTIVITY_TASK_COMPLETED", {"scheduledEventId": "5", "startedEventId": "6", "result": payloads(approved)}),
        ("WORKFLOW_TASK_SCHEDULED", {"taskQueue": queue}),
        ("WORKFLOW_TASK_STARTED", {"scheduledEventId": "8"}),
        ("WORKFLOW_TASK_COMPLETED", {"scheduledEventId": "8", "startedEventId": "9"}),
        (ending, {"workflowTaskCompletedEventId": "10"}),
    ]
    events = []
    for number, (kind, attributes) in enumerate(kinds, 1):
        words = kind.lower().split("_")
        member = words[0] + "".join(word.capitalize() for word in words[1:]) + "EventAttributes"
        time = f"2026-01-01T00:00:{number:02}Z"
        events.append({"eventId": str(number), "eventTime": time, "eventType": f"EVENT_TYPE_{kind}", member: attributes})
    return events


async def replay(ending: str) -> None:
    kept = WorkflowHistory.from_json("release-7", {"events": history("production", True, ending)})
    result = await Replayer(workflows=[program.Release]).replay_workflow(kept, raise_on_replay_failure=False)
    print(json.dumps({"failure": result.replay_failure and str(result.replay_failure)}))


asyncio.run(act(sys.argv[2]) if sys.argv[1] == "act" else replay(sys.argv[2]))
