"""Every verb, once, against the real server."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any, Dict, List, Union

from holdpoint import Decision, Field, Option, Problem

from .server import Served, Task


class Surface(Served):
    def test_create_and_get(self) -> None:
        made = self.client.create(
            "Which cache?",
            title="Cache",
            options=[("redis", "Use Redis"), Option("memory", "In-memory LRU", recommended=True), "none"],
            outs=[{"id": "later", "label": "Not now"}],
            owner="item:bd-abc123",
            requested_by="agent-7",
            assignees=["ana"],
            priority="high",
            timeout=timedelta(hours=1),
            default="redis",
            max_iterations=5,
        )
        self.assertEqual((made.status, made.source, made.project), ("pending", "question", "default"))
        self.assertEqual([option.id for option in made.fields[0].options], ["redis", "memory", "none"])
        self.assertTrue(made.fields[0].options[1].recommended)
        self.assertEqual((made.fields[0].id, made.fields[0].label), ("choice", "Which cache?"))
        self.assertEqual((made.owner, made.requested_by, made.assignees), ("item:bd-abc123", "agent-7", ("ana",)))
        self.assertEqual((made.on_timeout, made.default, made.max_iterations), ("default", {"choice": "redis"}, 5))
        assert made.deadline is not None
        self.assertEqual(made.deadline - made.created_at, timedelta(hours=1))
        self.assertEqual(self.client.get(made.id), made)
        self.assertEqual(self.client.get(made.id[4:]).id, made.id)
        self.assertEqual(self.client.link(made), f"{self.server.url}/d/{made.id}")

    def test_metadata_comes_back_and_a_callback_must_be_listed(self) -> None:
        made = self.client.create("Deploy?", kind="confirm", metadata={"run": "4711"})
        self.assertEqual((made.metadata, self.client.get(made.id).metadata), ({"run": "4711"}, {"run": "4711"}))
        with self.assertRaises(Problem) as caught:
            self.client.create("Deploy?", kind="confirm", callback={"url": "https://example.org/x", "body": "data"})
        self.assertEqual(caught.exception.status, 422)
        self.assertIn("[[callback]]", str(caught.exception))

    def test_what_is_asked_without_fields(self) -> None:
        self.assertEqual(self.client.create("Your name?").fields[0].kind, "text")
        confirm = self.client.create("Deploy?", kind="confirm").fields[0]
        self.assertEqual([(option.id, option.refuses) for option in confirm.options], [("yes", False), ("no", True)])
        approval = self.client.create("Run it?", subject={"tool": "sh"})
        self.assertEqual((approval.source, approval.fields[0].kind), ("approval", "confirm"))

    def test_forms(self) -> None:
        fields: List[Union[Field, Dict[str, Any]]] = [
            Field("name", "text", "Name", max=20),
            Field("news", "boolean", default=False, required=False),
            {"id": "size", "kind": "choice", "options": [{"id": "s"}, {"id": "m"}], "custom": True},
        ]
        made = self.client.create(title="Order", fields=fields, deadline=datetime(2090, 1, 1, tzinfo=timezone.utc))
        self.assertEqual((made.fields[1].default, made.fields[1].required), (False, False))
        assert made.deadline is not None
        self.assertEqual(made.deadline.year, 2090)
        self.assertEqual(self.client.draft(made, {"name": "Ana"}).draft, {"name": "Ana"})
        done = self.client.answer(made, values={"name": "Ana", "size": {"text": "XXL"}}, by="ana")
        self.assertEqual(done.values, {"name": "Ana", "size": {"text": "XXL"}})
        assert done.answer is not None
        self.assertEqual((done.answer.by, done.answer.via, done.answer.auth), ("ana", "http", "claimed"))

    def test_list_goes_through_all_pages(self) -> None:
        made = [self.client.create(f"{number}?", project="paged").id for number in range(7)]
        listed = [decision.id for decision in self.client.list(project="paged", page=3)]
        self.assertEqual(listed, made)
        newest = [decision.id for decision in self.client.list(project="paged", page=3, newest_first=True)]
        self.assertEqual(newest, made[::-1])
        self.client.cancel(made[0])
        self.assertEqual(len([*self.client.list(project="paged")]), 6)
        self.assertEqual([d.id for d in self.client.list(project="paged", status=["cancelled", "answered"])], made[:1])
        self.assertEqual(len([*self.client.list(project="paged", status="all")]), 7)

    def test_list_filters(self) -> None:
        made = self.client.create("Mine?", project="few", owner="job:build", requested_by="agent-1", assignees=["ana"])
        self.client.create("Other?", project="few")
        for query in ({"owner": "job:build"}, {"requested_by": "agent-1"}):
            found = [decision.id for decision in self.client.list(project="few", **query)]  # type: ignore[arg-type]
            self.assertEqual(found, [made.id], query)
        self.assertEqual([*self.client.list(project="few", source="plan")], [])

    def test_wait_is_woken(self) -> None:
        made = self.client.create("Go on?", kind="confirm")
        waiter = Task(lambda: self.client.wait(made))
        self.server.until_parked()
        self.client.answer(made, "yes", message="fine")
        settled: Decision = waiter.result()
        self.assertTrue(settled.approved)
        self.assertEqual((settled.chosen, settled.value, settled.message), (("yes",), "yes", "fine"))

    def test_wait_ends_with_its_time(self) -> None:
        made = self.client.create("Anyone?")
        self.assertTrue(self.client.wait(made, timeout="100ms").pending)
        self.assertTrue(self.client.wait(made.id, timeout=0).pending)

    def test_revise(self) -> None:
        made = self.client.create("Old?", options=["a", "b"])
        revised = self.client.revise(made, prompt="New?", fields=[Field("choice", "choice", "Pick", options=(Option("c"),))])
        self.assertEqual((revised.id, revised.prompt), (made.id, "New?"))
        self.assertNotEqual(revised.digest, made.digest)
        with self.assertRaises(Problem) as refused:
            self.client.answer(made, "c")
        self.assertEqual((refused.exception.code, refused.exception.status), ("stale", 409))
        self.assertTrue(self.client.answer(revised, "c").answered)

    def test_choices_and_outs(self) -> None:
        made = self.client.create("Which?", kind="choices", options=["a", "b", "c"], outs=["none of these"])
        self.assertEqual(self.client.answer(made, choices=("a", "c")).chosen, ("a", "c"))
        made = self.client.create("Which?", options=["a"], outs=["none of these"])
        out = self.client.answer(made, out="none of these")
        self.assertEqual((out.chosen, out.refused, out.approved), (("none of these",), True, False))

    def test_cancel(self) -> None:
        made = self.client.create("Still?")
        self.assertEqual(self.client.cancel(made, "not needed").reason, "not needed")
        self.assertEqual(self.client.cancel(made, "not needed").status, "cancelled")

    def test_consume_once_and_only_this(self) -> None:
        subject = {"command": "rm", "arguments": ["-r", "/data"], "n": 1.5}
        made = self.client.create("Run it?", subject=subject)
        for problem in ("pending", "another"):
            with self.assertRaises(Problem) as refused:
                self.client.consume(made, {"command": "ls"} if problem == "another" else subject)
            self.assertEqual(refused.exception.code, "not_consumable", problem)
            if problem == "pending":
                self.client.answer(made, "yes")
        self.assertIsNotNone(self.client.consume(made, subject).consumed_at)
        with self.assertRaises(Problem) as refused:
            self.client.consume(made, subject)
        self.assertEqual(refused.exception.code, "not_consumable")

    def test_an_answer_about_a_subject_says_what_was_seen(self) -> None:
        made = self.client.create("Run it?", subject={"command": "ls"})
        self.assertIsNone(made.asked_by)
        with self.assertRaises(Problem) as refused:
            self.client.answer(made.id, "yes")
        self.assertEqual((refused.exception.code, refused.exception.status), ("digest_required", 428))
        revised = self.client.revise(made, subject={"command": "rm"})
        with self.assertRaises(Problem) as refused:
            self.client.answer(made, "yes")
        self.assertEqual(refused.exception.code, "stale")
        self.assertTrue(self.client.answer(revised, "yes").approved)

    def test_consume_can_demand_more(self) -> None:
        made = self.client.create("Run it?", subject="x")
        self.client.answer(made, "yes")
        with self.assertRaises(Problem) as refused:
            self.client.consume(made, "x", min_auth="token")
        self.assertEqual(refused.exception.code, "not_consumable")

    def test_several_are_answered_each_by_itself(self) -> None:
        first, second, third = (self.client.create("Run it?", subject=command) for command in ("ls", "rm", "df"))
        self.client.revise(second, subject="rm -rf")
        done = self.client.answer_many([(first, "yes"), (second, "yes"), (third, {"choice": "no", "message": "why?"})])
        self.assertEqual([one.status for one in done], ["answered", None, "answered"])
        self.assertEqual((done[1].id, done[1].code), (second.id, "stale"))
        self.assertEqual(self.client.get(third).message, "why?")

    def test_text_survives_as_it_is(self) -> None:
        words = "Größe? 🙂 \u2028 \"quoted\" \\ <b>&amp;"
        self.assertEqual(self.client.create(words).prompt, words)
