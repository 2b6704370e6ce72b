"""What the module for LangGraph makes of interrupts, in this process."""

from __future__ import annotations

import asyncio
import uuid
from queue import Queue
from typing import Any, Dict, List, TypedDict

from holdpoint import AsyncClient, TimedOut
from holdpoint.langgraph import ainvoke, invoke
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from tests.server import PATIENCE, Served, Task, until


class State(TypedDict, total=False):
    first: Any
    second: Any


def asking(first: Any, second: Any = None) -> Any:
    """A graph that asks one thing, or two at once."""
    graph = StateGraph(State)
    for name, value in (("first", first), ("second", second)):
        if value is not None:
            graph.add_node(f"ask_{name}", lambda _, name=name, value=value: {name: interrupt(value)})
            graph.add_edge(START, f"ask_{name}")
    return graph.compile(checkpointer=InMemorySaver())


class Calls(BaseChatModel):
    """Calls tools at once, then says what came of it."""

    names: List[str] = ["erase", "ask_user"]

    @property
    def _llm_type(self) -> str:
        return "stub"

    def bind_tools(self, *_: Any, **__: Any) -> "Calls":
        return self

    def _generate(self, messages: List[Any], *_: Any, **__: Any) -> ChatResult:
        said = [message.content for message in messages if isinstance(message, ToolMessage)]
        calls = [{"name": name, "args": {"what": str(at)}, "id": f"call-{at}"} for at, name in enumerate(self.names)]
        message = AIMessage(" | ".join(said)) if said else AIMessage("", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


@tool
def erase(what: str) -> str:
    """Erases."""
    return f"erased {what}"


@tool
def ask_user(what: str) -> str:
    """Asks."""
    raise AssertionError("the person stands for it")


class Interrupts(Served):
    def setUp(self) -> None:
        self.thread: Dict[str, Any] = {"configurable": {"thread_id": uuid.uuid4().hex}}
        self.project = uuid.uuid4().hex

    def answer(self, count: int, **values: Any) -> None:
        """Answers what is asked, by prompt or title, once so much is."""
        until(lambda: len([*self.client.list(project=self.project)]) == count)
        for made in self.client.list(project=self.project):
            self.client.answer(made, values={made.fields[0].id: values[(made.prompt or made.title or "").split()[0]]})

    def test_two_at_once(self) -> None:
        graph = asking({"prompt": "Cache?", "options": ["redis", "memory"]}, {"prompt": "Sure?", "kind": "confirm"})
        client = AsyncClient(self.server.url, log=lambda _: None)
        for run in (
            lambda: asyncio.run(ainvoke(graph, {}, self.thread, hold=client, project=self.project)),
            lambda: invoke(graph, {}, self.thread, hold=self.client, project=self.project),
        ):
            self.setUp()
            waiter = Task(run)
            self.answer(2, **{"Cache?": "memory", "Sure?": "no"})
            self.assertEqual(waiter.result(), {"first": "memory", "second": False})

    def test_silence_leaves_the_graph_interrupted(self) -> None:
        graph = asking("Anyone?")
        for _ in range(2):
            with self.assertRaises(TimedOut):
                invoke(graph, {}, self.thread, hold=self.client, timeout="50ms")
        self.assertEqual(len(graph.get_state(self.thread).interrupts), 1)

    def test_what_cannot_be_asked(self) -> None:
        with self.assertRaisesRegex(TypeError, "give it a text"):
            invoke(asking({"colour": "red"}), {}, self.thread, hold=self.client)
        with self.assertRaisesRegex(ValueError, "thread_id"):
            invoke(asking("?"), {}, {"configurable": {"thread": 1}}, hold=self.client)

    def test_reviews_of_langchain_in_both_modes(self) -> None:
        for mode in ("batched", "per_call"):
            self.setUp()
            allowed: Any = {"erase": True, "ask_user": {"allowed_decisions": ["respond"]}}
            review = HumanInTheLoopMiddleware(interrupt_on=allowed, interrupt_mode=mode)
            agent = create_agent(Calls(), tools=[erase, ask_user], middleware=[review], checkpointer=InMemorySaver())
            asked = {"messages": [("user", "Go!")]}
            client = AsyncClient(self.server.url, log=lambda _: None)
            waiter = Task(
                lambda: invoke(agent, asked, self.thread, hold=self.client, project=self.project)
                if mode == "batched"
                else asyncio.run(ainvoke(agent, asked, self.thread, hold=client, project=self.project))
            )
            until(lambda: len([*self.client.list(project=self.project)]) == 2)
            for made in self.client.list(project=self.project):
                answer = {"Call erase?": "yes", "Answer for ask_user": "blue"}[made.title or ""]
                self.client.answer(made, values={made.fields[0].id: answer})
            said = waiter.result()["messages"][-1].content
            self.assertEqual(sorted(said.split(" | ")), ["blue", "erased 0"], mode)

    def test_no_yes_is_used_up_while_another_call_of_the_turn_waits(self) -> None:
        for mode in ("batched", "per_call"):
            self.setUp()
            review = HumanInTheLoopMiddleware(interrupt_on={"erase": True}, interrupt_mode=mode)
            model = Calls(names=["erase", "erase"])
            agent = create_agent(model, tools=[erase], middleware=[review], checkpointer=InMemorySaver())
            held: "Queue[str]" = Queue()
            client = self.server.client(log=held.put)
            waiter = Task(lambda: invoke(agent, {"messages": [("user", "Go!")]}, self.thread, hold=client, project=self.project))
            decisions = []
            for _ in range(2):
                # It holds on one after the other: who holds on the second is done with the first.
                decisions.append(self.client.get(held.get(timeout=PATIENCE).split()[2]))
                self.assertEqual([self.client.get(made).consumed_at for made in decisions], [None] * len(decisions), mode)
                self.client.answer(decisions[-1], "yes")
            said = waiter.result()["messages"][-1].content
            self.assertEqual(sorted(said.split(" | ")), ["erased 0", "erased 1"], mode)
            self.assertTrue(all(self.client.get(made).consumed_at for made in decisions), mode)
            self.assertEqual(len([*self.client.list(project=self.project, status="all")]), 2, mode)
