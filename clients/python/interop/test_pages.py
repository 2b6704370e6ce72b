"""The programs of the pages, run as they stand there, and the package that the README's program runs from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile
from pathlib import Path
from typing import List, Optional

from holdpoint import Decision
from tests.server import PATIENCE, ROOT, Server, until

from .page import block
from .stub import Stub

CLIENT = ROOT / "clients/python"
NODE = os.path.join(os.environ.get("AI_SDK", ""), "node_modules/.bin/node")


class Running(unittest.TestCase):
    """Runs programs in a folder of their own, beside a server and a stub for a model."""

    def setUp(self) -> None:
        self.server = Server.asking_nobody()
        self.addCleanup(self.server.close)
        self.client = self.server.client()
        self.model = Stub()
        self.addCleanup(self.model.close)
        self.folder = tempfile.mkdtemp(prefix="holdpoint-")
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, program: str, python: str = sys.executable, source: Optional[Path] = CLIENT / "src") -> "subprocess.Popen[str]":
        name = "program.mjs" if python == NODE else "program.py"
        Path(self.folder, name).write_text(program)
        if python == NODE and not Path(self.folder, "node_modules").exists():
            Path(self.folder, "node_modules").symlink_to(Path(os.environ["AI_SDK"], "node_modules"))
        env = {
            **os.environ,
            "HOLD_URL": self.server.url,
            "OPENAI_BASE_URL": self.model.url,
            "OPENAI_API_KEY": "stub",
            "OPENAI_AGENTS_DISABLE_TRACING": "1",
            "CREWAI_DISABLE_TELEMETRY": "true",
            "OTEL_SDK_DISABLED": "true",
        }
        env.pop("PYTHONPATH", None)
        if source is not None:
            env["PYTHONPATH"] = str(source)
        return subprocess.Popen([python, name], cwd=self.folder, env=env, stdout=subprocess.PIPE, text=True)

    def asked(self, running: "subprocess.Popen[str]") -> Decision:
        found: List[Decision] = []

        def looked() -> bool:
            found[:] = self.client.list()
            return bool(found) or running.poll() is not None

        until(looked)
        self.assertTrue(found, "it ended without asking")
        return found[0]

    def ends(self, running: "subprocess.Popen[str]", decision: Decision) -> str:
        """Answers with the first option, and returns what the program printed."""
        self.client.answer(decision, decision.fields[0].options[0].id)
        said, _ = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, 0)
        return said

    def page(self, name: str, comes_back: bool = True) -> None:
        language, runs = ("js", NODE) if name == "ai-sdk" else ("python", sys.executable)
        runs = os.environ["CREWAI"] if name == "crewai" else runs
        page = ROOT / "docs" / f"with-{name}.md"
        program = block(page, language)
        self.assertLessEqual(len([line for line in program.splitlines() if line.strip()]), 30)
        running = self.start(program, runs)
        made = self.asked(running)
        if comes_back:
            running.kill()
            running.communicate()
            running = self.start(program, runs)
            self.server.until_parked()
            self.assertEqual([each.id for each in self.client.list(status="all")], [made.id])
        self.assertEqual(self.ends(running, made), block(page, "text"))


class Programs(Running):
    def test_langgraph(self) -> None:
        self.page("langgraph")

    def test_openai_agents(self) -> None:
        self.page("openai-agents")

    def test_pydantic_ai(self) -> None:
        self.page("pydantic-ai")

    def test_smolagents(self) -> None:
        self.page("smolagents", comes_back=False)

    @unittest.skipUnless("CREWAI" in os.environ, "CREWAI names a Python that has crewai")
    def test_crewai(self) -> None:
        self.page("crewai", comes_back=False)

    def test_dbos(self) -> None:
        self.page("dbos")

    @unittest.skipUnless("AI_SDK" in os.environ, "AI_SDK names the folder where npm installed the packages")
    def test_ai_sdk(self) -> None:
        self.page("ai-sdk")

    @unittest.skipUnless("AI_SDK" in os.environ, "AI_SDK names the folder where npm installed the packages")
    def test_the_package_for_typescript_is_whole(self) -> None:
        package = Path(os.environ["AI_SDK"], "node_modules/holdpoint")
        for part in ("LICENSE-MIT", "LICENSE-APACHE", "README.md", "dist/index.d.ts", "dist/ai.d.ts", "dist/ai.js"):
            self.assertTrue((package / part).is_file(), part)
        running = self.start(block(package / "README.md", "ts"), NODE)
        self.assertEqual(self.ends(running, self.asked(running)), "deployed\n")

    def test_the_package_is_whole(self) -> None:
        # A copy, because building leaves things behind.
        source = shutil.copytree(CLIENT, Path(self.folder, "source"), ignore=shutil.ignore_patterns("build", "*.egg-info"))
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", self.folder, str(source)], env=env, check=True)
        (wheel,) = Path(self.folder).glob("*.whl")
        clean = Path(self.folder, "clean")
        venv.create(clean, with_pip=True)
        python = str(clean / "bin/python")
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", str(wheel)], env=env, check=True)
        with zipfile.ZipFile(wheel) as packed:
            names = " ".join(packed.namelist())
            about = next(packed.read(name).decode() for name in packed.namelist() if name.endswith("/METADATA"))
        for part in ("LICENSE-MIT", "LICENSE-APACHE", "holdpoint/py.typed", "holdpoint/langgraph.py"):
            self.assertIn(part, names)
        for part in ("License-Expression: MIT OR Apache-2.0", "Provides-Extra: langgraph", "# holdpoint for Python"):
            self.assertIn(part, about)
        running = self.start(block(CLIENT / "README.md", "python"), python, None)
        self.assertEqual(self.ends(running, self.asked(running)), "deployed\n")
