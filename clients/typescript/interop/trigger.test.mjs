/** The program of the page about Trigger.dev with its real SDK, and a stand-in for its service: `just interop frameworks`. */

import assert from "node:assert/strict";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { resourceCatalog, runtime, taskContext } from "@trigger.dev/core/v3";
import { StandardResourceCatalog } from "@trigger.dev/core/v3/workers";

import { all, Server } from "./server.mjs";

const page = readFileSync(process.env.PAGE, "utf8");
const block = (language) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page)[1];
const TOKENS = "/api/v1/waitpoints/tokens";

/** Tokens by their idempotency keys; what completes one is its output. */
class Service {
  tokens = new Map();

  async start() {
    this.server = http.createServer((request, response) => void this.meet(request, response));
    await new Promise((ready) => this.server.listen(0, "127.0.0.1", ready));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
  }

  async meet(request, response) {
    let body = "";
    for await (const part of request) body += part;
    const reply = (status, value) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url === TOKENS) {
      const { idempotencyKey } = JSON.parse(body);
      const isCached = this.tokens.has(idempotencyKey);
      const id = isCached ? this.tokens.get(idempotencyKey).id : `waitpoint_${this.tokens.size + 1}`;
      if (!isCached) {
        const token = { id, url: `${this.url}${TOKENS}/${id}/callback/secret` };
        token.completed = new Promise((complete) => (token.complete = complete));
        this.tokens.set(idempotencyKey, token);
      }
      return reply(200, { id, isCached, url: this.tokens.get(idempotencyKey).url });
    }
    const token = [...this.tokens.values()].find(({ url }) => url === this.url + request.url);
    if (token) token.complete(body);
    return reply(token || request.url.endsWith("/wait") ? 200 : 404, { success: true });
  }
}

console.log(`@trigger.dev/sdk ${JSON.parse(readFileSync(join(import.meta.dirname, "node_modules/@trigger.dev/sdk/package.json"), "utf8")).version}`);

const service = new Service();
let server, run;
const program = join(import.meta.dirname, "trigger-program.mjs");
before(async () => {
  await service.start();
  server = await Server.start();
  const settings = block("toml").replace("https://api.trigger.dev", service.url);
  appendFileSync(join(server.home, "config.toml"), `${settings}allow_private = true\n`);
  await server.kill();
  await server.start();
  Object.assign(process.env, { HOLD_URL: server.url, TRIGGER_API_URL: service.url, TRIGGER_SECRET_KEY: "tr_dev_stub" });
  resourceCatalog.setGlobalResourceCatalog(new StandardResourceCatalog());
  resourceCatalog.setCurrentFileContext("trigger-program.mjs", "trigger-program");
  // The service freezes a run that waits, and has it go on with what completed its token.
  runtime.setGlobalRuntimeManager({
    disable() {},
    async waitForWaitpoint({ waitpointFriendlyId }) {
      const token = [...service.tokens.values()].find(({ id }) => id === waitpointFriendlyId);
      return { ok: true, id: token.id, output: await token.completed, outputType: "application/json" };
    },
  });
  writeFileSync(program, block("js"));
  await import(program);
  run = (id) => {
    const ctx = { run: { id }, task: { id: "deploy" }, attempt: { number: 1 }, environment: {}, queue: {}, organization: {}, project: {} };
    taskContext.setGlobalTaskContext({ ctx, worker: {} });
    return resourceCatalog.getTask("deploy").fns.run({ target: "production" }, { ctx });
  };
});
after(async () => {
  service.server.close();
  await server.close();
  rmSync(program, { force: true });
});

const asked = async () => {
  for (;;) {
    const found = await all(server.client().list());
    if (found.length > 0) return found;
    await new Promise((later) => setTimeout(later, 20));
  }
};

test("the answer completes the token, and a run that is retried waits for the same", async () => {
  assert.ok(block("js").split("\n").filter((line) => line.trim()).length <= 30);
  for (const [id, choice, result] of [["run_1", "yes", block("text").trim()], ["run_2", "no", "not deployed"]]) {
    const lost = run(id);
    const [made, ...others] = await asked();
    const again = run(id);
    assert.deepEqual(others, []);
    await server.client().answer(made.id, choice);
    assert.equal(await again, result);
    assert.equal(await lost, result);
    assert.equal((await all(server.client().list({ status: "all" }))).length, Number(id.at(-1)));
  }
});
