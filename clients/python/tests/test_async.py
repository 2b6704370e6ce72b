"""The client for asyncio: all that the blocking one is held to, and what only it promises."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
import unittest
import unittest.mock
from contextlib import closing
from typing import Any, Dict, List, Optional, Type

from holdpoint import AsyncClient, Decision, Refined, Refused, TimedOut, Unreachable

from . import server, test_identity, test_outcomes, test_problems, test_restarts, test_runs, test_surface
from .flaky import Flaky
from .server import Server
from .waiting import Waiting


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: Optional[str]) -> unittest.TestSuite:
    """Adds every test of the blocking client, with an ``AsyncClient`` in its place."""
    for module in (test_identity, test_outcomes, test_problems, test_restarts, test_runs, test_surface):
        for case in vars(module).values():
            if isinstance(case, type) and issubclass(case, unittest.TestCase) and case.__module__ == module.__name__:
                tests.addTests(loader.loadTestsFromTestCase(_awaited(case)))
    return tests


def _awaited(case: Type[unittest.TestCase]) -> Type[unittest.TestCase]:
    def set_up(cls: Any) -> None:
        for module in (server, sys.modules[case.__module__]):
            if hasattr(module, "Client"):
                patch = unittest.mock.patch.object(module, "Client", Waiting)
                patch.start()
                cls.addClassCleanup(patch.stop)
        super(made, cls).setUpClass()

    made: Any = type(f"Async{case.__name__}", (case,), {"setUpClass": classmethod(set_up)})
    made.__module__ = __name__
    return made  # type: ignore[no-any-return]


class Asking(unittest.IsolatedAsyncioTestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server.asking_nobody()
        cls.addClassCleanup(cls.server.close)

    def setUp(self) -> None:
        self.said: List[str] = []
        self.client = AsyncClient(self.server.url, log=self.said.append)

    async def until_parked(self, count: int) -> None:
        # The server is looked at with a blocking request; the loop must go on meanwhile.
        await asyncio.get_running_loop().run_in_executor(None, self.server.until_parked, count)

    async def test_a_hundred_hold_at_once_without_a_thread_each(self) -> None:
        before = threading.active_count()
        asked = [asyncio.ensure_future(self.client.ask(f"{n}?", kind="confirm", project="many")) for n in range(100)]
        while self.server.parked() < 100:
            await asyncio.sleep(0.01)
        self.assertEqual(threading.active_count(), before)
        found = [decision async for decision in self.client.list(project="many", page=30)]
        await asyncio.gather(*(self.client.answer(decision, "yes") for decision in found))
        self.assertTrue(all(decision.approved for decision in await asyncio.gather(*asked)))

    async def test_cancelling_leaves_it_pending_and_the_connection_closed(self) -> None:
        task = asyncio.ensure_future(self.client.ask("Deploy?", kind="confirm", project="left"))
        await self.until_parked(1)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        (made,) = [decision async for decision in self.client.list(project="left")]
        self.assertIn(f"{made.id} is still pending", self.said[-1])
        while self.server.parked():
            await asyncio.sleep(0.01)

    async def test_a_wait_can_be_given_less_time_from_outside(self) -> None:
        made = await self.client.create("Anyone?")
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(self.client.wait(made), 0.05)
        self.assertTrue((await self.client.get(made)).pending)

    async def test_guidance_may_be_awaited(self) -> None:
        async def revise(following: Decision) -> Dict[str, Any]:
            await asyncio.sleep(0)
            return {"prompt": f"Below {following.guidance}?"}

        task = asyncio.ensure_future(self.client.ask("Which?", options=["a"], on_guidance=revise, project="guided"))
        await self.until_parked(1)
        (made,) = [decision async for decision in self.client.list(project="guided")]
        await self.client.guide(made, "100 MB")
        while not (found := [d async for d in self.client.list(project="guided") if d.prompt == "Below 100 MB?"]):
            await asyncio.sleep(0.01)
        await self.client.answer(found[0], "a")
        self.assertEqual((await task).chosen, ("a",))

    async def test_outcomes_are_exceptions(self) -> None:
        await self.client.answer(await self.client.create("Deploy?", kind="confirm", key="no"), "no")
        with self.assertRaises(Refused):
            await self.client.ask("Deploy?", kind="confirm", key="no")
        await self.client.guide(await self.client.create("Deploy?", kind="confirm", key="guided"), "why?")
        with self.assertRaises(Refined):
            await self.client.ask("Deploy?", kind="confirm", key="guided")
        with self.assertRaises(TimedOut):
            await self.client.ask("Deploy?", kind="confirm", timeout="20ms")

    async def test_a_stream_of_events_can_be_left(self) -> None:
        await self.client.create("?", project="streamed")
        async for event in self.client.events(after=0, project="streamed"):
            self.assertEqual(event.project, "streamed")
            break

    async def test_one_connection_carries_a_whole_ask(self) -> None:
        accepted: List["asyncio.Future[None]"] = []
        host, port = self.server.url[len("http://") :].split(":")

        async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            done = asyncio.get_running_loop().create_future()
            accepted.append(done)
            there, back = await asyncio.open_connection(host, int(port))
            await asyncio.gather(_copy(reader, back), _copy(there, writer))
            done.set_result(None)

        between = await asyncio.start_server(pass_on, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{between.sockets[0].getsockname()[1]}"
        with self.assertRaises(TimedOut):
            await AsyncClient(url, log=self.said.append).ask("Deploy?", kind="confirm", timeout="20ms")
        self.assertEqual(len(accepted), 1)
        between.close()
        await accepted[0]

    async def test_a_server_that_closes_kept_connections(self) -> None:
        """A reply that says nothing of it, and then the end: the next request goes over a new connection."""
        made = await self.client.create("Deploy?", kind="confirm")
        await self.client.answer(made, "yes")
        said: List[str] = []
        wire = Flaky(self.server.url)
        self.addCleanup(wire.close)
        page = f'{{"items": [], "next": "x"}}'.encode()
        wire.replies = [(200, {"Content-Length": str(len(page))}, page), (200, {}, b'{"items": [], "next": null}')]
        client = AsyncClient(wire.url, log=said.append)
        self.assertEqual([each async for each in client.list()], [])
        self.assertEqual(said, [])

    async def test_through_a_proxy(self) -> None:
        asked: List[str] = []

        async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            writer.close()

        between = await asyncio.start_server(proxy, "127.0.0.1", 0)
        url = f"http://ana:s%20cret@127.0.0.1:{between.sockets[0].getsockname()[1]}"
        with unittest.mock.patch.dict(os.environ, {"http_proxy": url, "https_proxy": url, "no_proxy": ""}):
            for scheme in ("http", "https"):
                with self.assertRaises(Unreachable):
                    await AsyncClient(f"{scheme}://hold.example", token="t", patience=0).get("dcn-x")
        self.assertIn("GET http://hold.example/v1/decisions/dcn-x HTTP/1.1\r\nHost: hold.example\r\n", asked[0])
        self.assertTrue(asked[1].startswith("CONNECT hold.example:443 HTTP/1.1\r\n"))
        self.assertNotIn("Bearer", asked[1], "a tunnel is no place for the token")
        for each in asked:
            self.assertIn("Proxy-Authorization: Basic YW5hOnMgY3JldA==", each)
        between.close()

    async def test_a_certificate_that_nobody_vouches_for_is_no_server(self) -> None:
        with closing(socket.socket()) as listening:
            listening.bind(("127.0.0.1", 0))
            client = AsyncClient(f"https://127.0.0.1:{listening.getsockname()[1]}", patience=5)
            why = ssl.SSLCertVerificationError("self-signed")
            with unittest.mock.patch("asyncio.open_connection", side_effect=why) as opened:
                with self.assertRaises(Unreachable):
                    await client.get("dcn-x")
            self.assertEqual(opened.call_count, 1, "it is not tried again")


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(65536):
            writer.write(piece)
    except OSError:
        pass
    writer.close()


class Loading(unittest.TestCase):
    def test_what_takes_long_is_loaded_when_it_is_needed(self) -> None:
        code = "import sys, holdpoint; print(*sorted({'asyncio', 'ssl', 'http.client', 'pydantic'} & set(sys.modules)))"
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        said = subprocess.run([sys.executable, "-S", "-c", code], env=env, stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(said.stdout.strip(), "")

    def test_unknown_names_are_refused(self) -> None:
        import holdpoint

        with self.assertRaisesRegex(AttributeError, re.escape("has no attribute 'Nothing'")):
            holdpoint.Nothing
        for name in holdpoint.__all__:
            self.assertIsNotNone(getattr(holdpoint, name))
