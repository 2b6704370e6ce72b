/** What the server sends to a webhook is known as its own, and nothing else is. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";

import { NotGenuine, verify } from "../dist/index.js";
import { Server } from "./server.mjs";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const KEY = "k".repeat(24);
const now = () => String(Math.floor(Date.now() / 1000));
const signature = (key, id, at, body) => `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`;
const headersOf = (body, at = now()) => ({ "webhook-id": "1", "webhook-timestamp": at, "webhook-signature": signature(KEY, "1", at, body) });

test("what the server sends", async () => {
  const server = await Server.start();
  after(() => server.close());
  let came;
  const arrived = new Promise((resolve) => { came = resolve; });
  const receiver = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => { response.writeHead(204).end(); came([request.headers, Buffer.concat(parts)]); });
  });
  await new Promise((ready) => receiver.listen(0, "127.0.0.1", ready));
  after(() => receiver.close());
  await server.stop();
  writeFileSync(join(server.home, "secret"), SECRET, { mode: 0o600 });
  writeFileSync(join(server.home, "config.toml"), `[hooks]\ndesktop = false\n[[webhook]]\nname = "here"\nallow_private = true\noccasions = ["respond"]\nurl = "http://127.0.0.1:${receiver.address().port}/"\nsecret_file = "${server.home}/secret"\n`);
  await server.start();
  const client = server.client();
  const made = await client.create({ prompt: "Deploy?", kind: "confirm" });
  await client.answer(made, "yes", { by: "ana" });
  const [headers, body] = await arrived;
  for (const form of [headers, new Headers(headers), { "Webhook-Id": headers["webhook-id"], "Webhook-Timestamp": headers["webhook-timestamp"], "Webhook-Signature": headers["webhook-signature"] }]) {
    const notice = await verify(SECRET, form, body);
    assert.deepEqual([notice.id, notice.decision.id, notice.decision.status, notice.event.type], [headers["webhook-id"], made.id, "answered", "decision:resolved"]);
    assert.ok(notice.url.endsWith(`/d/${made.id}`));
    assert.throws(() => notice.answer, /has no answer/);
  }
  await assert.rejects(verify(SECRET, headers, body.toString().replace('"yes"', '"no!"')), NotGenuine);
});

test("callbacks of every shape", async () => {
  const answer = { id: "dcn-7k3fq2xw9mpd", status: "answered", refused: false, values: { choice: "ÿes – ok" } };
  for (const said of [answer, { data: answer }]) {
    const body = JSON.stringify(said);
    for (const [key, form] of [[KEY, body], [Buffer.from(KEY), Buffer.from(body)]]) {
      const notice = await verify(key, headersOf(body), form);
      assert.deepEqual([notice.id, notice.answer, notice.said, notice.url], ["1", answer, said, null]);
      assert.throws(() => notice.event, /has no event/);
      assert.throws(() => notice.decision, /has no decision/);
    }
  }
  for (const body of ["{}", '{"data": []}', '{"data": {}}', '{"data": null}']) {
    const notice = await verify(KEY, headersOf(body), body);
    assert.throws(() => notice.answer, /has no answer/);
  }
  for (const body of ["[]", "null", '"text"', "{", ""]) await assert.rejects(verify(KEY, headersOf(body), body), NotGenuine);
});

test("what anybody else sends", async () => {
  const signed = headersOf("{}");
  const hour = (sign) => headersOf("{}", String(Math.floor(Date.now() / 1000) + sign * 3600));
  for (const [headers, secret, why] of [
    [{}, KEY, /not signed/],
    [{ ...signed, "webhook-timestamp": "soon" }, KEY, /not signed/],
    [{ ...signed, "webhook-timestamp": "1e9" }, KEY, /not signed/],
    [{ ...signed, "webhook-id": ["1", "1"] }, KEY, /not signed/],
    [signed, "another secret of some length", /not of this body/],
    [{ ...signed, "webhook-id": "2" }, KEY, /not of this body/],
    [{ ...signed, "webhook-signature": "v1," }, KEY, /not of this body/],
    [{ ...signed, "webhook-signature": "" }, KEY, /not of this body/],
    [hour(-1), KEY, /tolerance/],
    [hour(1), KEY, /tolerance/],
  ]) {
    await assert.rejects(verify(secret, headers, "{}"), (error) => error instanceof NotGenuine && why.test(error.message), JSON.stringify(headers));
  }
  assert.equal((await verify(KEY, hour(-1), "{}", { tolerance: "2h" })).id, "1");
  await assert.rejects(verify("whsec_!!", signed, "{}"), TypeError);
  const other = { ...signed, "webhook-signature": `v1,AAAA ${signed["webhook-signature"]}` };
  assert.equal((await verify(`${KEY}\n`, other, "{}")).id, "1", "one of several signatures, and a secret from a file");
});
