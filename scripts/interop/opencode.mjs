// opencode itself, with the plugin that `hold hook install` writes and a stand-in for the model behind it, which wants to run one command and to edit
// one file. HOLD and OPENCODE name the programs.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "holdpoint-"));
const [home, work, bin] = ["home", "work", "bin"].map((name) => join(folder, name));
const settings = join(home, ".config/opencode");
[settings, work, bin].forEach((each) => mkdirSync(each, { recursive: true }));
symlinkSync(resolve(process.env.HOLD), join(bin, "hold"));
// opencode works in the folder that PWD names.
const env = { ...process.env, PWD: work, HOME: home, XDG_CONFIG_HOME: join(home, ".config"), HOLD_HOME: join(folder, "hold"), PATH: `${bin}:${process.env.PATH}` };
for (const name of ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]) delete env[name];
const hold = (...words) => execFileSync(process.env.HOLD, words, { encoding: "utf8", env, cwd: work, stdio: ["ignore", "pipe", "ignore"] });

const file = join(work, "a.txt");
const calls = [
  { name: "bash", arguments: JSON.stringify({ command: "touch made", description: "make it" }) },
  { name: "edit", arguments: JSON.stringify({ filePath: file, oldString: "hello", newString: "goodbye" }) },
];

/** Asks for one after the other, and once it has heard what came of the last, ends. */
const model = http.createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const { messages = [], tools = [] } = JSON.parse(body || "{}");
    const heard = messages.filter(({ role }) => role === "tool");
    const call = tools.length > 0 && calls[heard.length];
    const delta = call
      ? { role: "assistant", tool_calls: [{ index: 0, id: `call_${heard.length}`, type: "function", function: call }] }
      : { role: "assistant", content: `It said ${JSON.stringify(heard)}` };
    const chunk = (delta, finish_reason) =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "stub", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(chunk(delta, null) + chunk({}, call ? "tool_calls" : "stop") + "data: [DONE]\n\n");
  });
});
await new Promise((ready) => model.listen(0, "127.0.0.1", ready));
const options = { baseURL: `http://127.0.0.1:${model.address().port}/v1`, apiKey: "stub" };
const models = { stub: { name: "stub", tool_call: true, limit: { context: 100000, output: 1000 } } };
const provider = { stub: { npm: "@ai-sdk/openai-compatible", name: "stub", options, models } };
writeFileSync(join(settings, "opencode.json"), JSON.stringify({ autoupdate: false, share: "disabled", model: "stub/stub", small_model: "stub/stub", provider }));
hold("hook", "install", "opencode", "--yes");

/** Runs it; a person answers whatever is asked. */
async function runs(choice) {
  rmSync(join(work, "made"), { force: true });
  writeFileSync(file, "hello\n");
  const opencode = spawn(process.env.OPENCODE, ["run", "make it"], { cwd: work, env, stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  opencode.stdout.on("data", (part) => (said += part));
  const ended = new Promise((done) => opencode.on("exit", done));
  const asked = [];
  while (opencode.exitCode === null && opencode.signalCode === null) {
    for (const one of JSON.parse(hold("list", "--json"))) {
      asked.push(hold("show", one.id));
      assert.match(one.requested_by, /^opencode:/);
      hold("answer", one.id, choice, "-m", "by a person", "--digest", one.digest);
    }
    await new Promise((later) => setTimeout(later, 100));
  }
  assert.equal(await ended, 0);
  return { said, asked };
}

const state = (asked) => [existsSync(join(work, "made")), readFileSync(file, "utf8"), asked.length];
try {
  const no = await runs("deny");
  assert.match(no.said, /by a person/, "the model reads why");
  assert.deepEqual(state(no.asked), [false, "hello\n", 2]);
  assert.match(no.asked[1], /- hello\n +\+ goodbye/, "an edit is shown as changed lines");
  assert.deepEqual(state((await runs("approve")).asked), [true, "goodbye\n", 2]);
  // Where our program has gone, nothing passes.
  rmSync(join(bin, "hold"));
  env.PATH = env.PATH.split(":").filter((each) => !existsSync(join(each, "hold"))).join(":");
  assert.deepEqual(state((await runs("approve")).asked), [false, "hello\n", 0]);
  const version = execFileSync(process.env.OPENCODE, ["--version"], { encoding: "utf8", env });
  console.log(`opencode ${version.trim()}: denied and allowed by a person`);
} finally {
  model.close();
  rmSync(folder, { recursive: true, force: true });
}
