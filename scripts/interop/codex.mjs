// Codex itself, with our hooks and a stand-in for the model behind it, which wants to run one command. In place of a person who
// trusts the hooks in Codex' own review, the flag for automation does. HOLD and CODEX name the programs.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "holdpoint-"));
const [home, work] = ["codex", "work"].map((name) => join(folder, name));
[home, work].forEach((each) => mkdirSync(each));
const env = { ...process.env, CODEX_HOME: home, HOLD_HOME: join(folder, "hold") };
const hold = (...words) => execFileSync(process.env.HOLD, words, { encoding: "utf8", env, cwd: work, stdio: ["ignore", "pipe", "ignore"] });

/** Asks for the command, and once it has heard what came of it, ends. */
const model = http.createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    if (!request.url.endsWith("/responses")) return response.end("{}");
    const { input, tools } = JSON.parse(body);
    const heard = input.filter(({ type }) => type === "function_call_output").map(({ output }) => JSON.stringify(output));
    const run = tools.some(({ name }) => name === "exec_command");
    assert.ok(run, "Codex offers to run commands");
    const call = { type: "function_call", call_id: "c1", name: "exec_command", arguments: JSON.stringify({ cmd: "touch made" }) };
    const said = { type: "message", role: "assistant", id: "m1", content: [{ type: "output_text", text: `It said ${heard.join()}` }] };
    const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
    const events = [
      { type: "response.created", response: { id: "r1" } },
      { type: "response.output_item.done", item: heard.length ? said : call },
      { type: "response.completed", response: { id: "r1", usage } },
    ];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  });
});
await new Promise((ready) => model.listen(0, "127.0.0.1", ready));
writeFileSync(
  join(home, "config.toml"),
  `model = "stub"\nmodel_provider = "stub"\n[model_providers.stub]\nname = "stub"\nwire_api = "responses"\nbase_url = "http://127.0.0.1:${model.address().port}/v1"\n`,
);
hold("hook", "install", "codex", "--guard", "Bash", "--yes");

async function runs(choice) {
  rmSync(join(work, "made"), { force: true });
  const flags = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"];
  const codex = spawn(process.env.CODEX, ["exec", ...flags, "make it"], { cwd: work, env, stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  codex.stdout.on("data", (part) => (said += part));
  const ended = new Promise((done) => codex.on("exit", done));
  let asked;
  while (!asked && codex.exitCode === null) {
    [asked] = JSON.parse(hold("list", "--json"));
    await new Promise((later) => setTimeout(later, 100));
  }
  assert.match(asked?.requested_by ?? "nobody was asked", /^codex:/);
  assert.equal(asked.subject.input.command, "touch made");
  hold("answer", asked.id, choice, "-m", "by a person", "--digest", asked.digest);
  assert.equal(await ended, 0);
  return said;
}

try {
  assert.match(await runs("deny"), /by a person/, "the model reads why");
  assert.equal(existsSync(join(work, "made")), false);
  await runs("approve");
  assert.equal(existsSync(join(work, "made")), true);
  assert.equal(JSON.parse(hold("list", "--status", "all", "--json")).length, 2, "each was asked about once");
  console.log(execFileSync(process.env.CODEX, ["--version"], { encoding: "utf8", env }).trim() + ": denied and allowed by a person");
} finally {
  model.close();
  rmSync(folder, { recursive: true, force: true });
}
