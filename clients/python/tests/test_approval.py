"""What a tool call that waits for a yes comes to, as the modules for agent frameworks ask about it."""

from __future__ import annotations

import os
import tempfile
import unittest
from typing import Any, Callable

from holdpoint import Decision, Problem
from holdpoint.approval import Ruling, StateFile, key, ruling

from .server import Served, Task, until


class Approvals(Served):
    def ruled(self, name: str, then: Callable[[Decision], Any], **asking: Any) -> Ruling:
        """Asks beside the test, and does something with what was asked."""
        asks = key("test", self.id(), name)
        waiter = Task(lambda: self.rule(asks, **asking))
        # Not until somebody holds: the one before may still be counted.
        until(lambda: any(True for _ in self.client.list(project=name)))
        (made,) = self.client.list(project=name)
        then(made)
        found: Ruling = waiter.result()
        return found

    def rule(self, asks: str, arguments: Any = None, **asking: Any) -> Ruling:
        found: Ruling = self.client._run(ruling(self.client, asks, "rm", arguments or {"path": "/tmp/x"}, None, asking))
        return found

    def test_a_yes_is_used_once_and_asked_again(self) -> None:
        found = self.ruled("yes", lambda made: self.client.answer(made, "yes", message="fine"), project="yes")
        self.assertEqual((found.approved, found.message), (True, "fine"))
        self.assertEqual(found.decision.subject, {"tool": "rm", "arguments": {"path": "/tmp/x"}})
        self.assertIsNotNone(found.decision.consumed_at)
        again = self.ruled("yes", lambda made: self.client.answer(made, "no"), project="yes")
        self.assertFalse(again.approved)
        self.assertNotEqual(again.decision.id, found.decision.id)
        with self.assertRaises(Problem) as refused:
            self.rule(key("test", self.id(), "yes"), {"path": "/"}, project="yes")
        self.assertEqual(refused.exception.code, "key_reused")

    def test_whatever_is_no_yes_is_a_no(self) -> None:
        for name, then, message in (
            ("no", lambda made: self.client.answer(made, "no", message="not now"), "not now"),
            ("guided", lambda made: self.client.guide(made, "look first"), "look first"),
            ("gone", lambda made: self.client.cancel(made, "moot"), "moot"),
        ):
            found = self.ruled(name, then, project=name)
            self.assertEqual((found.approved, found.message), (False, message), name)
            self.assertEqual([*self.client.list(project=name)], [], name)

    def test_silence_is_a_no(self) -> None:
        found = self.rule(key("test", self.id()), timeout="50ms")
        self.assertEqual((found.approved, found.decision.status), (False, "timed_out"))

    def test_keys(self) -> None:
        self.assertEqual(key("a", "ü", "1"), key("a", "ü", "1"))
        self.assertEqual(len({key("a", "b", "c"), key("a", "bc"), key("b", "b", "c"), key("a", "b", "c", "")}), 4)


class Files(unittest.TestCase):
    def test_a_state_is_kept_and_forgotten(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = StateFile(os.path.join(folder, "state"))
            self.assertIsNone(file.read())
            for content in (b"one", b"two"):
                file.write(content)
                self.assertEqual(file.read(), content)
            self.assertEqual(os.stat(os.path.join(folder, "state")).st_mode & 0o077, 0)
            file.remove()
            file.remove()
            self.assertEqual(os.listdir(folder), [])
