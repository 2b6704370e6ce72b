/** Every verb, once, against the real server. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { chosen, isAnswered, isApproved, isPending, isRefused, onlyValue } from "../dist/index.js";
import { all, Server } from "./server.mjs";

let server, client;
before(async () => {
  server = await Server.start();
  client = server.client();
});
after(() => server.close());

const refused = (code) => ({ name: "Problem", code });
const ids = (decisions) => decisions.map((decision) => decision.id);

test("create and get", async () => {
  const made = await client.create({
    prompt: "Which cache?",
    title: "Cache",
    options: [["redis", "Use Redis"], { id: "memory", label: "In-memory LRU", recommended: true }, "none"],
    outs: ["later"],
    owner: "item:bd-abc123",
    requested_by: "agent-7",
    assignees: ["ana"],
    priority: "high",
    timeout: 3_600_000,
    default: "redis",
    max_iterations: 5,
  });
  assert.equal(made.status, "pending");
  assert.deepEqual(ids(made.fields[0].options), ["redis", "memory", "none"]);
  assert.equal(made.fields[0].options[1].recommended, true);
  assert.deepEqual([made.fields[0].id, made.fields[0].label], ["choice", "Which cache?"]);
  assert.deepEqual([made.on_timeout, made.default, made.max_iterations], ["default", { choice: "redis" }, 5]);
  assert.equal(Date.parse(made.deadline) - Date.parse(made.created_at), 3_600_000);
  assert.deepEqual(await client.get(made.id), made);
  assert.equal((await client.get(made.id.slice(4))).id, made.id);
  assert.equal(await client.link(made), `${server.url}/d/${made.id}`);
});

test("metadata comes back and a callback must be listed", async () => {
  const made = await client.create({ prompt: "Deploy?", kind: "confirm", metadata: { run: "4711" } });
  assert.deepEqual((await client.get(made.id)).metadata, { run: "4711" });
  const callback = { url: "https://example.org/x", body: "data" };
  await assert.rejects(client.create({ prompt: "Deploy?", kind: "confirm", callback }), { name: "Problem", status: 422 });
});

test("what is asked without fields", async () => {
  assert.equal((await client.create("Your name?")).fields[0].kind, "text");
  const [confirm] = (await client.create({ prompt: "Deploy?", kind: "confirm" })).fields;
  assert.deepEqual(confirm.options.map(({ id, refuses }) => [id, refuses]), [["yes", undefined], ["no", true]]);
  const approval = await client.create({ prompt: "Run it?", subject: { tool: "sh" } });
  assert.deepEqual([approval.source, approval.fields[0].kind], ["approval", "confirm"]);
});

test("forms", async () => {
  const made = await client.create({
    title: "Order",
    fields: [
      { id: "name", kind: "text", max: 20 },
      { id: "news", kind: "boolean", default: false, required: false },
      { id: "size", kind: "choice", options: [{ id: "s" }, { id: "m" }], custom: true },
    ],
    deadline: new Date("2090-01-01T00:00:00Z"),
  });
  assert.deepEqual([made.fields[1].default, made.fields[1].required, made.deadline.slice(0, 4)], [false, false, "2090"]);
  assert.deepEqual((await client.draft(made, { name: "Ana" })).draft, { name: "Ana" });
  const done = await client.answer(made, { values: { name: "Ana", size: { text: "XXL" } }, by: "ana" });
  assert.deepEqual(done.answer.values, { name: "Ana", size: { text: "XXL" } });
  assert.deepEqual([done.answer.by, done.answer.via, done.answer.auth], ["ana", "http", "claimed"]);
});

test("list goes through all pages", async () => {
  const project = "paged";
  const made = [];
  for (let number = 0; number < 7; number++) made.push((await client.create({ prompt: `${number}?`, project })).id);
  assert.deepEqual(ids(await all(client.list({ project, page: 3 }))), made);
  assert.deepEqual(ids(await all(client.list({ project, page: 3, newestFirst: true }))), [...made].reverse());
  await client.cancel(made[0]);
  assert.equal((await all(client.list({ project }))).length, 6);
  assert.deepEqual(ids(await all(client.list({ project, status: ["cancelled", "answered"] }))), made.slice(0, 1));
  assert.equal((await all(client.list({ project, status: "all" }))).length, 7);
});

test("list filters", async () => {
  const project = "few";
  const made = await client.create({ prompt: "Mine?", project, owner: "job:build", requested_by: "agent-1", assignees: ["ana"] });
  await client.create({ prompt: "Other?", project });
  for (const query of [{ owner: "job:build" }, { requested_by: "agent-1" }]) {
    assert.deepEqual(ids(await all(client.list({ project, ...query }))), [made.id]);
  }
  assert.deepEqual(await all(client.list({ project, source: "plan" })), []);
});

test("wait is woken", async () => {
  const made = await client.create({ prompt: "Go on?", kind: "confirm" });
  const waiting = client.wait(made);
  await server.parked();
  await client.answer(made, { choice: "yes", message: "fine" });
  const settled = await waiting;
  assert.ok(isApproved(settled) && isAnswered(settled) && !isRefused(settled));
  assert.deepEqual([chosen(settled), onlyValue(settled), settled.answer.message], [["yes"], "yes", "fine"]);
});

test("wait ends with its time", async () => {
  const made = await client.create("Anyone?");
  assert.ok(isPending(await client.wait(made, { timeout: "100ms" })));
  assert.ok(isPending(await client.wait(made.id, { timeout: 0 })));
});

test("wait ends with its signal", async () => {
  const made = await client.create("Anyone?");
  const control = new AbortController();
  const waiting = client.wait(made, { signal: control.signal });
  await server.parked();
  control.abort(new Error("enough"));
  await assert.rejects(waiting, { message: "enough" });
  await assert.rejects(client.get(made, { signal: AbortSignal.abort(new Error("never")) }), { message: "never" });
});

test("revise", async () => {
  const made = await client.create({ prompt: "Old?", options: ["a", "b"] });
  const revised = await client.revise(made, { prompt: "New?", fields: [{ id: "choice", kind: "choice", options: [{ id: "c" }] }] });
  assert.deepEqual([revised.id, revised.prompt], [made.id, "New?"]);
  await assert.rejects(client.answer(made, "c"), refused("stale"));
  assert.ok(isAnswered(await client.answer(revised, "c")));
});

test("several are answered, each by itself", async () => {
  const [first, second] = [await client.create({ prompt: "Run it?", subject: "ls" }), await client.create({ prompt: "Run it?", subject: "rm" })];
  await client.revise(second, { subject: "rm -rf" });
  const done = await client.answerMany([[first, "yes"], [second, { choice: "yes" }]]);
  assert.deepEqual(done.map((one) => [one.id, one.status, one.refused?.code]), [[first.id, "answered", undefined], [second.id, undefined, "stale"]]);
});

test("choices and outs", async () => {
  const several = await client.create({ prompt: "Which?", kind: "choices", options: ["a", "b", "c"] });
  assert.deepEqual(chosen(await client.answer(several, { choices: ["a", "c"] })), ["a", "c"]);
  const made = await client.create({ prompt: "Which?", options: ["a"], outs: ["none of these"] });
  const out = await client.answer(made, { out: "none of these" });
  assert.deepEqual([chosen(out), isRefused(out), isApproved(out)], [["none of these"], true, false]);
});

test("cancel", async () => {
  const made = await client.create("Still?");
  assert.equal((await client.cancel(made, "not needed")).reason, "not needed");
  assert.equal((await client.cancel(made, "not needed")).status, "cancelled");
});

test("an answer about a subject says what was seen", async () => {
  const made = await client.create({ prompt: "Run it?", subject: { command: "ls" } });
  assert.equal(made.asked_by, null);
  await assert.rejects(client.answer(made.id, "yes"), refused("digest_required"));
  const revised = await client.revise(made, { subject: { command: "rm" } });
  await assert.rejects(client.answer(made, "yes"), refused("stale"));
  assert.ok(isApproved(await client.answer(revised, "yes")));
});

test("consume once, and only this", async () => {
  const subject = { command: "rm", arguments: ["-r", "/data"], n: 1.5 };
  const made = await client.create({ prompt: "Run it?", subject });
  await assert.rejects(client.consume(made, subject), refused("not_consumable"));
  await client.answer(made, "yes");
  await assert.rejects(client.consume(made, { command: "ls" }), refused("not_consumable"));
  await assert.rejects(client.consume(made, subject, { min: "token" }), refused("not_consumable"));
  assert.notEqual((await client.consume(made, subject)).consumed_at, null);
  await assert.rejects(client.consume(made, subject), refused("not_consumable"));
});

test("text survives as it is", async () => {
  const words = 'Größe? 🙂 \u2028 "quoted" \\ <b>&amp;';
  assert.equal((await client.create(words)).prompt, words);
});
