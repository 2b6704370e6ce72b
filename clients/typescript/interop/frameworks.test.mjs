/** The real AI SDK and the real zod: `just interop frameworks`. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";

import { fieldsOf, into, Unfit } from "holdpoint";
import { z } from "zod";

import { all, Server, until } from "./server.mjs";

const { resolve } = createRequire(import.meta.url);
for (const name of ["ai", "zod"]) {
  const { version } = JSON.parse(readFileSync(resolve(`${name}/package.json`), "utf8"));
  console.log(`${name} ${version}`);
}

let server, client, folder, agent;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-"));
  server = await Server.start();
  client = server.client();
});
afterEach(() => agent?.process.kill("SIGKILL"));
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function start() {
  const env = { ...process.env, HOLD_URL: server.url };
  const started = spawn(process.execPath, [new URL("agent.mjs", import.meta.url).pathname, join(folder, "state")], { env });
  agent = { process: started, said: "" };
  started.stdout.on("data", (text) => (agent.said += text));
  started.stderr.on("data", (text) => (agent.said += `\n! ${text}`));
  agent.ended = new Promise((end) => started.on("close", end));
}

/** What waits, once the agent holds on it. */
async function asked() {
  let found = [];
  await until(async () => (found = await all(client.list())).length > 0);
  await server.parked();
  return found[0];
}

const said = async () => {
  assert.equal(await agent.ended, 0, agent.said);
  return agent.said.split("\n").filter((line) => /^(deployed|It says)/.test(line));
};

test("an agent that is killed comes back to the same decision", async () => {
  start();
  const made = await asked();
  assert.deepEqual(made.subject, { tool: "deploy", arguments: { target: "production" } });
  agent.process.kill("SIGKILL");
  await agent.ended;
  await client.answer(made, "yes");
  start();
  assert.deepEqual(await said(), ["deployed production", 'It says: [{"type":"text","value":"done"}]']);
  assert.notEqual((await client.get(made)).consumed_at, null);
  assert.equal((await all(client.list({ status: "all" }))).length, 1);
  assert.deepEqual(readdirSync(folder), []);
});

test("a no reaches the model with its reason", async () => {
  await server.close();
  server = await Server.start();
  client = server.client();
  start();
  await client.answer(await asked(), { choice: "no", message: "Not on a Friday." });
  const [only, ...more] = await said();
  assert.match(only, /execution-denied.*Not on a Friday\./);
  assert.deepEqual(more, []);
});

test("zod in and out", async () => {
  const order = z.object({
    name: z.string().min(2),
    notes: z.string().optional().meta({ kind: "multiline" }),
    count: z.int().positive().default(3),
    size: z.literal([1, 2]),
    extras: z.array(z.enum(["ribbon", "card"])),
    needed: z.iso.date(),
    at: z.iso.time().nullable().meta({ kind: "time" }),
  });
  const kinds = ["text", "multiline", "integer", "choice", "choices", "date", "time"];
  assert.deepEqual(fieldsOf(order).map(({ kind }) => kind), kinds);
  const made = await client.create({ prompt: "?", fields: fieldsOf(order) });
  const done = await client.answer(made, { values: { name: "Ana", size: "2", extras: ["card"], needed: "2026-12-24" } });
  assert.deepEqual(await into(done, order), { name: "Ana", count: 3, size: 2, extras: ["card"], needed: "2026-12-24", at: null });
  await assert.rejects(into(done, order.refine(() => false, "never")), Unfit);
  assert.throws(() => fieldsOf(z.object({ when: z.object({ a: z.string() }) })), /when: a form cannot carry/);
});
