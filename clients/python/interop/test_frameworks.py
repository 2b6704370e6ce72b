"""Agents that are killed between asking and being answered come back to the same decision."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import List, Optional

from holdpoint import Decision

from tests.server import PATIENCE, Server, until

HERE = Path(__file__).parent


class Frameworks(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server.asking_nobody()
        self.addCleanup(self.server.close)
        self.client = self.server.client()
        self.folder = tempfile.mkdtemp(prefix="holdpoint-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.agent: Optional["subprocess.Popen[str]"] = None
        self.addCleanup(self.end)

    def start(self, name: str, what: str = "agent") -> None:
        env = {**os.environ, "HOLD_URL": self.server.url, "PYTHONPATH": str(HERE.parent / "src"), "LANGSMITH_TRACING": "false"}
        state = os.path.join(self.folder, "state")
        command = [sys.executable, str(HERE / f"agent_{name}.py"), what, state]
        self.agent = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)

    def kill(self) -> None:
        assert self.agent is not None and self.agent.stdout is not None
        self.agent.kill()
        self.agent.wait()
        self.agent.stdout.close()
        until(lambda: self.server.parked() == 0)

    def end(self) -> None:
        if not self.gone():
            self.kill()

    def ended(self) -> List[str]:
        assert self.agent is not None
        said, _ = self.agent.communicate(timeout=PATIENCE)
        self.assertEqual(self.agent.returncode, 0)
        return said.splitlines()

    def asked(self) -> Decision:
        """What waits, once the agent holds on it."""
        until(lambda: self.gone() or (self.server.parked() > 0 and any(True for _ in self.client.list())))
        self.assertFalse(self.gone(), "the agent ended without asking")
        (found,) = self.client.list()
        return found

    def gone(self) -> bool:
        return self.agent is None or self.agent.poll() is not None

    def a_killed_agent_comes_back(self, name: str) -> None:
        """Killed while it waits, while nobody is there, and between the answer and its use; with the server, too."""
        self.start(name)
        made = self.asked()
        self.assertEqual(made.subject, {"tool": "deploy", "arguments": {"target": "production"}})
        self.kill()
        self.server.kill()
        self.server.start()
        self.start(name)
        self.assertEqual(self.asked().id, made.id)
        self.kill()
        self.client.answer(made, "yes", by="ana")
        self.start(name)
        self.assertEqual(self.ended(), ["deployed production", "It says: done"])
        self.assertIsNotNone(self.client.get(made).consumed_at)
        self.assertEqual(len([*self.client.list(status="all")]), 1)

    def a_no_reaches_the_model(self, name: str) -> None:
        self.start(name)
        self.client.answer(self.asked(), "no", message="Not on a Friday.")
        (said,) = self.ended()
        self.assertIn("Not on a Friday.", said)

    def guidance_reaches_the_model(self, name: str) -> None:
        self.start(name)
        self.client.guide(self.asked(), "Staging first.")
        (said,) = self.ended()
        self.assertIn("Staging first.", said)
        self.assertEqual([*self.client.list()], [], "the round that it opened waits for nobody")

    def test_langgraph_agent(self) -> None:
        self.a_killed_agent_comes_back("langgraph")

    def test_langgraph_no(self) -> None:
        self.a_no_reaches_the_model("langgraph")

    def test_langgraph_guidance(self) -> None:
        self.guidance_reaches_the_model("langgraph")

    def test_langgraph_graph_that_asks_three_times(self) -> None:
        for answer in ("redis", "a text", "no"):
            self.start("langgraph", "graph")
            made = self.asked()
            self.kill()
            self.client.answer(made, values={made.fields[0].id: answer})
        self.start("langgraph", "graph")
        self.assertEqual(self.ended(), ["['redis', 'a text', False]"])
        self.assertEqual(len([*self.client.list(status="all")]), 3)

    def test_openai_agents(self) -> None:
        self.a_killed_agent_comes_back("openai_agents")
        self.assertEqual(os.listdir(self.folder), [])

    def test_openai_agents_no(self) -> None:
        self.a_no_reaches_the_model("openai_agents")

    def test_openai_agents_guidance(self) -> None:
        self.guidance_reaches_the_model("openai_agents")

    def test_pydantic_ai(self) -> None:
        self.a_killed_agent_comes_back("pydantic_ai")
        self.assertEqual(os.listdir(self.folder), [])

    def test_pydantic_ai_no(self) -> None:
        self.a_no_reaches_the_model("pydantic_ai")

    def test_pydantic_ai_guidance(self) -> None:
        self.guidance_reaches_the_model("pydantic_ai")


def setUpModule() -> None:
    packages = ("langgraph", "langchain", "openai-agents", "pydantic-ai-slim")
    print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages))


