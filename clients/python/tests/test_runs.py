"""Runs, from their beginning to their verdict, on a real repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from holdpoint import NotAccepted, Problem, Run

from .flaky import Flaky
from .server import Served, Server, Task

DIFF = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"


class Runs(Served):
    repo: Path

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.repo = Path(tempfile.mkdtemp(prefix="holdpoint-repo-"))
        (cls.repo / "a.txt").write_text("one\ntwo\n")
        cls.git("init", "-q", "-b", "main")
        cls.git("add", "-A")
        cls.git("commit", "-q", "-m", "first")

    @classmethod
    def tearDownClass(cls) -> None:
        super().tearDownClass()
        shutil.rmtree(cls.repo, ignore_errors=True)

    @classmethod
    def git(cls, *words: str) -> str:
        who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
        env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
        return subprocess.run(
            ["git", *who, *words], cwd=cls.repo, env=env, check=True, capture_output=True, text=True
        ).stdout.strip()

    def asked(self) -> Run:
        runs = self.client.runs
        run = runs.start("Cache it", self.repo, intent="Faster", description="It is slow.")
        run = runs.patch(run, DIFF, rationale="An LRU")
        return runs.finish(run, message="Please look.")

    def give(self, run: Run, verdict: str, **more: str) -> None:
        assert run.decision is not None
        asked = self.client.get(run.decision)
        self.client.answer(asked, values={"verdict": verdict, **more}, message="Because.", by="ana")

    def test_from_beginning_to_commit(self) -> None:
        runs = self.client.runs
        run = runs.start("Cache it", self.repo, intent="Faster")
        self.assertEqual((run.status, run.standing, run.under_way), ("running", "running", True))
        run = runs.patch(run, DIFF, rationale="An LRU")
        patchset = run.patchsets[0]["id"]
        run = runs.evidence(run, "test", "pytest", command="pytest -q", exit_code=0, took_ms=12, patchset=patchset, log="fine\n")
        run = runs.usage(run, input_tokens=10, output_tokens=5, cost_micros=3)
        self.assertEqual((run.evidence[0]["exit_code"], run.usage["input_tokens"]), (0, 10))
        self.assertEqual((runs.diff(run), runs.output(run, 1)), (DIFF.encode(), b"fine\n"))
        kept = runs.record(run, {"object_type": "plan", "steps": []})
        self.assertEqual((runs.get(run).state or {})["plan"]["selected"]["id"], kept["object_id"])
        self.assertIn("plan", [each["object_type"] for each in runs.objects(run)])
        run = runs.finish(run, message="Please look.", assignees=["ana"])
        self.assertEqual((run.standing, runs.wait(run, 0.05).standing), ("waiting", "waiting"))
        with self.assertRaises(Problem) as late:
            runs.patch(run, DIFF)
        self.assertEqual(late.exception.code, "run_over")
        waits = Task(lambda: runs.wait(run))
        self.give(run, "commit", patchset=patchset)
        ended: Run = waits.result()
        self.assertEqual((ended.require().verdict, ended.standing, ended.rationale), ("commit", "committed", "Because."))
        self.assertEqual(self.git("rev-parse", ended.branch), ended.commit)
        self.assertEqual(runs.state(run)["release"]["commit"], ended.commit)
        self.assertIn(run.id, [each.id for each in runs.list(page=1)])
        self.assertEqual([each.id for each in runs.list(task=run.task["id"])], [run.id])
        self.assertEqual(runs.export(run)["ref"], "refs/libra/intent")
        self.assertEqual(runs.take_over(self.repo)["runs"], [])
        back = runs.rollback(run)
        self.give(back, "rollback")
        self.assertEqual(runs.wait(back, 30).require("rollback").standing, "rolled_back")
        self.assertEqual(runs.state(run)["release"]["status"], "rolled_back")

    def test_a_retry_is_a_no_and_can_be_followed(self) -> None:
        runs = self.client.runs
        run = self.asked()
        runs.comment(run, "a.txt", 2, "Say why.")
        follows = Task(lambda: runs.wait(run, follow=True))
        self.give(run, "retry", parameters="slower")
        ended = runs.wait(run, 30)
        with self.assertRaises(NotAccepted) as no:
            ended.require()
        self.assertEqual((no.exception.run.id, ended.verdict), (run.id, "retry"))
        assert ended.next is not None
        following = runs.get(ended.next)
        self.assertIn("Say why.", following.guidance or "")
        self.assertEqual(following.parameters, "slower")
        following = runs.finish(following)
        self.give(following, "checkpoint")
        self.assertEqual(follows.result().require().id, following.id)
        self.assertEqual([each.standing for each in runs.log(run)], ["retried", "checkpointed"])
        self.assertEqual(runs.resume(following).origin, {"kind": "resume", "run": following.id})

    def test_what_is_taken_back_is_no_verdict(self) -> None:
        runs = self.client.runs
        run = self.asked()
        assert run.decision is not None
        self.client.cancel(run.decision, "Not yet")
        withdrawn = runs.wait(run, 30)
        self.assertEqual((withdrawn.standing, withdrawn.verdict, withdrawn.under_way), ("withdrawn", None, False))
        self.assertRaises(NotAccepted, withdrawn.require)
        self.assertRaises(TypeError, bool, run)
        self.assertEqual(runs.carry(run).standing, "withdrawn")

    def test_only_where_the_project_allows_it_nobody_is_asked(self) -> None:
        run = self.client.runs.start("Cache it", self.repo)
        with self.assertRaises(Problem) as no:
            self.client.runs.finish(run, verdict="agent", choose="abandon")
        self.assertEqual(no.exception.code, "forbidden")

    def test_what_may_have_arrived_is_not_sent_again(self) -> None:
        wire = Flaky(self.server.url)
        self.addCleanup(wire.close)
        through = Server.client(self.server)
        through = type(through)(wire.url, log=lambda _: None)
        run = self.client.runs.start("Once", self.repo)
        wire.lose = 1
        with self.assertRaises(Exception):
            through.runs.usage(run, input_tokens=7)
        self.assertEqual(len([each for each in wire.seen if each[0] == "POST"]), 1)
        self.assertEqual(self.client.runs.get(run).usage["input_tokens"], 7)
