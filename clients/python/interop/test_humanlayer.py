"""HumanLayer's own SDKs, unmodified, against the server's compatible routes; and the program of the page."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any, Dict, Optional

from holdpoint import Client, Decision
from humanlayer import (  # type: ignore[import-not-found]
    AsyncHumanLayer,
    ContactChannel,
    EmailContactChannel,
    FunctionCallSpec,
    FunctionCallStatus,
    HumanContactSpec,
    HumanContactStatus,
    HumanLayer,
    ResponseOption,
    SlackContactChannel,
)
from humanlayer.core.models import Escalation  # type: ignore[import-not-found]
from humanlayer.core.models_agent_webhook import (  # type: ignore[import-not-found]
    V1Beta2FunctionCallCompleted,
    V1Beta2HumanContactCompleted,
)
from humanlayer.core.protocol import HumanLayerException  # type: ignore[import-not-found]
from tests.server import PATIENCE, ROOT, Server, Task, until

from .page import block

CHANNEL = ContactChannel(
    slack=SlackContactChannel(channel_or_user_id="C1", bot_token="xoxb-not-to-be-kept"),
    email=EmailContactChannel(address="bob@example.org"),
)
REJECTS = [ResponseOption(name="dear", title="Too dear"), ResponseOption(name="later", description="Next week")]


class Completed:
    """Takes webhooks."""

    def __init__(self) -> None:
        self.told: "Queue[Dict[str, Any]]" = Queue()
        told = self.told

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Unmodified(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server()
        self.addCleanup(self.server.close)
        self.base = f"{self.server.url}/humanlayer/v1"
        self.key = self.server.token("bot", "agent")["secret"]
        self.ana = self.server.token("ana", "person")["secret"]
        self.person = self.server.client(token=self.ana)
        self.hl = self.layer(self.key)

    def layer(self, key: str) -> Any:
        return HumanLayer.cloud(api_key=key, api_base_url=self.base, run_id="run-1", sleep=lambda _: None)

    def pending(self) -> Decision:
        until(lambda: any(True for _ in self.person.list()))
        (found,) = self.person.list()
        return found

    def test_an_approval_and_its_denials(self) -> None:
        called = []

        @self.hl.require_approval(contact_channel=CHANNEL, reject_options=REJECTS)
        def pay(to: str, amount: float) -> str:
            called.append((to, amount))
            return "paid"

        for choice, message, said in [
            ("approve", None, "paid"),
            ("dear", None, "User denied pay with message: Too dear"),
            ("later", "on Monday", "User denied pay with message: on Monday"),
            ("deny", None, "User denied pay with message: Denied; no reason was given."),
        ]:
            task = Task(lambda: pay(to="Bob", amount=2.5))
            asked = self.pending()
            self.assertEqual(asked.subject, {"tool": "pay", "arguments": {"to": "Bob", "amount": 2.5}})
            self.person.answer(asked, choice, message=message)
            self.assertEqual(task.result(), said)
        self.assertEqual(called, [("Bob", 2.5)])

    def test_a_message_to_a_person(self) -> None:
        contact = self.hl.human_as_tool(contact_channel=CHANNEL)
        task = Task(lambda: contact(message="Which city?", subject="Travel"))
        self.person.answer(self.pending(), values={"response": "Bonn"})
        self.assertEqual(task.result(), "Bonn")
        picks = self.hl.human_as_tool(response_options=[ResponseOption(name="b", title="Bonn"), ResponseOption(name="r")])
        for value, said in [("b", "Bonn"), ({"text": "Rome"}, "Rome")]:
            task = Task(lambda: picks(message="Which city?"))
            self.person.answer(self.pending(), values={"response": value})
            self.assertEqual(task.result(), said)

    def test_the_async_one(self) -> None:
        hl = AsyncHumanLayer(api_key=self.key, api_base_url=self.base, run_id="run-2")

        @hl.require_approval()
        async def pay(to: str) -> str:
            return f"paid {to}"

        task = Task(lambda: asyncio.run(pay(to="Bob")))
        self.person.answer(self.pending(), "approve")
        self.assertEqual(task.result(), "paid Bob")

    def test_state_and_ids_come_back_and_a_restart_asks_nobody_again(self) -> None:
        state = {"thread": [1, 2.0, None, {"deep": "ü"}], "status": "mine"}
        spec = FunctionCallSpec(fn="pay", kwargs={"to": "Bob"}, reject_options=REJECTS, state=state)
        made = self.hl.create_function_call(spec, call_id="run-1-pay")
        self.assertEqual((made.run_id, made.call_id, made.spec.state), ("run-1", "run-1-pay", state))
        self.server.kill()
        self.server.start()
        again = self.layer(self.key).create_function_call(spec, call_id="run-1-pay")
        self.assertEqual(again, made)
        self.person.answer(self.pending(), "approve", message="go on")
        found = self.layer(self.key).get_function_call("run-1-pay")
        self.assertEqual((found.status.approved, found.status.comment, found.spec.state), (True, "go on", state))
        self.assertEqual([option.name for option in found.spec.reject_options], ["dear", "later"])
        with self.assertRaises(HumanLayerException):
            self.hl.create_function_call(FunctionCallSpec(fn="pay", kwargs={"to": "Eve"}), call_id="run-1-pay")

    def test_a_person_responds_and_the_asker_does_not(self) -> None:
        self.hl.create_function_call(FunctionCallSpec(fn="pay", kwargs={}), call_id="c1")
        self.hl.create_human_contact(HumanContactSpec(msg="Which?"), call_id="m1")
        yes, words = FunctionCallStatus(approved=True), HumanContactStatus(response="this one")
        with self.assertRaises(HumanLayerException):
            self.hl.respond_to_function_call("c1", yes)
        with self.assertRaises(HumanLayerException):
            self.hl.respond_to_human_contact("m1", words)
        self.hl.escalate_email_function_call("c1", Escalation(escalation_msg="the boss waits"))
        self.hl.escalate_email_human_contact("m1", Escalation(escalation_msg="the boss waits"))
        ana = self.layer(self.ana)
        self.assertTrue(ana.respond_to_function_call("c1", yes).status.approved)
        self.assertEqual(ana.respond_to_human_contact("m1", words).status.response, "this one")
        self.assertTrue(self.hl.get_function_call("c1").status.as_completed().approved)

    def test_webhooks_are_what_its_models_take(self) -> None:
        receiver = Completed()
        self.addCleanup(receiver.close)
        Path(self.server.home, "secret").write_text("0123456789012345678901234567890")
        Path(self.server.home, "config.toml").write_text(
            f'[hooks]\ndesktop = false\n[[webhook]]\nname = "hl"\nurl = "{receiver.url}"\nbody = "humanlayer"\n'
            f'secret_file = "{self.server.home}/secret"\nallow_private = true\n'
        )
        self.server.stop()
        self.server.start()
        self.hl.create_function_call(FunctionCallSpec(fn="pay", kwargs={}, state={"n": 1}), call_id="c1")
        self.person.answer(self.pending(), "deny", message="no")
        told = V1Beta2FunctionCallCompleted.model_validate(receiver.told.get(timeout=PATIENCE))
        self.assertEqual((told.event.call_id, told.event.spec.state), ("c1", {"n": 1}))
        self.assertEqual(told.event.status.as_completed().comment, "no")
        self.hl.create_human_contact(HumanContactSpec(msg="Which?"), call_id="m1")
        self.person.answer(self.pending(), values={"response": "that"})
        heard = V1Beta2HumanContactCompleted.model_validate(receiver.told.get(timeout=PATIENCE))
        self.assertEqual(heard.event.status.response, "that")


class Programs(unittest.TestCase):
    def run_program(self, program: str, name: str, runs: str, more: Optional[Dict[str, str]] = None) -> str:
        server = Server()
        self.addCleanup(server.close)
        client: Client = server.client(token=server.token("ana", "person")["secret"])
        key = server.token("agent-7", "agent")["secret"]
        folder = tempfile.mkdtemp(prefix="holdpoint-")
        Path(folder, name).write_text(program)
        env = {**os.environ, "HUMANLAYER_API_BASE": f"{server.url}/humanlayer/v1", "HUMANLAYER_API_KEY": key, **(more or {})}
        env.pop("PYTHONPATH", None)
        if "NODE_MODULES" in os.environ:
            Path(folder, "node_modules").symlink_to(os.environ["NODE_MODULES"])
        running = subprocess.Popen([runs, name], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
        until(lambda: any(True for _ in client.list()) or running.poll() is not None)
        (asked,) = client.list()
        client.answer(asked, "approve")
        until(lambda: any(True for _ in client.list()) or running.poll() is not None)
        for asked in client.list():
            client.answer(asked, values={"response": "Bonn"})
        said, _ = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, 0)
        return said

    def test_the_program_of_the_page(self) -> None:
        page = ROOT / "docs/humanlayer.md"
        self.assertEqual(self.run_program(block(page, "python"), "program.py", sys.executable), block(page, "text"))

    @unittest.skipUnless("NODE_MODULES" in os.environ, "NODE_MODULES names the folder where npm installed @humanlayer/sdk")
    def test_the_sdk_for_typescript(self) -> None:
        program = """
            import { HumanLayer } from "@humanlayer/sdk";
            const hl = new HumanLayer({ runId: "run-1", sleep: async () => {} });
            const pay = hl.requireApproval()(async function pay({ to }) { return `paid ${to}`; });
            console.log(await pay({ to: "Bob" }));
            console.log(await hl.humanAsTool()({ message: "Which city?" }));
        """
        node = os.path.join(os.environ["NODE_MODULES"], ".bin/node")
        self.assertEqual(self.run_program(program, "program.mjs", node), "paid Bob\nBonn\n")
