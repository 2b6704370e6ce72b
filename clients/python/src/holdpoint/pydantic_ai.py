"""Pydantic AI: tools with ``requires_approval`` wait for a person, also through a restart of the process.

The decision's key is the run's id and the tool call's, so that a process that was killed comes back to the same decision.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional, Union

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolDenied
from pydantic_ai.messages import ModelMessagesTypeAdapter

from . import AsyncClient
from .approval import Call, StateFile, key, ruled

__all__ = ["run"]


async def run(
    agent: "Agent[Any, Any]",
    prompt: Any,
    *,
    id: str,
    state: "Union[str, os.PathLike[str], None]" = None,
    hold: Optional[AsyncClient] = None,
    options: Optional[Dict[str, Any]] = None,
    **asking: Any,
) -> Any:
    """Runs an agent to its end, and asks before every tool call that needs approval. Returns the result of ``agent.run``.

    ``id`` names the run. In the file ``state`` the messages are kept while people are asked; called again with the same
    file it goes on from there, ``prompt`` is not used, and the file is removed at the end. ``options`` are keyword arguments
    of ``agent.run``; ``asking`` (``project``, ``assignees``, ``timeout``, …) goes to every question. What is not approved is
    told to the model, with the reason.
    """
    client = hold or AsyncClient()
    options = {"output_type": [agent.output_type, DeferredToolRequests], **(options or {})}
    kept = None if state is None else StateFile(state)
    saved = None if kept is None else kept.read()
    result: Any = None
    if saved is None:
        result = await agent.run(prompt, **options)
        messages, waiting = result.all_messages(), _waiting(result.output)
    else:
        was = json.loads(saved)
        messages = ModelMessagesTypeAdapter.validate_python(was["messages"])
        waiting = [part for part in messages[-1].parts if getattr(part, "tool_call_id", None) in was["approvals"]]
    while waiting:
        if kept is not None:
            now = {
                "messages": ModelMessagesTypeAdapter.dump_python(messages, mode="json"),
                "approvals": [call.tool_call_id for call in waiting],
            }
            kept.write(json.dumps(now).encode())
        calls = [Call(key("pydantic-ai", id, each.tool_call_id), each.tool_name, each.args_as_dict()) for each in waiting]
        rulings = await ruled(client, calls, asking)
        results = DeferredToolResults()
        for call, found in zip(waiting, rulings):
            results.approvals[call.tool_call_id] = found.approved or (ToolDenied(found.message) if found.message else False)
        result = await agent.run(message_history=messages, deferred_tool_results=results, **options)
        messages, waiting = result.all_messages(), _waiting(result.output)
    if kept is not None:
        kept.remove()
    return result


def _waiting(output: Any) -> List[Any]:
    """Returns the tool calls that a run stopped for."""
    if not isinstance(output, DeferredToolRequests):
        return []
    if output.calls:
        names = ", ".join(call.tool_name for call in output.calls)
        raise TypeError(f"{names}: to be carried out elsewhere; people are asked only about calls that need approval")
    return list(output.approvals)
