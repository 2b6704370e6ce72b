"""A server that asks who calls: what a client may do, and that it survives a restart there too."""

from __future__ import annotations

import os
import threading
import unittest
import unittest.mock
from datetime import datetime, timedelta, timezone

from holdpoint import Client, Decision, Problem, View

from .server import PATIENCE, Server, Task


class Identity(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def holding(self, name: str, role: str) -> Client:
        """A client with a token of its own."""
        return self.server.client(token=self.server.token(name, role)["secret"])

    def refused(self, problem: "unittest.case._AssertRaisesContext[Problem]", status: int) -> None:
        self.assertEqual(problem.exception.status, status, problem.exception)

    def test_nobody_comes_in_without_a_token(self) -> None:
        for token in ("", "nonsense"):
            with self.assertRaises(Problem) as caught:
                self.server.client(token=token).create("?")
            self.refused(caught, 401)
            self.assertEqual(caught.exception.code, "unauthorized")

    def test_a_person_takes_and_snoozes(self) -> None:
        ana, agent = self.holding("ana-who-takes", "person"), self.holding("agent-that-asks", "agent")
        made = agent.create("Deploy?", kind="confirm")
        self.assertIsNone(made.taken)
        taken = ana.take(made).taken
        self.assertEqual(taken and taken["by"], "ana-who-takes")
        self.assertIsNone(ana.release(made).taken)
        for until in ("2h", timedelta(hours=2), datetime.now(timezone.utc) + timedelta(hours=2)):
            back = ana.snooze(made, until).snoozed["ana-who-takes"]
            self.assertAlmostEqual((back - datetime.now(timezone.utc)).total_seconds(), 7200, delta=300)
        self.assertEqual(ana.wake(made).snoozed, {})
        with self.assertRaises(ValueError):
            ana.snooze(made, datetime(2030, 1, 1))
        with self.assertRaises(Problem) as caught:
            agent.take(made)
        self.refused(caught, 403)

    def test_a_person_saves_views(self) -> None:
        ana, agent = self.holding("ana-who-saves", "person"), self.holding("agent-that-is-sought", "agent")
        wanted, other = agent.create("Deploy the shop?", kind="confirm"), agent.create("Which colour?")
        self.assertEqual(ana.views.list(), [])
        saved = ana.views.save("Deploys/all", "deploy shop", status=["pending", "answered"])
        self.assertEqual(saved, View("Deploys/all", "deploy shop", "pending,answered"))
        self.assertEqual(ana.views.list(), [saved])
        ana.answer(wanted, "no")
        self.assertEqual([each.id for each in ana.list(view=saved)], [wanted.id])
        self.assertEqual([each.id for each in ana.list(q="colour")], [other.id])
        with self.assertRaises(ValueError):
            ana.list(view=saved, q="x")
        ana.views.remove("Deploys/all")
        with self.assertRaises(Problem) as caught:
            ana.views.remove("Deploys/all")
        self.refused(caught, 404)

    def test_programs_on_this_machine_need_no_configuration(self) -> None:
        with unittest.mock.patch.dict(os.environ, {"HOLD_HOME": self.server.home}):
            client = Client(log=lambda _: None)
        self.assertEqual(client.url, self.server.url)
        made = client.create("Deploy?", kind="confirm")
        settled = client.answer(made, "yes", by="someone else")
        assert settled.answer is not None
        self.assertEqual(settled.answer.auth, "local")
        self.assertNotEqual(settled.answer.by, "someone else")

    def test_an_agent_asks_and_a_person_answers(self) -> None:
        agent, person = self.holding("builder", "agent"), self.holding("ana", "person")
        subject = {"command": "deploy"}
        waiter = Task(lambda: agent.ask("Deploy?", subject=subject))
        self.server.until_parked()
        (made,) = agent.list()
        with self.assertRaises(Problem) as caught:
            agent.answer(made, "yes")
        self.refused(caught, 403)
        person.answer(made, "yes")
        settled: Decision = waiter.result()
        assert settled.answer is not None
        self.assertEqual((settled.answer.by, settled.answer.auth), ("ana", "token"))
        self.assertIsNotNone(agent.consume(settled, subject, min_auth="token").consumed_at)

    def test_an_agent_sees_only_its_own(self) -> None:
        mine, other = self.holding("one", "agent"), self.holding("two", "agent")
        made = mine.create("Mine?")
        with self.assertRaises(Problem) as caught:
            other.get(made)
        self.refused(caught, 404)
        self.assertEqual([*other.list()], [])

    def test_a_revoked_token_is_worth_nothing(self) -> None:
        token = self.server.token("gone", "agent")
        agent = self.server.client(token=token["secret"])
        made = agent.create("?")
        self.server.revoke(token["id"])
        with self.assertRaises(Problem) as caught:
            agent.wait(made)
        self.refused(caught, 401)


class Restart(unittest.TestCase):
    def test_ask_survives_a_kill(self) -> None:
        server = Server()
        self.addCleanup(server.close)
        lost = threading.Event()
        with unittest.mock.patch.dict(os.environ, {"HOLD_HOME": server.home}):
            asker = Client(log=lambda line: lost.set() if "trying again" in line else None)
        waiter = Task(lambda: asker.ask("Deploy?", kind="confirm"))
        server.until_parked()
        server.kill()
        self.assertTrue(lost.wait(PATIENCE))
        server.start()
        (made,) = asker.list()
        asker.answer(made, "yes")
        self.assertTrue(waiter.result().approved)
