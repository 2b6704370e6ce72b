/** Runs, from their beginning to their verdict, on a real repository. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { NotAccepted, requireVerdict } from "../dist/index.js";
import { all, Server } from "./server.mjs";

const DIFF = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";

let server, client, runs, repo;
before(async () => {
  server = await Server.start();
  client = server.client();
  runs = client.runs;
  repo = mkdtempSync(join(tmpdir(), "holdpoint-repo-"));
  writeFileSync(join(repo, "a.txt"), "one\ntwo\n");
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
});
after(async () => {
  await server.close();
  rmSync(repo, { recursive: true, force: true });
});

function git(...words) {
  const who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...who, ...words], { cwd: repo, env, encoding: "utf8" }).trim();
}

async function asked() {
  const run = await runs.start({ task: "Cache it", repo, intent: "Faster" });
  await runs.patch(run, DIFF, { rationale: "An LRU" });
  return runs.finish(run, { message: "Please look." });
}

const give = async (run, verdict, more = {}) =>
  client.answer(await client.get(run.decision), { values: { verdict, ...more }, message: "Because.", by: "ana" });

test("from beginning to commit, and back", async () => {
  let run = await runs.start({ task: "Cache it", repo, intent: "Faster" });
  assert.deepEqual([run.status, run.standing.is], ["running", "running"]);
  run = await runs.patch(run, DIFF, { rationale: "An LRU" });
  const patchset = run.patchsets[0].id;
  await runs.evidence(run, { kind: "test", tool: "node", command: "node --test", exit_code: 0, patchset, log: "fine\n" });
  run = await runs.usage(run, { input_tokens: 10, cost_micros: 3 });
  assert.deepEqual([run.evidence[0].exit_code, run.usage.input_tokens], [0, 10]);
  assert.deepEqual([await runs.diff(run), await runs.output(run, 1)], [DIFF, "fine\n"]);
  const kept = await runs.record(run, { object_type: "plan", steps: [] });
  assert.equal((await runs.get(run)).state.plan.selected.id, kept.object_id);
  assert.ok((await runs.objects(run)).some((each) => each.object_type === "plan"));
  run = await runs.finish(run, { message: "Please look.", assignees: ["ana"] });
  assert.equal((await runs.wait(run, { timeout: 50 })).standing.is, "waiting");
  await assert.rejects(runs.patch(run, DIFF), { name: "Problem", code: "run_over" });
  const waits = runs.wait(run);
  await give(run, "commit", { patchset });
  const ended = requireVerdict(await waits);
  assert.deepEqual([ended.standing.is, ended.verdict.rationale], ["committed", "Because."]);
  assert.equal(git("rev-parse", ended.branch), ended.verdict.commit);
  const { items, state } = await runs.log(run);
  assert.deepEqual([items.length, state.status, state.release.commit], [1, "done", ended.verdict.commit]);
  assert.ok((await all(runs.list({ page: 1 }))).some((each) => each.id === run.id));
  assert.equal((await runs.export(run)).ref, "refs/libra/intent");
  assert.deepEqual((await runs.takeOver({ repo })).runs, []);
  const back = await runs.rollback(run);
  await give(back, "rollback");
  assert.equal(requireVerdict(await runs.wait(back), "rollback").standing.is, "rolled_back");
});

test("a retry is a no, and can be followed", async () => {
  const run = await asked();
  await runs.comment(run, { path: "a.txt", line: 2, text: "Say why." });
  const follows = runs.wait(run, { follow: true });
  await give(run, "retry", { parameters: "slower" });
  const ended = await runs.wait(run, { timeout: "30s" });
  assert.throws(() => requireVerdict(ended), (why) => why instanceof NotAccepted && why.run.id === run.id);
  let next = await runs.get(ended.verdict.next);
  assert.ok(next.guidance.includes("Say why."));
  assert.equal(next.parameters, "slower");
  next = await runs.finish(next);
  await give(next, "checkpoint");
  assert.equal(requireVerdict(await follows).id, next.id);
  assert.deepEqual((await runs.log(run)).items.map((each) => each.standing.is), ["retried", "checkpointed"]);
  assert.deepEqual((await runs.resume(next)).origin, { kind: "resume", run: next.id });
});

test("what is taken back is not a verdict", async () => {
  const run = await asked();
  await client.cancel(run.decision, "Not yet");
  const withdrawn = await runs.wait(run, { timeout: "30s" });
  assert.deepEqual([withdrawn.standing.is, withdrawn.standing.reason, withdrawn.verdict], ["withdrawn", "Not yet", null]);
  assert.throws(() => requireVerdict(withdrawn), NotAccepted);
  assert.equal((await runs.carry(run)).standing.is, "withdrawn");
});

test("a wait can be ended", async () => {
  const run = await asked();
  const control = new AbortController();
  const waits = runs.wait(run, { signal: control.signal });
  control.abort(new Error("enough"));
  await assert.rejects(waits, /enough/);
  assert.equal((await runs.get(run)).standing.is, "waiting");
});
