"""What bad input and bad luck get."""

from __future__ import annotations

import socket
import time
import unittest
from typing import Any, Callable, List

import holdpoint
from holdpoint import Client, Problem, Unreachable

from .flaky import Flaky
from .server import Served, Server


class Problems(Served):
    def test_not_found(self) -> None:
        asks: List[Callable[[], Any]] = [
            lambda: self.client.get("dcn-000000000000"),
            lambda: self.client.answer("zzz", "yes"),
        ]
        for ask in asks:
            with self.assertRaises(Problem) as caught:
                ask()
            self.assertEqual((caught.exception.status, caught.exception.code), (404, "not_found"))

    def test_invalid_names_every_fault(self) -> None:
        with self.assertRaises(Problem) as caught:
            self.client.create("?", fields=[{"id": "a", "kind": "choice"}, {"id": "b", "kind": "text", "min": "x"}])
        problem = caught.exception
        self.assertEqual((problem.status, problem.code), (422, "invalid"))
        self.assertEqual([fault.field for fault in problem.errors], ["a", "b"])
        self.assertIn("at least one option", problem.errors[0].message)

    def test_unknown_keys_are_refused(self) -> None:
        with self.assertRaises(Problem) as caught:
            self.client.create("?", colour="red")  # type: ignore[call-arg]
        self.assertEqual(caught.exception.errors[0].field, "colour")

    def test_settled_shows_the_outcome(self) -> None:
        made = self.client.create("Deploy?", kind="confirm")
        first = self.client.answer(made, "yes", by="ana")
        self.assertEqual(self.client.answer(made, "yes", by="bob"), first)
        with self.assertRaises(Problem) as caught:
            self.client.answer(made, "no")
        problem = caught.exception
        self.assertEqual((problem.status, problem.code), (409, "already_settled"))
        self.assertEqual(problem.decision, first)
        self.assertIn("hold show", problem.hint or "")
        self.assertIn("hint: ", str(problem))

    def test_an_ambiguous_start_lists_what_it_could_mean(self) -> None:
        ids = {self.client.create("?").id for _ in range(40)}
        start = next(c for c in "0123456789abcdefghijklmnopqrstuvwxyz" if sum(id[4] == c for id in ids) > 1)
        with self.assertRaises(Problem) as caught:
            self.client.get(start)
        self.assertEqual(caught.exception.code, "ambiguous")
        self.assertGreater(len(caught.exception.candidates), 1)

    def test_ids_cannot_leave_their_place(self) -> None:
        for id in ("../projects", "a/b", "a?x=1", "a#b", "%2e%2e"):
            with self.assertRaises(Problem) as caught:
                self.client.get(id)
            self.assertEqual(caught.exception.code, "not_found", id)
        for id in ("", ".", ".."):
            with self.assertRaises(ValueError):
                self.client.get(id)

    def test_too_large(self) -> None:
        with self.assertRaises(Problem) as caught:
            self.client.create("x" * (16 << 20))
        self.assertEqual((caught.exception.status, caught.exception.code), (413, "too_large"))

    def test_mistakes_of_the_caller(self) -> None:
        mistakes: List[Callable[[], Any]] = [
            lambda: self.client.create("?", kind="confirm", fields=[]),
            lambda: self.client.create("?", timeout=-1),
            lambda: self.client.create("?", key="ключ"),
            lambda: self.client.create("?", subject=float("nan")),
            lambda: self.client.wait("dcn-1", timeout="soon"),
        ]
        for wrong in mistakes:
            with self.assertRaises(ValueError):
                wrong()

    def test_nobody_there(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            client = Client(f"http://127.0.0.1:{taken.getsockname()[1]}", patience=0.2)
            for ask in (lambda: client.get("x"), lambda: client.wait("x", 0.2), lambda: next(client.events())):
                with self.assertRaises(Unreachable):
                    ask()

    def test_a_server_that_says_nothing_is_not_waited_for_longer_than_asked(self) -> None:
        with socket.socket() as mute:
            mute.bind(("127.0.0.1", 0))
            mute.listen()
            client = Client(f"http://127.0.0.1:{mute.getsockname()[1]}")
            began = time.monotonic()
            with self.assertRaises(Unreachable):
                client.wait("x", timeout=0.1)
            self.assertLess(time.monotonic() - began, 10)


class LostReplies(unittest.TestCase):
    """A reply that gets lost does not lead to two of anything."""

    def setUp(self) -> None:
        self.server = Server.asking_nobody()
        self.wire = Flaky(self.server.url)
        self.addCleanup(self.server.close)
        self.addCleanup(self.wire.close)
        self.client = Client(self.wire.url, token="secret", log=lambda _: None)

    def test_create(self) -> None:
        self.wire.lose = 2
        made = self.client.create("Deploy?")
        self.assertEqual([d.id for d in self.server.client().list(status="all")], [made.id])
        self.assertEqual(len({headers["idempotency-key"] for _, _, headers in self.wire.seen}), 1)
        self.assertEqual(len(self.wire.seen), 3)

    def test_answer_guide_cancel_and_revise(self) -> None:
        made = self.client.create("Deploy?", options=["a", "b"])
        self.wire.lose = 1
        self.assertEqual(self.client.revise(made, title="T").title, "T")
        self.wire.lose = 1
        refined = self.client.guide(made.id, " think again ")
        self.assertEqual(refined.status, "refined")
        self.wire.lose = 1
        self.assertEqual(self.client.answer(refined.next or "", "a").chosen, ("a",))
        other = self.client.create("Other?")
        self.wire.lose = 1
        self.assertEqual(self.client.cancel(other).status, "cancelled")

    def test_consume_is_used_once(self) -> None:
        for trouble in ("drop", "lose"):
            made = self.client.create("Run it?", subject="x")
            self.client.answer(made, "yes")
            setattr(self.wire, trouble, 1)
            self.assertIsNotNone(self.client.consume(made, "x").consumed_at, trouble)
            with self.assertRaises(Problem) as refused:
                self.client.consume(made, "x")
            self.assertEqual(refused.exception.code, "not_consumable", trouble)

    def test_consume_is_repeated_under_its_key(self) -> None:
        made = self.client.create("Run it?", subject="x")
        self.client.answer(made, "yes")
        first = self.client.consume(made, "x", key="k")
        self.assertEqual(self.client.consume(made, "x", key="k").consumed_at, first.consumed_at)
        with self.assertRaises(Problem) as refused:
            self.client.consume(made, "y", key="k")
        self.assertEqual(refused.exception.code, "key_reused")

    def test_wait(self) -> None:
        made = self.client.create("Run it?", kind="confirm")
        self.server.client().answer(made, "yes")
        self.wire.lose = 2
        self.assertTrue(self.client.wait(made, timeout=20).approved)

    def test_a_busy_server_is_asked_again(self) -> None:
        busy = b'{"type":"x","title":"x","status":503,"code":"too_many","detail":"too many requests"}'
        self.wire.replies = [(503, {"Retry-After": "0"}, busy), (502, {}, b"<html>"), (429, {}, busy)]
        self.assertTrue(self.client.create("?").pending)
        self.assertEqual(self.wire.replies, [])

    def test_what_is_no_server_is_called_so(self) -> None:
        self.wire.replies = [(200, {}, b"<html>"), (404, {}, b"<html>")]
        for _ in range(2):
            with self.assertRaisesRegex(Unreachable, "not a Holdpoint server"):
                self.client.get("x")

    def test_redirects_are_not_followed(self) -> None:
        elsewhere = Flaky()
        self.addCleanup(elsewhere.close)
        self.wire.replies = [(307, {"Location": elsewhere.url + "/v1/decisions/x"}, b"")]
        with self.assertRaises(Unreachable):
            self.client.get("x")
        self.assertEqual(elsewhere.seen, [])

    def test_the_token_is_sent_and_not_shown(self) -> None:
        self.client.create("?")
        self.assertEqual(self.wire.seen[0][2]["authorization"], "Bearer secret")
        self.assertNotIn("secret", repr(self.client))
        self.assertIsInstance(holdpoint.Client(self.wire.url).url, str)
