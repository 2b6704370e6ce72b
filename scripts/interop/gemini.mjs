// Gemini CLI itself, with our hook and a stand-in for the model behind it, which wants to run one command and to edit one file.
// HOLD and GEMINI name the programs.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "holdpoint-"));
const [home, work] = ["home", "work"].map((name) => join(folder, name));
[join(home, ".gemini"), work].forEach((each) => mkdirSync(each, { recursive: true }));
const env = { ...process.env, HOME: home, HOLD_HOME: join(folder, "hold"), GEMINI_API_KEY: "stub", GEMINI_TELEMETRY_ENABLED: "false", NO_PROXY: "127.0.0.1" };
const hold = (...words) => execFileSync(process.env.HOLD, words, { encoding: "utf8", env, cwd: work, stdio: ["ignore", "pipe", "ignore"] });
const settings = join(home, ".gemini/settings.json");
const plain = JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } });
writeFileSync(settings, plain);

const calls = [
  { name: "run_shell_command", args: { command: "touch made", description: "make it" } },
  { name: "replace", args: { file_path: "a.txt", instruction: "greet", old_string: "hello", new_string: "goodbye" } },
];

/** Asks for one after the other, and once it has heard what came of the last, ends. */
const model = http.createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const { contents = [], tools } = JSON.parse(body || "{}");
    const heard = contents.flatMap(({ parts = [] }) => parts).filter(({ functionResponse }) => functionResponse);
    const call = tools && calls[heard.length];
    const part = call ? { functionCall: call } : { text: `It said ${JSON.stringify(heard)}` };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const said = JSON.stringify({ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }], usageMetadata });
    const streams = request.url.includes("streamGenerateContent");
    response.writeHead(200, { "content-type": streams ? "text/event-stream" : "application/json" });
    response.end(streams ? `data: ${said}\r\n\r\n` : said);
  });
});
await new Promise((ready) => model.listen(0, "127.0.0.1", ready));
env.GOOGLE_GEMINI_BASE_URL = `http://127.0.0.1:${model.address().port}`;

/** Runs it; a person answers whatever is asked. */
async function runs(choice) {
  rmSync(join(work, "made"), { force: true });
  writeFileSync(join(work, "a.txt"), "hello\n");
  const flags = ["--approval-mode", "yolo", "--skip-trust", "-m", "gemini-2.5-flash", "-p", "make it"];
  const gemini = spawn(process.execPath, [process.env.GEMINI, ...flags], { cwd: work, env, stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  gemini.stdout.on("data", (part) => (said += part));
  const ended = new Promise((done) => gemini.on("exit", done));
  const asked = [];
  while (gemini.exitCode === null) {
    for (const one of JSON.parse(hold("list", "--json"))) {
      asked.push(hold("show", one.id));
      assert.match(one.requested_by, /^gemini:/);
      hold("answer", one.id, choice, "-m", "by a person", "--digest", one.digest);
    }
    await new Promise((later) => setTimeout(later, 100));
  }
  assert.equal(await ended, 0);
  return { said, asked };
}

const made = () => existsSync(join(work, "made"));
const text = () => readFileSync(join(work, "a.txt"), "utf8");
try {
  hold("hook", "install", "gemini", "--yes");
  const no = await runs("deny");
  assert.match(no.said, /by a person/, "the model reads why");
  assert.deepEqual([made(), text(), no.asked.length], [false, "hello\n", 2]);
  assert.match(no.asked[1], /- hello\n +\+ goodbye/, "an edit is shown as changed lines");
  const yes = await runs("approve");
  assert.deepEqual([made(), text(), yes.asked.length], [true, "goodbye\n", 2]);
  // Where our program has gone, nothing passes.
  writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(/"command": "[^ "]+ hook/g, '"command": "/nowhere/hold hook'));
  assert.match(readFileSync(settings, "utf8"), /nowhere/);
  const gone = await runs("approve");
  assert.deepEqual([made(), text(), gone.asked.length], [false, "hello\n", 0]);
  hold("hook", "uninstall", "gemini", "--yes");
  assert.doesNotMatch(readFileSync(settings, "utf8"), /hook gemini/);
  const version = execFileSync(process.execPath, [process.env.GEMINI, "--version"], { encoding: "utf8", env });
  console.log(`Gemini CLI ${version.trim()}: denied and allowed by a person`);
} finally {
  model.close();
  rmSync(folder, { recursive: true, force: true });
}
