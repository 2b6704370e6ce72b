/** The module for the AI SDK, with messages as the SDK makes them; `just interop frameworks` has the SDK itself. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { inFile, pendingApprovals, run } from "../dist/ai.js";
import { all, Server, until } from "./server.mjs";

let server, client, folder;
before(async () => {
  server = await Server.start();
  client = server.client();
  folder = mkdtempSync(join(tmpdir(), "holdpoint-"));
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const START = [{ role: "user", content: "Deploy!" }];
const CALL = { type: "tool-call", toolCallId: "call-1", toolName: "deploy", input: { target: "production" } };
const REQUEST = { type: "tool-approval-request", approvalId: "approval-1", toolCallId: "call-1" };

/** Calls the tool once, then says what it was told. */
async function generate(messages) {
  const last = messages.at(-1);
  if (last.role !== "tool") return { text: "", responseMessages: [{ role: "assistant", content: [CALL, REQUEST] }] };
  const [{ approved, reason }] = last.content;
  return { text: `${approved}: ${reason ?? "-"}`, responseMessages: [{ role: "assistant", content: "fine" }] };
}

/** What waits in a project, once it does. */
async function asked(project) {
  let found = [];
  await until(async () => (found = await all(client.list({ project }))).length > 0);
  return found[0];
}

async function ruled(id, then, more = {}) {
  const ran = run(generate, START, { id, client, project: id, ...more });
  const made = await asked(id);
  await then(made);
  return [await ran, made];
}

test("what is waited for is found in the messages", () => {
  const asked = [...START, { role: "assistant", content: [CALL, REQUEST] }];
  assert.deepEqual(pendingApprovals(asked), [{ ...CALL, approvalId: "approval-1" }].map(({ type, ...rest }) => rest));
  const done = [...asked, { role: "tool", content: [{ type: "tool-approval-response", approvalId: "approval-1", approved: true }] }];
  assert.deepEqual(pendingApprovals(done), []);
});

test("a yes is used once, and found again after a restart", async () => {
  const state = inFile(join(folder, "state"));
  const control = new AbortController();
  const killed = run(generate, START, { id: "yes", client, project: "yes", state, signal: control.signal });
  const made = await asked("yes");
  await server.parked();
  control.abort(new Error("killed"));
  await assert.rejects(killed, /killed/);
  assert.deepEqual(made.subject, { tool: "deploy", arguments: { target: "production" } });
  await client.answer(made, { choice: "yes", message: "fine" });
  const again = await run(generate, [], { id: "yes", client, project: "yes", state });
  assert.equal(again.text, "true: fine");
  assert.notEqual((await client.get(made)).consumed_at, null);
  assert.deepEqual(readdirSync(folder), []);
});

test("a yes that was used is no yes to a second call of the same id", async () => {
  const [first, made] = await ruled("twice", (made) => client.answer(made, { choice: "yes" }));
  assert.equal(first.text, "true: -");
  const [second, again] = await ruled("twice", (made) => client.answer(made, { choice: "no", message: "once is enough" }));
  assert.equal(second.text, "false: once is enough");
  assert.notEqual(again.id, made.id);
});

test("whatever is no yes is a no", async () => {
  const cases = [
    ["no", (made) => client.answer(made, { choice: "no", message: "not now" }), "not now"],
    ["guided", (made) => client.guide(made, "look first"), "look first"],
    ["gone", (made) => client.cancel(made, "moot"), "moot"],
  ];
  for (const [id, then, reason] of cases) {
    const [{ text }] = await ruled(id, then);
    assert.equal(text, `false: ${reason}`);
    assert.deepEqual(await all(client.list({ project: id })), [], id);
  }
});

test("silence is a no", async () => {
  const { text } = await run(generate, START, { id: "late", client, timeout: "50ms" });
  assert.match(text, /^false: Nobody answered/);
});
