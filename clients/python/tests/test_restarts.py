"""A waiter survives the server being killed and started again."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import unittest
import unittest.mock
from typing import Callable, List

from holdpoint import AsyncClient, Client, Decision, Event

from .flaky import Flaky
from .server import PATIENCE, Server, Task


class Restarts(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server.asking_nobody()
        self.addCleanup(self.server.close)

    def test_ask_survives_a_kill(self) -> None:
        lost = threading.Event()
        said: List[str] = []

        def log(line: str) -> None:
            said.append(line)
            if "trying again" in line:
                lost.set()

        asker = self.server.client(log=log)
        waiter = Task(lambda: asker.ask("Deploy?", kind="confirm"))
        self.server.until_parked()
        self.server.kill()
        self.assertTrue(lost.wait(PATIENCE))
        self.server.start()
        (made,) = self.server.client().list()
        self.server.until_parked()
        self.server.client().answer(made, "yes", by="ana")
        settled: Decision = waiter.result()
        self.assertEqual((settled.id, settled.approved), (made.id, True))
        self.assertEqual(len(said), 2, said)

    def test_an_answer_given_while_the_asker_was_cut_off_is_found(self) -> None:
        lost = threading.Event()
        asker = self.server.client(log=lambda line: lost.set() if "trying again" in line else None)
        waiter = Task(lambda: asker.ask("Deploy?", kind="confirm"))
        self.server.until_parked()
        (made,) = self.server.client().list()
        port = self.server.port
        self.server.kill()
        self.assertTrue(lost.wait(PATIENCE))
        # Answered while nothing listens where the asker looks.
        self.server.port = 0
        self.server.start()
        self.server.client().answer(made, "yes")
        self.server.kill()
        self.server.port = port
        self.server.start()
        self.assertTrue(waiter.result().approved)

    def test_a_server_that_comes_back_elsewhere_is_found(self) -> None:
        lost = [threading.Event(), threading.Event()]

        def log(which: threading.Event) -> Callable[[str], None]:
            return lambda line: which.set() if "trying again" in line else None

        with unittest.mock.patch.dict(os.environ, {"HOLD_HOME": self.server.home}):
            asker, other = Client(log=log(lost[0])), AsyncClient(log=log(lost[1]))
        waiters = [
            Task(lambda: asker.ask("Deploy?", kind="confirm")),
            Task(lambda: asyncio.run(other.ask("Deploy?", kind="confirm"))),
        ]
        self.server.until_parked(2)
        self.server.kill()
        self.assertTrue(all(one.wait(PATIENCE) for one in lost))
        self.server.port = 0
        self.server.start()
        for made in [*self.server.client().list()]:
            self.server.client().answer(made, "yes")
        for waiter in waiters:
            self.assertTrue(waiter.result().approved)
        self.assertEqual(asker.url, self.server.url)
        self.assertEqual(asker.create("And now?").status, "pending")

    def test_wait_survives_an_orderly_restart(self) -> None:
        made = self.server.client().create("Deploy?", kind="confirm")
        waiter = Task(lambda: self.server.client().wait(made, timeout="1m"))
        self.server.until_parked()
        self.server.stop()
        self.server.start()
        self.server.until_parked()
        self.server.client().answer(made, "no")
        self.assertTrue(waiter.result().refused)

    def test_events_go_on_after_a_kill(self) -> None:
        client = self.server.client()
        client.create("before")
        seen: "queue.Queue[Event]" = queue.Queue()

        def read() -> None:
            for event in client.events(after=0):
                seen.put(event)

        threading.Thread(target=read, daemon=True).start()
        numbers = [seen.get(timeout=PATIENCE).seq]
        for round in range(2):
            self.server.kill()
            self.server.start()
            made = client.create(f"after {round}")
            client.answer(made, values={"text": "x"})
            numbers += [seen.get(timeout=PATIENCE).seq for _ in range(2)]
        self.assertEqual(numbers, [1, 2, 3, 4, 5])
        self.assertTrue(seen.empty())


class Events(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server.asking_nobody()
        self.addCleanup(self.server.close)
        self.client = self.server.client()

    def test_the_log_as_it_stands(self) -> None:
        made = self.client.create("A?", kind="confirm")
        self.client.create("B?", project="other")
        self.client.answer(made, "yes", by="ana")
        log = [*self.client.events(follow=False)]
        self.assertEqual([event.seq for event in log], [1, 2, 3])
        self.assertEqual([event.type for event in log], ["decision:created", "decision:created", "decision:resolved"])
        self.assertEqual((log[0].id, log[0].project, log[0].data["prompt"]), (made.id, "default", "A?"))
        self.assertEqual([event.seq for event in self.client.events(after=1, follow=False)], [2, 3])
        self.assertEqual([event.seq for event in self.client.events(decision=made, follow=False)], [1, 3])
        self.assertEqual([event.seq for event in self.client.events(project="other", follow=False)], [2])

    def test_more_than_a_page(self) -> None:
        made = self.client.create("A?")
        for number in range(505):
            self.client.draft(made, {"text": str(number)})
        self.assertEqual([e.seq for e in self.client.events(follow=False)], list(range(1, 507)))
        live = self.client.events(after=0)
        self.assertEqual([next(live).seq for _ in range(506)], list(range(1, 507)))
        live.close()  # type: ignore[attr-defined]

    def test_a_frame_that_was_cut_off_comes_again(self) -> None:
        wire = Flaky(self.server.url)
        self.addCleanup(wire.close)
        event = b'{"seq":%d,"type":"decision:created","at":"2026-11-15T12:00:00Z","project":null,"stream":"s","id":null}'
        whole = b": hello\n\nid: 7\nevent: decision:created\ndata: " + event % 7 + b"\n\n"
        cut = b"id: 8\nevent: decision:created\ndata: " + event[:20]
        start = b"id: 9\n\n"
        stream = {"Content-Type": "text/event-stream"}
        events = Client(wire.url).events()
        wire.replies = [(200, stream, whole + cut), (200, stream, b"id: 8\r\ndata: " + event % 8 + b"\r\n\r\n" + start)]
        wire.replies.append((200, stream, b"id: 10\ndata: " + event % 10 + b"\n\n"))
        self.assertEqual([next(events).seq for _ in range(3)], [7, 8, 10])
        self.assertEqual([headers.get("last-event-id") for _, _, headers in wire.seen], [None, "7", "9"])
