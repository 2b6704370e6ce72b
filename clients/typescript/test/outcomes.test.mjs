/** What ask comes to: nothing but an answer resolves. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";

import * as holdpoint from "../dist/index.js";
import { all, Server, until } from "./server.mjs";

let server, client;
before(async () => {
  server = await Server.start();
  client = server.client();
});
after(() => server.close());

/** Asks, does something with what was asked meanwhile, and returns the outcome. */
async function asked(question, then = () => undefined, options = {}) {
  const key = randomUUID();
  const whole = { prompt: "Deploy?", ...question };
  const asking = client.ask(whole, { key, ...options });
  asking.catch(() => undefined);
  await then(await client.create(whole, { key }));
  return asking;
}

/** Like `asked`, for what must not resolve; returns what it was rejected with. */
async function withheld(kind, question, then, options) {
  const why = await asked(question, then, options).then(
    () => assert.fail("it resolved"),
    (why) => why,
  );
  assert.equal(why.name, kind.name);
  assert.ok(why instanceof kind && why instanceof holdpoint.Withheld && why instanceof holdpoint.HoldpointError);
  return why;
}

const confirm = { kind: "confirm" };

test("a yes resolves", async () => {
  const decision = await asked(confirm, (made) => client.answer(made, "yes"));
  assert.ok(holdpoint.isApproved(decision));
});

test("a no is refused", async () => {
  const no = await withheld(holdpoint.Refused, confirm, (made) => client.answer(made, { choice: "no", message: "not\x1b[2J today" }));
  assert.match(no.message, /: not \[2J today$/);
  assert.ok(holdpoint.isRefused(no.decision) && !holdpoint.isApproved(no.decision));
});

test("an option marked as a no is refused", async () => {
  const options = [{ id: "go" }, { id: "stay", refuses: true }];
  await withheld(holdpoint.Refused, { options }, (made) => client.answer(made, "stay"));
  await withheld(holdpoint.Refused, { kind: "choices", options }, (made) => client.answer(made, { choices: ["go", "stay"] }));
});

test("an out is refused", async () => {
  await withheld(holdpoint.Refused, { options: ["a"], outs: ["skip"] }, (made) => client.answer(made, { out: "skip" }));
});

test("another than expected is refused", async () => {
  const [question, options] = [{ options: ["now", "tonight"] }, { expect: ["now"] }];
  await withheld(holdpoint.Refused, question, (made) => client.answer(made, "tonight"), options);
  assert.deepEqual(holdpoint.chosen(await asked(question, (made) => client.answer(made, "now"), options)), ["now"]);
});

test("words are an answer but no approval", async () => {
  const decision = await asked({}, (made) => client.answer(made, { values: { text: "by all means" } }));
  assert.equal(holdpoint.onlyValue(decision), "by all means");
  assert.ok(!holdpoint.isApproved(decision));
});

test("silence is not consent", async () => {
  const late = await withheld(holdpoint.TimedOut, { ...confirm, timeout: "50ms" });
  assert.deepEqual([late.default, holdpoint.chosen(late.decision)], [{}, []]);
  const taken = await withheld(holdpoint.TimedOut, { options: ["a", "b"], default: "a", timeout: "50ms" });
  assert.deepEqual([taken.default, taken.decision.answer.by], [{ choice: "a" }, "system:timeout"]);
  assert.ok(!holdpoint.isApproved(taken.decision) && !holdpoint.isAnswered(taken.decision));
  const denied = await withheld(holdpoint.TimedOut, { ...confirm, on_timeout: "deny", timeout: "50ms" });
  assert.deepEqual(holdpoint.chosen(denied.decision), ["no"]);
});

test("cancelled", async () => {
  const gone = await withheld(holdpoint.Cancelled, confirm, (made) => client.cancel(made, "moot"));
  assert.match(gone.message, /moot/);
});

test("superseded", async () => {
  const owner = { owner: "job:build", requested_by: "agent-1" };
  const gone = await withheld(holdpoint.Superseded, owner, () => client.create({ prompt: "Newer?", ...owner }));
  assert.notEqual(gone.decision.superseded_by, null);
});

test("guidance is not an answer", async () => {
  const refined = await withheld(holdpoint.Refined, { options: ["a"] }, (made) => client.guide(made, "think of memory"));
  assert.equal(refined.guidance, "think of memory");
  assert.equal((await client.get(refined.next)).prior, refined.decision.id);
});

test("still pending", async () => {
  const pending = await withheld(holdpoint.StillPending, confirm, undefined, { wait: "100ms" });
  assert.ok(holdpoint.isPending(await client.get(pending.decision)));
});

test("requiring an answer", async () => {
  const made = await client.create({ prompt: "When?", options: ["now", "tonight"] });
  assert.throws(() => holdpoint.requireAnswer(made), holdpoint.StillPending);
  const decision = await client.answer(made, "now");
  assert.equal(holdpoint.requireAnswer(decision), decision);
  assert.equal(holdpoint.requireAnswer(decision, "now", "never"), decision);
  assert.throws(() => holdpoint.requireAnswer(decision, "tonight"), holdpoint.Refused);
  assert.throws(() => holdpoint.requireAnswer({ ...decision, status: "postponed" }), holdpoint.Withheld);
});

test("ask says what it waits for, and how it was stopped", async () => {
  const said = [];
  const control = new AbortController();
  const asker = server.client({ log: (line) => said.push(line) });
  const asking = asker.ask({ prompt: "Deploy?", kind: "confirm", timeout: "1h", project: "said" }, { signal: control.signal });
  asking.catch(() => undefined);
  await until(() => said.length > 0);
  const [made] = await all(client.list({ project: "said" }));
  for (const part of [made.id, await asker.link(made), made.deadline, "expire", "Ctrl-C", `hold cancel ${made.id}`]) {
    assert.ok(said[0].includes(part), part);
  }
  control.abort();
  await assert.rejects(asking, { name: "AbortError" });
  assert.match(said[1], new RegExp(`${made.id} is still pending`));
  assert.ok(holdpoint.isPending(await client.get(made)));
});

test("ask again under the same key", async () => {
  const first = await client.create({ prompt: "Deploy?", kind: "confirm" }, { key: "deploy-42" });
  await client.answer(first, "yes");
  assert.equal((await client.ask({ prompt: "Deploy?", kind: "confirm" }, { key: "deploy-42" })).id, first.id);
  const other = client.ask({ prompt: "Destroy?", kind: "confirm" }, { key: "deploy-42" });
  await assert.rejects(other, { name: "Problem", code: "key_reused", status: 409 });
});

test("rounds are followed and revised", async () => {
  const project = "rounds";
  const heard = [];
  const onGuidance = async (next) => {
    heard.push(next.guidance);
    return { prompt: `Round ${next.iteration}?` };
  };
  const asking = client.ask({ prompt: "Round 1?", options: ["redis", "memory"], project }, { onGuidance });
  const round = async (number) => {
    let found;
    await until(async () => {
      found = (await all(client.list({ project }))).find((decision) => decision.prompt === `Round ${number}?`);
      return found !== undefined;
    });
    return found;
  };
  assert.equal((await client.guide((await round(1)).id, "think of memory")).status, "refined");
  await client.guide(await round(2), "and of cost");
  const last = await round(3);
  assert.equal(last.fields[0].options.at(-1).id, "_accept");
  await assert.rejects(client.guide(last, "once more"), { name: "Problem", code: "last_round" });
  await client.answer(last, "memory");
  assert.deepEqual([holdpoint.chosen(await asking), heard], [["memory"], ["think of memory", "and of cost"]]);
});

test("guidance on a plan is its revise option", async () => {
  const made = await client.create({ prompt: "The plan", source: "plan", subject: "1. …", options: ["accept", "revise"] });
  const guided = await client.guide(made, "smaller steps");
  assert.deepEqual([guided.status, holdpoint.chosen(guided), guided.next], ["answered", ["revise"], null]);
  assert.throws(() => holdpoint.requireAnswer(guided), holdpoint.Refused);
});
