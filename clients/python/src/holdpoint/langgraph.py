"""LangGraph: what a graph interrupts for is asked of a person, and the graph goes on with the answer.

``interrupt()`` may be given a text, a mapping with the keys of ``Client.ask``, or what LangChain's
``HumanInTheLoopMiddleware`` gives it. The decision's key is the thread's id and the interrupt's, so that a process that was
killed comes back to the same decision.
"""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, cast

from langgraph.types import Command

from . import AsyncClient, Client
from .approval import AnyClient, asked, key, ruling, waited
from .decision import Decision
from .question import Question
from .wire import Steps
from .withheld import Refused, outcome

__all__ = ["ainvoke", "invoke"]

_KEYS = {"prompt", *Question.__annotations__}
_EITHER = ("approve", "reject")


def invoke(graph: Any, input: Any, config: Mapping[str, Any], *, hold: Optional[Client] = None, **asking: Any) -> Any:
    """Runs a graph to its end, and asks whenever it is interrupted. Returns what ``graph.invoke`` does.

    Where the thread in ``config`` was left in the middle, it is gone on with, and ``input`` is not used. ``asking``
    (``project``, ``assignees``, ``timeout``, …) goes to every question. A question that nobody answers raises a
    ``Withheld``, and the graph stays interrupted; a tool call of LangChain's middleware is rejected then.
    """
    client = hold or Client()
    _thread(config)
    state = graph.get_state(config)
    result = None if state.interrupts else graph.invoke(None if state.next else input, config)
    while True:
        state = graph.get_state(config)
        if not state.interrupts:
            return state.values if result is None else result
        questions = [question for each in state.interrupts for question in _questions(each, config, asking)]
        # All of them are put to people before the first is waited for, and all are answered before a yes is used up.
        for question in questions:
            client._run(client._create(*question))
        for question in questions:
            client._run(waited(client, *question))
        answers = {each.id: client._run(_answer(client, each, config, asking)) for each in state.interrupts}
        result = graph.invoke(Command(resume=answers), config)


async def ainvoke(
    graph: Any, input: Any, config: Mapping[str, Any], *, hold: Optional[AsyncClient] = None, **asking: Any
) -> Any:
    """The same with ``graph.ainvoke``; interrupts of one moment are waited for at once."""
    client = hold or AsyncClient()
    _thread(config)
    state = await graph.aget_state(config)
    result = None if state.interrupts else await graph.ainvoke(None if state.next else input, config)
    while True:
        state = await graph.aget_state(config)
        if not state.interrupts:
            return state.values if result is None else result
        questions = [question for each in state.interrupts for question in _questions(each, config, asking)]
        await asyncio.gather(*(client._run(waited(client, *question)) for question in questions))
        found = await asyncio.gather(*(client._run(_answer(client, each, config, asking)) for each in state.interrupts))
        answers = {each.id: answer for each, answer in zip(state.interrupts, found)}
        result = await graph.ainvoke(Command(resume=answers), config)


def _answer(hold: AnyClient, interrupt: Any, config: Mapping[str, Any], asking: Mapping[str, Any]) -> Steps[Any]:
    """Asks what an interrupt is about, and returns what to resume it with."""
    calls = _calls(interrupt)
    if calls is None:
        ((prompt, key, question),) = _questions(interrupt, config, asking)
        decision = yield from hold._create(prompt, key, question)
        if decision.pending:
            hold._announce(decision)
            decision = yield from hold._held(decision, None, hold._log)
        return _given(decision)
    decisions: List[Dict[str, Any]] = []
    for (call, allowed), (prompt, key, question) in zip(calls, _questions(interrupt, config, asking)):
        decisions.append((yield from _reviewed(hold, call, allowed, prompt, key, question, asking)))
    return decisions[0] if interrupt.value.get("type") == "tool_approval" else {"decisions": decisions}


def _questions(
    interrupt: Any, config: Mapping[str, Any], asking: Mapping[str, Any]
) -> List[Tuple[Optional[str], str, Question]]:
    """Returns all that an interrupt asks: prompt, key and the rest of each question."""
    calls = _calls(interrupt)
    if calls is None:
        prompt, question = _question(interrupt.value)
        return [(prompt, _key(config, interrupt), cast(Question, {**asking, **question}))]
    found: List[Tuple[Optional[str], str, Question]] = []
    for number, (call, allowed) in enumerate(calls):
        about, made = call.get("description"), asked(call["name"], call["args"], asking)
        if "approve" not in allowed:
            # A tool that stands for the person: what they say is its result.
            about, made = about or str(call["args"]), cast(Question, {"title": f"Answer for {call['name']}", **asking})
        found.append((about, _key(config, interrupt, number), made))
    return found


def _reviewed(
    hold: AnyClient,
    call: Mapping[str, Any],
    allowed: Sequence[str],
    prompt: Optional[str],
    key: str,
    question: Question,
    asking: Mapping[str, Any],
) -> Steps[Dict[str, Any]]:
    """Asks about a tool call as LangChain's middleware wants it asked."""
    if "approve" not in allowed:
        decision = yield from hold._ask(prompt, None, None, (), None, key, question)
        return {"type": "respond", "message": str(decision.value)}
    found = yield from ruling(hold, key, call["name"], call["args"], prompt, asking)
    if found.approved:
        return {"type": "approve"}
    if "reject" not in allowed:
        raise Refused(found.decision, f"{call['name']} was not approved, and this graph takes no rejection")
    return {"type": "reject", **({"message": found.message} if found.message else {})}


def _calls(interrupt: Any) -> Optional[List[Tuple[Mapping[str, Any], Sequence[str]]]]:
    """Returns the tool calls that LangChain's middleware wants reviewed, with what may be decided on each."""
    value = interrupt.value
    if not isinstance(value, Mapping):
        return None
    if value.get("type") == "tool_approval":
        return [(value, _types(interrupt.response_schema) or _EITHER)]
    if "action_requests" not in value:
        return None
    configs = {each["action_name"]: each["allowed_decisions"] for each in value.get("review_configs", ())}
    return [(each, configs.get(each["name"], _EITHER)) for each in value["action_requests"]]


def _types(schema: Any) -> List[str]:
    """Returns the types of decision that a schema of an answer names."""
    if isinstance(schema, list):
        return [name for each in schema for name in _types(each)]
    if not isinstance(schema, Mapping):
        return []
    kind = (schema.get("properties") or {}).get("type")
    named = [kind["const"]] if isinstance(kind, Mapping) and "const" in kind else []
    return named + [name for each in schema.values() for name in _types(each)]


def _question(value: Any) -> Tuple[Optional[str], Dict[str, Any]]:
    if isinstance(value, str):
        return value, {}
    if isinstance(value, Mapping) and value and set(value) <= _KEYS:
        question = dict(value)
        return question.pop("prompt", None), question
    raise TypeError(
        f"interrupt() was given {value!r:.200}; give it a text, a mapping with keys of ask() such as prompt and options, "
        "or use HumanInTheLoopMiddleware"
    )


def _given(decision: Decision) -> Any:
    """Returns what a node gets: true or false for a confirmation, one value, or all of a form's by field."""
    answer = decision.answer
    if not decision.answered or answer is None or answer.out is not None or not answer.values:
        raise outcome(decision) or Refused(decision, f"{decision.id} was not answered")
    if len(decision.fields) != 1:
        return dict(decision.values)
    return decision.approved if decision.fields[0].kind == "confirm" else decision.value


def _key(config: Mapping[str, Any], interrupt: Any, number: int = 0) -> str:
    return key("langgraph", _thread(config), interrupt.id, str(number))


def _thread(config: Mapping[str, Any]) -> str:
    thread = (config.get("configurable") or {}).get("thread_id")
    if thread is None:
        raise ValueError('config needs {"configurable": {"thread_id": …}}: it names the run, also after a restart')
    return str(thread)
