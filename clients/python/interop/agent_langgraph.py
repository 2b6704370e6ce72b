"""An agent that is killed while it waits: a graph that asks twice, and a tool call that needs approval."""

import sqlite3
import sys
from typing import Any, Dict, List

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from holdpoint.langgraph import invoke


def twice(state: Dict[str, Any]) -> Dict[str, Any]:
    first = interrupt({"prompt": "Which cache?", "options": ["redis", "memory"]})
    second = interrupt("What is it called?")
    sure = interrupt({"prompt": "Sure?", "kind": "confirm"})
    return {"said": [first, second, sure]}


def graph(saver: Any) -> Any:
    made = StateGraph(dict)
    made.add_node("twice", twice)
    made.add_edge(START, "twice")
    made.add_edge("twice", END)
    return made.compile(checkpointer=saver)


@tool
def deploy(target: str) -> str:
    """Deploys."""
    print("deployed", target, flush=True)
    return "done"


class Stub(BaseChatModel):
    """Calls the tool once, then says what came of it."""

    @property
    def _llm_type(self) -> str:
        return "stub"

    def bind_tools(self, *_: Any, **__: Any) -> "Stub":
        return self

    def _generate(self, messages: List[Any], *_: Any, **__: Any) -> ChatResult:
        last = messages[-1]
        if isinstance(last, ToolMessage):
            said = AIMessage(f"It says: {last.content}")
        else:
            call = {"name": "deploy", "args": {"target": "production"}, "id": "call-1"}
            said = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=said)])


def agent(saver: Any) -> Any:
    review = HumanInTheLoopMiddleware(interrupt_on={"deploy": True})
    return create_agent(Stub(), tools=[deploy], middleware=[review], checkpointer=saver)


what, path = sys.argv[1:]
saver = SqliteSaver(sqlite3.connect(path, check_same_thread=False))
config: Any = {"configurable": {"thread_id": f"thread {what} ü"}}
if what == "graph":
    print(invoke(graph(saver), {"said": []}, config)["said"], flush=True)
else:
    print(invoke(agent(saver), {"messages": [("user", "Deploy!")]}, config)["messages"][-1].content, flush=True)
