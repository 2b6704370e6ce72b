/** What bad input and bad luck get. */

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { Client, isApproved, isPending, Problem, Unreachable } from "../dist/index.js";
import { Flaky } from "./flaky.mjs";
import { all, Server } from "./server.mjs";

let server, client;
before(async () => {
  server = await Server.start();
  client = server.client();
});
after(() => server.close());

test("not found", async () => {
  const missing = { name: "Problem", status: 404, code: "not_found" };
  await assert.rejects(client.get("dcn-000000000000"), missing);
  await assert.rejects(client.answer("zzz", "yes"), missing);
});

test("invalid names every fault", async () => {
  const fields = [{ id: "a", kind: "choice" }, { id: "b", kind: "text", min: "x" }];
  const problem = await client.create({ prompt: "?", fields }).catch((why) => why);
  assert.ok(problem instanceof Problem);
  assert.deepEqual([problem.status, problem.code, problem.errors.map((fault) => fault.field)], [422, "invalid", ["a", "b"]]);
});

test("unknown keys are refused", async () => {
  const problem = await client.create({ prompt: "?", colour: "red" }).catch((why) => why);
  assert.equal(problem.errors[0].field, "colour");
});

test("settled shows the outcome", async () => {
  const made = await client.create({ prompt: "Deploy?", kind: "confirm" });
  const first = await client.answer(made, { choice: "yes", by: "ana" });
  assert.deepEqual(await client.answer(made, { choice: "yes", by: "bob" }), first);
  const problem = await client.answer(made, "no").catch((why) => why);
  assert.deepEqual([problem.status, problem.code, problem.decision], [409, "already_settled", first]);
  assert.match(problem.message, /\nhint: .*hold show/);
});

test("ids cannot leave their place", async () => {
  for (const id of ["../projects", "a/b", "a?x=1", "a#b", "%2e%2e"]) {
    await assert.rejects(client.get(id), { code: "not_found" });
  }
  for (const id of ["", ".", ".."]) await assert.rejects(client.get(id), TypeError);
});

test("too large", async () => {
  await assert.rejects(client.create("x".repeat(16 << 20)), { status: 413, code: "too_large" });
});

test("mistakes of the caller", async () => {
  await assert.rejects(client.create({ prompt: "?", kind: "confirm", fields: [] }), TypeError);
  await assert.rejects(client.create({ prompt: "?", timeout: -1 }), RangeError);
  await assert.rejects(client.create("?", { key: "ключ" }), TypeError);
  for (const timeout of ["soon", "", "30", "1h 30m", Number.NaN]) {
    await assert.rejects(client.wait("dcn-1", { timeout }), RangeError);
  }
});

test("nobody there", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address();
  await new Promise((resolve) => taken.close(resolve));
  const lonely = new Client({ url: `http://127.0.0.1:${port}`, patience: 200 });
  await assert.rejects(lonely.get("x"), Unreachable);
  await assert.rejects(lonely.wait("x", { timeout: 200 }), Unreachable);
  await assert.rejects(lonely.events().next(), Unreachable);
});

test("a server that says nothing is not waited for longer than asked", async () => {
  const sockets = [];
  const mute = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  await new Promise((resolve) => mute.once("listening", resolve));
  const began = performance.now();
  await assert.rejects(new Client({ url: `http://127.0.0.1:${mute.address().port}` }).wait("x", { timeout: 100 }), Unreachable);
  assert.ok(performance.now() - began < 10_000);
  sockets.forEach((socket) => socket.destroy());
  mute.close();
});

describe("a lost reply does not lead to two of anything", () => {
  let wire, client;
  beforeEach(async () => {
    wire = await Flaky.start(server.url);
    client = new Client({ url: wire.url, token: "secret", log: () => undefined });
  });
  afterEach(() => wire.close());

  test("create", async () => {
    wire.lose = 2;
    const made = await client.create({ prompt: "Deploy?", project: "lost" });
    const listed = await all(server.client().list({ project: "lost", status: "all" }));
    assert.deepEqual(listed.map((decision) => decision.id), [made.id]);
    assert.equal(wire.seen.length, 3);
    assert.equal(new Set(wire.seen.map(({ headers }) => headers["idempotency-key"])).size, 1);
  });

  test("answer, guide, cancel and revise", async () => {
    const made = await client.create({ prompt: "Deploy?", options: ["a", "b"] });
    wire.lose = 1;
    assert.equal((await client.revise(made, { title: "T" })).title, "T");
    wire.lose = 1;
    const refined = await client.guide(made.id, " think again ");
    assert.equal(refined.status, "refined");
    wire.lose = 1;
    assert.equal((await client.answer(refined.next, "a")).status, "answered");
    const other = await client.create("Other?");
    wire.lose = 1;
    assert.equal((await client.cancel(other)).status, "cancelled");
  });

  test("consume", async () => {
    const approved = async () => client.answer(await client.create({ prompt: "Run it?", subject: "x" }), "yes");
    for (const trouble of ["drop", "lose"]) {
      const made = await approved();
      wire[trouble] = 1;
      assert.notEqual((await client.consume(made, "x")).consumed_at, null, trouble);
      await assert.rejects(client.consume(made, "x"), { name: "Problem", code: "not_consumable" });
    }
    const made = await approved();
    const first = await client.consume(made, "x", { key: "k" });
    assert.equal((await client.consume(made, "x", { key: "k" })).consumed_at, first.consumed_at);
    await assert.rejects(client.consume(made, "y", { key: "k" }), { name: "Problem", code: "key_reused" });
  });

  test("wait", async () => {
    const made = await client.create({ prompt: "Run it?", kind: "confirm" });
    await server.client().answer(made, "yes");
    wire.lose = 2;
    assert.ok(isApproved(await client.wait(made, { timeout: "20s" })));
  });

  test("a busy server is asked again", async () => {
    const busy = '{"type":"x","title":"x","status":503,"code":"too_many","detail":"too many requests"}';
    wire.replies = [
      { status: 503, headers: { "retry-after": "0" }, body: busy },
      { status: 502, body: "<html>" },
      { status: 429, body: busy },
    ];
    assert.ok(isPending(await client.create("?")));
    assert.deepEqual(wire.replies, []);
  });

  test("what is no server is called so", async () => {
    wire.replies = [{ status: 200, body: "<html>" }, { status: 404, body: "<html>" }];
    for (let time = 0; time < 2; time++) await assert.rejects(client.get("x"), /not a Holdpoint server/);
  });

  test("redirects are not followed", async () => {
    const elsewhere = await Flaky.start();
    wire.replies = [{ status: 307, headers: { location: `${elsewhere.url}/v1/decisions/x` } }];
    await assert.rejects(client.get("x"), Unreachable);
    assert.deepEqual(elsewhere.seen, []);
    elsewhere.close();
  });

  test("the token is sent", async () => {
    await client.create("?");
    assert.equal(wire.seen[0].headers.authorization, "Bearer secret");
    assert.ok(!JSON.stringify(client).includes("secret"));
  });
});
