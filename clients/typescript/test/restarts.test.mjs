/** A waiter survives the server being killed and started again. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { Client, isApproved, isRefused } from "../dist/index.js";
import { Flaky } from "./flaky.mjs";
import { all, Server, signal } from "./server.mjs";

let server;
beforeEach(async () => {
  server = await Server.start();
});
afterEach(() => server.close());

const numbers = (events) => events.map((event) => event.seq);

/** Asks, and kills the server once that holds; returns what is asked and how to hear of it. */
async function askAndKill() {
  const lost = signal();
  const said = [];
  const log = (line) => {
    said.push(line);
    if (line.includes("trying again")) lost.set();
  };
  const asking = server.client({ log }).ask({ prompt: "Deploy?", kind: "confirm" });
  await server.parked();
  const [made] = await all(server.client().list());
  await server.kill();
  await lost.promise;
  return { asking, made, said };
}

test("ask survives a kill", async () => {
  const { asking, made, said } = await askAndKill();
  await server.start();
  await server.parked();
  await server.client().answer(made, { choice: "yes", by: "ana" });
  const settled = await asking;
  assert.ok(isApproved(settled));
  assert.deepEqual([settled.id, said.length], [made.id, 2]);
});

test("an answer given while the asker was cut off is found", async () => {
  const { asking, made } = await askAndKill();
  const { port } = server;
  // Answered while nothing listens where the asker looks.
  server.port = 0;
  await server.start();
  await server.client().answer(made, "yes");
  await server.kill();
  server.port = port;
  await server.start();
  assert.ok(isApproved(await asking));
});

test("a server that comes back elsewhere is found", async () => {
  process.env.HOLD_HOME = server.home;
  try {
    const lost = signal();
    const client = new Client({ log: (line) => line.includes("trying again") && lost.set() });
    const asking = client.ask({ prompt: "Deploy?", kind: "confirm" });
    await server.parked();
    const [made] = await all(server.client().list());
    await server.kill();
    await lost.promise;
    server.port = 0;
    await server.start();
    await server.client().answer(made, "yes");
    assert.ok(isApproved(await asking));
    assert.equal(await client.link(made), `${server.url}/d/${made.id}`);
  } finally {
    delete process.env.HOLD_HOME;
  }
});

test("wait survives an orderly restart", async () => {
  const made = await server.client().create({ prompt: "Deploy?", kind: "confirm" });
  const waiting = server.client().wait(made, { timeout: "1m" });
  await server.parked();
  await server.stop();
  await server.start();
  await server.parked();
  await server.client().answer(made, "no");
  assert.ok(isRefused(await waiting));
});

test("events go on after a kill", async () => {
  const client = server.client();
  await client.create("before");
  const events = client.events({ after: 0 });
  const seen = [(await events.next()).value];
  for (let round = 0; round < 2; round++) {
    await server.kill();
    await server.start();
    const made = await client.create(`after ${round}`);
    await client.answer(made, { values: { text: "x" } });
    seen.push((await events.next()).value, (await events.next()).value);
  }
  assert.deepEqual(numbers(seen), [1, 2, 3, 4, 5]);
  await events.return();
});

test("events end with their signal", async () => {
  const control = new AbortController();
  const events = server.client().events({ signal: control.signal });
  const next = events.next();
  control.abort(new Error("enough"));
  await assert.rejects(next, { message: "enough" });
});

test("the log as it stands", async () => {
  const client = server.client();
  const made = await client.create({ prompt: "A?", kind: "confirm" });
  await client.create({ prompt: "B?", project: "other" });
  await client.answer(made, "yes");
  const log = await all(client.events({ follow: false }));
  assert.deepEqual(numbers(log), [1, 2, 3]);
  assert.deepEqual([log[0].type, log[0].id, log[0].project, log[0].prompt], ["decision:created", made.id, "default", "A?"]);
  assert.deepEqual(numbers(await all(client.events({ after: 1, follow: false }))), [2, 3]);
  assert.deepEqual(numbers(await all(client.events({ decision: made, follow: false }))), [1, 3]);
  assert.deepEqual(numbers(await all(client.events({ project: "other", follow: false }))), [2]);
});

test("more than a page", async () => {
  const client = server.client();
  const made = await client.create("A?");
  await Promise.all(Array.from({ length: 505 }, (_, number) => client.draft(made, { text: String(number) })));
  const expected = Array.from({ length: 506 }, (_, number) => number + 1);
  assert.deepEqual(numbers(await all(client.events({ follow: false }))), expected);
  const live = [];
  for await (const event of client.events({ after: 0 })) {
    live.push(event);
    if (live.length === 506) break;
  }
  assert.deepEqual(numbers(live), expected);
});

test("a frame that was cut off comes again", async () => {
  const wire = await Flaky.start(server.url);
  const event = (seq) => `{"seq":${seq},"type":"decision:created","at":"2026-11-15T12:00:00Z","stream":"s"}`;
  const headers = { "content-type": "text/event-stream" };
  wire.replies = [
    `: hello\n\nid: 7\nevent: decision:created\ndata: ${event(7)}\n\nid: 8\ndata: {"seq":8`,
    `id: 8\r\ndata: ${event(8)}\r\n\r\nid: 9\n\n`,
    `id: 10\ndata: ${event(10)}\n\n`,
  ].map((body) => ({ status: 200, headers, body }));
  const events = new Client({ url: wire.url }).events();
  const seen = [];
  for (let time = 0; time < 3; time++) seen.push((await events.next()).value);
  await events.return();
  assert.deepEqual(numbers(seen), [7, 8, 10]);
  assert.deepEqual(wire.seen.map(({ headers }) => headers["last-event-id"]), [undefined, "7", "9"]);
  wire.close();
});
