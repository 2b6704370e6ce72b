"""The program of the page about Temporal, as far as it runs without Temporal's server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path
from typing import Any

from tests.server import PATIENCE, ROOT

from .page import block
from .test_pages import CLIENT, Running

PAGE = ROOT / "docs/with-temporal.md"


@unittest.skipUnless("TEMPORAL" in os.environ, "TEMPORAL names a Python that has temporalio")
class Temporal(Running):
    def setUp(self) -> None:
        super().setUp()
        program = block(PAGE, "python")
        self.assertLessEqual(len([line for line in program.splitlines() if line.strip()]), 30)
        Path(self.folder, "program.py").write_text(program)
        shutil.copy(CLIENT / "interop/agent_temporal.py", self.folder)

    def begin(self, *words: str) -> "subprocess.Popen[str]":
        env = {**os.environ, "HOLD_URL": self.server.url, "PYTHONPATH": str(CLIENT / "src")}
        command = [os.environ["TEMPORAL"], "agent_temporal.py", *words]
        return subprocess.Popen(command, cwd=self.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def said(self, running: "subprocess.Popen[str]") -> Any:
        out, _ = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, 0)
        # Temporal's own log goes there too.
        return json.loads(out.splitlines()[-1])

    def test_the_activity_finds_its_decision_again(self) -> None:
        for choice, approved in (("yes", True), ("no", False)):
            target = f"stage-{choice}"
            first = self.begin("act", target)
            made = self.asked(first)
            first.kill()
            first.communicate()
            again = self.begin("act", target)
            self.server.until_parked()
            self.assertEqual([each.id for each in self.client.list()], [made.id])
            self.client.answer(made, choice)
            said = self.said(again)
            self.assertIs(said["approved"], approved)
            self.assertGreaterEqual(said["beats"], 1)

    def test_the_workflow_does_what_its_history_says(self) -> None:
        self.assertIsNone(self.said(self.begin("replay", "WORKFLOW_EXECUTION_COMPLETED"))["failure"])
        wrong = self.said(self.begin("replay", "WORKFLOW_EXECUTION_CONTINUED_AS_NEW"))["failure"]
        self.assertIn("Nondeterminism", wrong)
