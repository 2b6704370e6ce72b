/** A server that asks who calls: what a client may do, and that it survives a restart there too. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client, isApproved } from "../dist/index.js";
import { all, Server, signal } from "./server.mjs";

let server;
before(async () => {
  server = await Server.start([]);
});
after(() => server.close());

/** A client with a token of its own. */
async function holding(name, role) {
  return server.client({ token: await server.token(name, role) });
}

/** A client that is told nothing but the data folder. */
async function local(options = {}) {
  process.env.HOLD_HOME = server.home;
  const client = new Client({ log: () => undefined, ...options });
  await client.link("x");
  delete process.env.HOLD_HOME;
  return client;
}

test("nobody comes in without a token", async () => {
  for (const token of ["", "nonsense"]) {
    await assert.rejects(server.client({ token }).create("?"), { name: "Problem", status: 401, code: "unauthorized" });
  }
});

test("a person takes and snoozes", async () => {
  const [ana, agent] = [await holding("ana-who-takes", "person"), await holding("agent-that-asks", "agent")];
  const made = await agent.create({ prompt: "Deploy?", kind: "confirm" });
  assert.equal((await ana.take(made)).taken.by, "ana-who-takes");
  assert.equal((await ana.release(made)).taken, undefined);
  for (const until of ["2h", 7_200_000, new Date(Date.now() + 7_200_000)]) {
    const back = Date.parse((await ana.snooze(made, until)).snoozed["ana-who-takes"]);
    assert.ok(Math.abs(back - Date.now() - 7_200_000) < 300_000, String(back));
  }
  assert.equal((await ana.wake(made)).snoozed, undefined);
  await assert.rejects(agent.take(made), { name: "Problem", status: 403 });
});

test("a person saves views", async () => {
  const [ana, agent] = [await holding("ana-who-saves", "person"), await holding("agent-that-is-sought", "agent")];
  const wanted = await agent.create({ prompt: "Deploy the shop?", kind: "confirm" });
  const other = await agent.create("Which colour?");
  assert.deepEqual(await ana.views.list(), []);
  const view = await ana.views.save("Deploys/all", { q: "deploy shop", status: ["pending", "answered"] });
  assert.deepEqual(view, { name: "Deploys/all", q: "deploy shop", status: "pending,answered" });
  assert.deepEqual(await ana.views.list(), [view]);
  await ana.answer(wanted, "no");
  const ids = async (query) => (await all(ana.list(query))).map((each) => each.id);
  assert.deepEqual(await ids({ view }), [wanted.id]);
  assert.deepEqual(await ids({ q: "colour" }), [other.id]);
  await assert.rejects(ids({ view, q: "x" }), TypeError);
  await ana.views.remove("Deploys/all");
  await assert.rejects(ana.views.remove("Deploys/all"), { name: "Problem", status: 404 });
});

test("programs on this machine need no configuration", async () => {
  const client = await local();
  const made = await client.create({ prompt: "Deploy?", kind: "confirm" });
  const { answer } = await client.answer(made, { choice: "yes", by: "someone else" });
  assert.equal(answer.auth, "local");
  assert.notEqual(answer.by, "someone else");
});

test("an agent asks and a person answers", async () => {
  const [agent, person] = [await holding("builder", "agent"), await holding("ana", "person")];
  const subject = { command: "deploy" };
  const asking = agent.ask({ prompt: "Deploy?", subject });
  await server.parked();
  const [made] = await all(agent.list());
  await assert.rejects(agent.answer(made, "yes"), { name: "Problem", status: 403 });
  await person.answer(made, "yes");
  const settled = await asking;
  assert.deepEqual([settled.answer.by, settled.answer.auth], ["ana", "token"]);
  assert.notEqual((await agent.consume(settled, subject, { min: "token" })).consumed_at, null);
});

test("an agent sees only its own", async () => {
  const [mine, other] = [await holding("one", "agent"), await holding("two", "agent")];
  const made = await mine.create("Mine?");
  await assert.rejects(other.get(made), { name: "Problem", status: 404 });
  assert.deepEqual(await all(other.list()), []);
});

test("ask survives a kill", async () => {
  const lost = signal();
  const asker = await local({ log: (line) => line.includes("trying again") && lost.set() });
  const asking = asker.ask({ prompt: "Deploy?", kind: "confirm", project: "killed" });
  await server.parked();
  await server.kill();
  await lost.promise;
  await server.start();
  const [made] = await all(asker.list({ project: "killed" }));
  await asker.answer(made, "yes");
  assert.ok(isApproved(await asking));
});
