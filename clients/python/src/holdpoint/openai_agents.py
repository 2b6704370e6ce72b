"""OpenAI Agents SDK: tools with ``needs_approval`` wait for a person, also through a restart of the process.

The decision's key is the run's id and the tool call's, so that a process that was killed comes back to the same decision.
"""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Union

from agents import Agent, Runner, RunState

from . import AsyncClient
from .approval import Call, StateFile, key, ruled

__all__ = ["run"]


async def run(
    agent: "Agent[Any]",
    input: Any,
    *,
    id: str,
    state: "Union[str, os.PathLike[str], None]" = None,
    hold: Optional[AsyncClient] = None,
    options: Any = None,
    **asking: Any,
) -> Any:
    """Runs an agent to its end, and asks before every tool call that needs approval. Returns the SDK's result.

    ``id`` names the run. In the file ``state`` it is kept how far it had come while people are asked; called again with the
    same file it goes on from there, ``input`` is not used, and the file is removed at the end. ``options`` are keyword
    arguments of ``Runner.run``; ``asking`` (``project``, ``assignees``, ``timeout``, …) goes to every question. What is not
    approved is told to the model, with the reason.
    """
    client = hold or AsyncClient()
    kept = None if state is None else StateFile(state)
    saved = None if kept is None else kept.read()
    current: Any = input if saved is None else await RunState.from_string(agent, saved.decode())
    while True:
        if isinstance(current, RunState):
            waiting = current.get_interruptions()
            calls = [_call(id, item) for item in waiting]
            rulings = await ruled(client, calls, asking)
            for item, found in zip(waiting, rulings):
                if found.approved:
                    current.approve(item)
                else:
                    current.reject(item, rejection_message=found.message)
        result = await Runner.run(agent, current, **(options or {}))
        if not result.interruptions:
            if kept is not None:
                kept.remove()
            return result
        current = result.to_state()
        if kept is not None:
            kept.write(current.to_string().encode())


def _call(id: str, item: Any) -> Call:
    arguments = item.arguments
    try:
        arguments = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        pass
    return Call(key("openai-agents", id, item.call_id), item.name, arguments)
