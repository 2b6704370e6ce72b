"""An agent that is killed while it waits for the approval of a tool call."""

import asyncio
import sys
from typing import Any, List

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from holdpoint.pydantic_ai import run


def stub(messages: List[Any], _info: Any) -> ModelResponse:
    """Calls the tool once, then says what came of it."""
    returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if returned:
        return ModelResponse(parts=[TextPart(f"It says: {returned[-1].content}")])
    return ModelResponse(parts=[ToolCallPart("deploy", {"target": "production"}, tool_call_id="call-1")])


agent = Agent(FunctionModel(stub))


@agent.tool_plain(requires_approval=True)
def deploy(target: str) -> str:
    """Deploys."""
    print("deployed", target, flush=True)
    return "done"


print(asyncio.run(run(agent, "Deploy!", id="run-7", state=sys.argv[2])).output, flush=True)
