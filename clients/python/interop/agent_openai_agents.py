"""An agent that is killed while it waits for the approval of a tool call."""

import asyncio
import sys
from typing import Any

from agents import Agent, Model, ModelResponse, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from holdpoint.openai_agents import run

set_tracing_disabled(True)


@function_tool(needs_approval=True)
def deploy(target: str) -> str:
    """Deploys."""
    print("deployed", target, flush=True)
    return "done"


class Stub(Model):
    """Calls the tool once, then says what came of it."""

    async def get_response(self, *, input: Any, **_: Any) -> ModelResponse:
        outputs = [each for each in input if isinstance(each, dict) and each.get("type") == "function_call_output"]
        if outputs:
            text = ResponseOutputText(text=f"It says: {outputs[-1]['output']}", type="output_text", annotations=[])
            said: Any = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        else:
            said = ResponseFunctionToolCall(
                name="deploy", arguments='{"target": "production"}', call_id="call-1", type="function_call"
            )
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


agent = Agent(name="ops", model=Stub(), tools=[deploy])
print(asyncio.run(run(agent, "Deploy!", id="run-7", state=sys.argv[2])).final_output, flush=True)
