"""What ask comes to: nothing but an answer returns."""

from __future__ import annotations

import io
import unittest
import uuid
from contextlib import redirect_stderr
from typing import Any, Callable, Dict, List, Type

import holdpoint
from holdpoint import Client, Decision, Option, Problem

from .server import Served, Server, Task, until


class Outcomes(Served):
    def asked(self, then: Callable[[Decision], Any], prompt: str = "Deploy?", **question: Any) -> Decision:
        """Asks beside the test, does something with what was asked, and returns the outcome."""
        key = uuid.uuid4().hex
        waiter = Task(lambda: self.client.ask(prompt, key=key, **question))
        asking = {name: value for name, value in question.items() if name not in ("expect", "wait", "on_guidance")}
        made = self.client.create(prompt, key=key, **asking)
        then(made)
        result: Decision = waiter.result()
        return result

    def withheld(self, outcome: Type[holdpoint.Withheld], then: Callable[[Decision], Any], **question: Any) -> Any:
        with self.assertRaises(holdpoint.Withheld) as caught:
            self.asked(then, **question)
        self.assertIs(type(caught.exception), outcome)
        return caught.exception

    def test_a_yes_returns(self) -> None:
        decision = self.asked(lambda made: self.client.answer(made, "yes"), kind="confirm")
        self.assertTrue(decision.approved and decision.answered and not decision.refused)

    def test_a_no_is_refused(self) -> None:
        no = self.withheld(holdpoint.Refused, lambda made: self.client.answer(made, "no", message="not\x1b[2J today"), kind="confirm")
        self.assertTrue(str(no).endswith(": not [2J today"), str(no))
        self.assertTrue(no.decision.refused and not no.decision.approved)

    def test_an_option_marked_as_a_no_is_refused(self) -> None:
        options = [Option("go"), Option("stay", refuses=True)]
        self.withheld(holdpoint.Refused, lambda made: self.client.answer(made, "stay"), options=options)
        several = {"kind": "choices", "options": options}
        self.withheld(holdpoint.Refused, lambda made: self.client.answer(made, choices=["go", "stay"]), **several)

    def test_an_out_is_refused(self) -> None:
        self.withheld(holdpoint.Refused, lambda made: self.client.answer(made, out="skip"), options=["a"], outs=["skip"])

    def test_another_than_expected_is_refused(self) -> None:
        asked: Dict[str, Any] = {"options": ["now", "tonight"], "expect": ["now"]}
        self.withheld(holdpoint.Refused, lambda made: self.client.answer(made, "tonight"), **asked)
        decision = self.asked(lambda made: self.client.answer(made, "now"), **asked)
        self.assertEqual(decision.chosen, ("now",))

    def test_words_are_an_answer_but_no_approval(self) -> None:
        decision = self.asked(lambda made: self.client.answer(made, values={"text": "by all means"}))
        self.assertEqual(decision.value, "by all means")
        self.assertFalse(decision.approved)

    def test_silence_is_not_consent(self) -> None:
        late = self.withheld(holdpoint.TimedOut, lambda _: None, kind="confirm", timeout="50ms")
        self.assertEqual((late.default, late.decision.chosen, late.decision.answered), ({}, (), False))

    def test_silence_with_a_default_is_not_consent(self) -> None:
        asked = {"options": ["a", "b"], "default": "a", "timeout": "50ms"}
        late = self.withheld(holdpoint.TimedOut, lambda _: None, **asked)
        self.assertEqual(late.default, {"choice": "a"})
        decision = late.decision
        self.assertEqual((decision.approved, decision.answered, decision.answer.by), (False, False, "system:timeout"))

    def test_silence_that_denies_is_silence(self) -> None:
        asked = {"kind": "confirm", "on_timeout": "deny", "timeout": "50ms"}
        late = self.withheld(holdpoint.TimedOut, lambda _: None, **asked)
        self.assertEqual(late.decision.chosen, ("no",))

    def test_cancelled(self) -> None:
        gone = self.withheld(holdpoint.Cancelled, lambda made: self.client.cancel(made, "moot"), kind="confirm")
        self.assertIn("moot", str(gone))

    def test_superseded(self) -> None:
        owner: Any = {"owner": "job:build", "requested_by": "agent-1"}
        gone = self.withheld(holdpoint.Superseded, lambda _: self.client.create("Newer?", **owner), **owner)
        self.assertIsNotNone(gone.decision.superseded_by)

    def test_guidance_is_not_an_answer(self) -> None:
        refined = self.withheld(holdpoint.Refined, lambda made: self.client.guide(made, "think of memory"), options=["a"])
        self.assertEqual(refined.guidance, "think of memory")
        self.assertEqual(self.client.get(refined.next).prior, refined.decision.id)

    def test_still_pending(self) -> None:
        pending = self.withheld(holdpoint.StillPending, lambda _: None, kind="confirm", wait="100ms")
        self.assertTrue(self.client.get(pending.decision).pending)

    def test_a_decision_is_neither_true_nor_false(self) -> None:
        made = self.client.create("Deploy?", kind="confirm")
        with self.assertRaises(TypeError):
            bool(made)
        with self.assertRaises(holdpoint.StillPending):
            made.require()

    def test_expecting(self) -> None:
        decision = self.client.answer(self.client.create("When?", options=["now", "tonight"]), "now")
        self.assertIs(decision.require(), decision)
        self.assertIs(decision.require("now", "never"), decision)
        with self.assertRaises(holdpoint.Refused):
            decision.require("tonight")

    def test_ask_says_what_it_waits_for(self) -> None:
        said: List[str] = []
        client = self.server.client(log=said.append)
        waiter = Task(lambda: client.ask("Deploy?", kind="confirm", timeout="1h", project="said"))
        until(lambda: bool(said))
        (made,) = self.client.list(project="said")
        for part in (made.id, client.link(made), str(made.raw["deadline"]), "expire", "Ctrl-C", f"hold cancel {made.id}"):
            self.assertIn(part, said[0])
        self.client.answer(made, "yes")
        waiter.result()

    def test_it_says_so_on_standard_error(self) -> None:
        said = io.StringIO()
        with redirect_stderr(said), self.assertRaises(holdpoint.StillPending):
            Client(self.server.url).ask("Deploy?", wait=0)
        self.assertIn("Holding on dcn-", said.getvalue())

    def test_ask_again_under_the_same_key(self) -> None:
        first = self.client.create("Deploy?", kind="confirm", key="deploy-42")
        self.client.answer(first, "yes")
        again = self.client.ask("Deploy?", kind="confirm", key="deploy-42")
        self.assertEqual((again.id, again.approved), (first.id, True))
        with self.assertRaises(Problem) as refused:
            self.client.ask("Destroy?", kind="confirm", key="deploy-42")
        self.assertEqual((refused.exception.code, refused.exception.status), ("key_reused", 409))


class Guidance(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server.asking_nobody()
        self.client = self.server.client()
        self.addCleanup(self.server.close)

    def test_rounds_are_followed_and_revised(self) -> None:
        heard: List[str] = []

        def revise(following: Decision) -> holdpoint.Revision:
            heard.append(following.guidance or "")
            return {"prompt": f"Round {following.iteration}?"}

        waiter = Task(lambda: self.client.ask("Which cache?", options=["redis", "memory"], on_guidance=revise))
        for number, guidance in ((1, "think of memory"), (2, "and of cost")):
            self.server.until_parked()
            until(lambda: any(d.iteration == number for d in self.client.list()))
            (pending,) = self.client.list()
            self.assertEqual(self.client.guide(pending.id, guidance).status, "refined")
            until(lambda: any(d.prompt == f"Round {number + 1}?" for d in self.client.list()))
        (last,) = self.client.list()
        self.assertEqual((last.iteration, last.max_iterations, last.fields[0].options[-1].id), (3, 3, "_accept"))
        with self.assertRaises(Problem) as refused:
            self.client.guide(last, "once more")
        self.assertEqual(refused.exception.code, "last_round")
        self.client.answer(last, "memory")
        settled: Decision = waiter.result()
        self.assertEqual((settled.chosen, heard), (("memory",), ["think of memory", "and of cost"]))

    def test_guidance_on_a_plan_is_its_revise_option(self) -> None:
        made = self.client.create("The plan", source="plan", subject="1. …", options=["accept", Option("revise")])
        guided = self.client.guide(made, "smaller steps")
        self.assertEqual((guided.status, guided.chosen, guided.message, guided.next), ("answered", ("revise",), "smaller steps", None))
        with self.assertRaises(holdpoint.Refused):
            guided.require()
