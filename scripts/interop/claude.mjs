// The published Claude Code against the real binary: hooks as installed, the permission prompt tool, deferred runs. Only
// the model is a stand-in (model.mjs).
import assert from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { model } from "./model.mjs";

const { HOLD, CLAUDE } = process.env;
const patience = 60_000;

/** A folder to work in, with its own data folder and its own home. */
function place(name) {
  const root = mkdtempSync(join(tmpdir(), `hold-${name}-`));
  const [work, home, store] = ["work", "home", "store"].map((part) => join(root, part));
  [work, home].forEach((folder) => mkdirSync(folder));
  // Nothing of the caller's own set-up takes part.
  const env = { PATH: `${dirname(HOLD)}:${process.env.PATH}`, HOME: home, HOLD_HOME: store, NO_COLOR: "1", USER: "ana" };
  const hold = (...words) => execFileSync(HOLD, words, { env, cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const pending = () => JSON.parse(hold("list", "--json"));
  const file = (...parts) => join(work, ...parts);
  return { work, env, hold, pending, file, end: () => rmSync(root, { recursive: true, force: true }) };
}

/** Runs `claude -p`; whatever is asked meanwhile goes to `person`, which returns the words of `hold answer`. */
async function claude(at, script, words, person) {
  const stand = await model(script);
  const env = { ...at.env, ANTHROPIC_BASE_URL: stand.url, ANTHROPIC_API_KEY: "none", DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", ...at.more };
  const child = spawn(CLAUDE, ["-p", "--output-format", "json", ...words], { cwd: at.work, env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (part) => (out += part));
  child.stderr.on("data", (part) => (err += part));
  const ended = new Promise((end) => child.on("exit", end));
  let over = false;
  ended.then(() => (over = true));
  const answered = new Set();
  const until = Date.now() + patience;
  while (!over) {
    assert(Date.now() < until, `it does not end: ${out} ${err}`);
    for (const decision of person ? at.pending() : []) {
      if (answered.has(decision.id)) continue;
      const answer = await person(decision, at);
      if (!answer) continue;
      answered.add(decision.id);
      at.hold("answer", decision.id, ...answer, "--digest", decision.digest);
    }
    await new Promise((next) => setTimeout(next, 50));
  }
  stand.close();
  let result;
  try { result = JSON.parse(out); } catch { assert.fail(`no result: ${out} ${err}`); }
  return { ...result, seen: stand.seen };
}

/** The words that give `claude` our tools, and our tool to ask for permissions with. */
function prompting(at) {
  const server = { command: HOLD, args: ["mcp"], env: { HOLD_HOME: at.env.HOLD_HOME } };
  return ["--mcp-config", JSON.stringify({ mcpServers: { hold: server } }), "--permission-prompt-tool", "mcp__hold__approval_prompt"];
}

/** Runs another command of `claude`. */
const run = (at, ...words) => execFileSync(CLAUDE, words, { env: { ...at.env, DISABLE_AUTOUPDATER: "1" }, cwd: at.work, encoding: "utf8" });
const results = ({ seen }) => seen.at(-1).results.map(({ content }) => JSON.stringify(content));
const use = (name, input) => ({ name, input });
const bash = (command) => use("Bash", { command, description: "try it" });
const all = {
  async "a permission is approved, denied with a reason, and approved with another input"() {
    const at = place("permission");
    at.hold("hook", "install", "claude", "--yes");
    const script = { GO: [bash("touch one"), bash("touch two"), bash("touch three")] };
    const seen = await claude(at, script, ["GO"], ({ source, subject }) => {
      assert.equal(source, "approval");
      assert.equal(subject.tool, "Bash");
      return {
        "touch one": ["approve"], "touch two": ["deny", "-m", "use another name"],
        "touch three": ["approve", "--set", "input=touch four"],
      }[subject.input.command];
    });
    assert.deepEqual(["one", "two", "three", "four"].map((name) => existsSync(at.file(name))), [true, false, false, true]);
    const texts = results(seen);
    assert.match(texts[1], /use another name/);
    const used = JSON.parse(at.hold("list", "--status", "answered", "--json"));
    assert.deepEqual(used.map(({ consumed_at }) => consumed_at !== null), [true, false, true]);
    at.end();
  },

  async "questions are answered under their exact words, with several options and free text"() {
    const at = place("question");
    at.hold("hook", "install", "claude", "--yes");
    const options = (...labels) => labels.map((label) => ({ label, description: `${label} it is` }));
    const questions = [
      { question: "Which framework?", header: "Framework", options: options("React", "Vue"), multiSelect: false },
      { question: "Which extras?", header: "Extras", options: options("Tests", "Docs", "CI"), multiSelect: true },
      { question: "Which name?", header: "Name", options: options("web", "app"), multiSelect: false },
    ];
    const words = ["GO", ...prompting(at)];
    const seen = await claude(at, { GO: [use("AskUserQuestion", { questions })] }, words, ({ source, fields, origin }) => {
      assert.equal(source, "question");
      assert.equal(origin.extra.way, "pre_tool_use");
      const [one, many, own] = fields;
      assert.deepEqual(fields.map(({ kind }) => kind), ["choice", "choices", "choice"]);
      const value = (field, label) => field.options.find((option) => option.label === label).id;
      const extras = JSON.stringify(["Tests", "CI"].map((label) => value(many, label)));
      return ["--set", `${one.id}=${value(one, "Vue")}`, "--set", `${many.id}=${extras}`, "--set", `${own.id}={"text":"shop"}`];
    });
    const told = JSON.stringify(seen.seen.at(-1).results.at(-1).content);
    for (const pair of ["Which framework?", "Vue", "Tests, CI", "shop"]) assert(told.includes(pair), told);
    at.end();
  },

  async "a plan is sent back with words, then accepted"() {
    const at = place("plan");
    at.hold("hook", "install", "claude", "--yes");
    const words = ["GO", "--permission-mode", "plan", ...prompting(at)];
    const plan = (text) => use("ExitPlanMode", { plan: text });
    let rounds = 0;
    const seen = await claude(at, { GO: [plan("First: all at once"), plan("Second: in two steps")] }, words, ({ source }) => {
      assert.equal(source, "plan");
      return rounds++ ? ["accept"] : ["revise", "-m", "smaller steps"];
    });
    assert.equal(rounds, 2);
    const texts = results(seen);
    assert.match(texts[0], /smaller steps/);
    assert.match(texts[1], /approved/);
    at.end();
  },

  async "without hooks, the permission prompt tool asks for each use"() {
    const at = place("prompt-tool");
    const script = { GO: [bash("touch one"), bash("touch two")] };
    const seen = await claude(at, script, ["GO", ...prompting(at)], ({ subject, origin }) => {
      assert.equal(origin.extra.way, "prompt_tool");
      return subject.input.command.endsWith("one") ? ["approve"] : ["deny", "-m", "not two"];
    });
    assert.deepEqual(["one", "two"].map((name) => existsSync(at.file(name))), [true, false]);
    assert.match(results(seen)[1], /not two/);
    at.end();
  },

  async "agents within a session ask side by side, and the cards say which one asks"() {
    const at = place("agents");
    at.hold("hook", "install", "claude", "--yes");
    const agent = (word) => use("Agent", { description: word, prompt: word, subagent_type: "general-purpose", run_in_background: false });
    const script = { FIRST: [bash("touch first")], SECOND: [bash("touch second")], GO: [[agent("FIRST"), agent("SECOND")]] };
    const titles = [];
    let both = false;
    await claude(at, script, ["GO"], ({ title, origin }) => {
      both ||= at.pending().length === 2;
      if (!both) return undefined;
      assert(origin.extra.agent_id, JSON.stringify(origin));
      titles.push(title);
      return ["approve"];
    });
    assert.deepEqual(["first", "second"].map((name) => existsSync(at.file(name))), [true, true]);
    assert(titles.every((title) => title.includes("sub-agent general-purpose")), String(titles));
    at.end();
  },

  async "a run that nobody attends is deferred, and resumed with the answer"() {
    const at = place("defer");
    at.hold("hook", "install", "claude", "--defer", "--yes");
    writeFileSync(at.file("notes"), "read me");
    const script = { GO: [use("Read", { file_path: at.file("notes") }), bash("touch one")] };
    const deferred = await claude(at, script, ["GO"]);
    assert.equal(deferred.stop_reason, "tool_deferred", JSON.stringify(deferred));
    assert.equal(deferred.deferred_tool_use.name, "Bash", "reading asks nobody");
    const waiting = at.pending();
    assert.equal(waiting.length, 1, "and the end of the session does not take the question back");
    at.hold("answer", waiting[0].id, "approve", "--digest", waiting[0].digest);
    const resumed = await claude(at, script, ["--resume", deferred.session_id]);
    assert.equal(resumed.stop_reason, "end_turn", JSON.stringify(resumed));
    assert(existsSync(at.file("one")));
    const told = resumed.seen[0].texts.filter((text) => text.includes(waiting[0].id));
    assert.equal(told.length, 1, "a session that is resumed is told at its start what was answered");
    at.end();
  },

  async "a session that stops is nudged, then let go"() {
    const at = place("idle");
    at.hold("hook", "install", "claude", "--idle", "--yes");
    let stops = 0;
    const seen = await claude(at, { GO: [] }, ["GO"], ({ source }) => {
      assert.equal(source, "idle");
      return stops++ ? ["done"] : ["nudge", "-m", "and the tests?"];
    });
    assert.equal(stops, 2);
    assert(seen.seen.at(-1).texts.some((text) => text.includes("and the tests?")), JSON.stringify(seen.seen.at(-1).texts));
    at.end();
  },

  async "the agent cannot answer for the person, nor look into the data folder"() {
    const at = place("deny");
    at.hold("hook", "install", "claude", "--yes");
    const id = at.hold("ask", "May it?", "--kind", "confirm", "--no-wait").trim();
    const script = { GO: [
      bash(`hold answer ${id} yes`), bash(`cd . && hold answer ${id} yes`), bash("bd decision respond x yes"), bash("oj decision --project p resolve x 1"),
      use("mcp__hold__answer", { id, choice: "yes" }), use("Read", { file_path: join(at.env.HOLD_HOME, "config.toml") }),
    ] };
    const server = { command: HOLD, args: ["mcp"], env: { HOLD_HOME: at.env.HOLD_HOME } };
    const words = ["GO", "--mcp-config", JSON.stringify({ mcpServers: { hold: server } }), "--allowedTools", "Bash", "mcp__hold__answer", "Read"];
    const seen = await claude(at, script, words, ({ id: other }) => assert.equal(other, id));
    assert.deepEqual(results(seen).map((text) => /denied|No such tool/.test(text)), Array(6).fill(true), String(results(seen)));
    assert.equal(JSON.parse(at.hold("show", id, "--json")).status, "pending");
    at.end();
  },

  async "a guarded tool is asked about in every mode, and the mode asks again"() {
    const at = place("guard");
    at.hold("hook", "install", "claude", "--guard", "Bash", "--yes");
    const words = ["GO", "--permission-mode", "bypassPermissions", "--allowedTools", "Bash"];
    const asked = [];
    const more = { IS_SANDBOX: "1" };
    at.more = more;
    await claude(at, { GO: [bash("touch one")] }, words, ({ subject }) => {
      asked.push(subject.input.command);
      return ["deny", "-m", "not now"];
    });
    assert.deepEqual(asked, ["touch one"]);
    assert(!existsSync(at.file("one")));
    at.end();
  },

  async "where the server is away, a call is refused and the way out is told"() {
    const at = place("away");
    at.hold("hook", "install", "claude", "--yes");
    at.more = { HOLD_URL: "http://127.0.0.1:1" };
    const seen = await claude(at, { GO: [bash("touch one")] }, ["GO"]);
    assert(!existsSync(at.file("one")));
    assert.match(results(seen)[0], /hold serve/);
    at.end();
  },

  async "where the hook's program has gone, nothing passes"() {
    const at = place("gone");
    at.hold("hook", "install", "claude", "--yes");
    const settings = at.file(".claude", "settings.local.json");
    writeFileSync(settings, readFileSync(settings, "utf8").replaceAll('"hold hook', '"no-such-program hook'));
    const seen = await claude(at, { GO: [bash("touch one")] }, ["GO"]);
    assert.match(results(seen)[0], /onFailure/);
    assert(!existsSync(at.file("one")));
    at.end();
  },

  async "settings come back to the letter"() {
    const at = place("settings");
    mkdirSync(at.file(".claude"));
    const written = '{ "permissions" : {"allow":["Bash(ls:*)"] } ,\n\t"model":"opus"}';
    writeFileSync(at.file(".claude", "settings.local.json"), written);
    at.hold("hook", "install", "claude", "--yes");
    await claude(at, { GO: [bash("touch one")] }, ["GO"], () => ["approve"]);
    assert(existsSync(at.file("one")));
    at.hold("hook", "uninstall", "claude", "--yes");
    assert.equal(readFileSync(at.file(".claude", "settings.local.json"), "utf8"), written);
    at.end();
  },

  async "the MCP server is added, found well, and asked with"() {
    const at = place("mcp");
    run(at, "mcp", "add", "hold", "--", "hold", "mcp");
    assert.match(run(at, "mcp", "list"), /hold: hold mcp .*Connected/);
    const ask = use("mcp__hold__ask", { prompt: "Which cache?", options: ["redis:Use Redis", "memory:In memory"] });
    const seen = await claude(at, { GO: [ask] }, ["GO", "--allowedTools", "mcp__hold__ask"], ({ prompt, requested_by }) => {
      assert.deepEqual([prompt, requested_by], ["Which cache?", "mcp:claude-code"]);
      return ["redis", "-m", "it is there already"];
    });
    assert.match(results(seen)[0], /ana decided: Use Redis. They say: it is there already/);
    at.end();
  },

  async "the same hooks and tools over HTTP, by an agent's token"() {
    const at = place("http");
    const server = spawn(HOLD, ["serve", "--listen", "127.0.0.1:0"], { env: at.env, stdio: ["ignore", "ignore", "pipe"] });
    try {
      let log = "";
      server.stderr.on("data", (part) => (log += part));
      while (!/^Listening on (.*)$/m.test(log)) await new Promise((next) => setTimeout(next, 20));
      const url = log.match(/^Listening on (.*)$/m)[1];
      const token = at.hold("token", "create", "--name", "builder", "--role", "agent").trim();
      const hook = { type: "http", url: `${url}/hooks/claude`, timeout: 600, onFailure: "block", headers: { Authorization: "Bearer $TOK" }, allowedEnvVars: ["TOK"] };
      mkdirSync(at.file(".claude"));
      writeFileSync(at.file(".claude", "settings.json"), JSON.stringify({ hooks: { PermissionRequest: [{ matcher: "*", hooks: [hook] }] } }));
      at.more = { TOK: token };
      const own = { type: "http", url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } };
      const words = ["GO", "--mcp-config", JSON.stringify({ mcpServers: { hold: own } }), "--allowedTools", "mcp__hold__ask"];
      const ask = use("mcp__hold__ask", { prompt: "Which?", options: ["a", "b"] });
      const seen = await claude(at, { GO: [bash("touch one"), ask] }, words, ({ source }) => (source === "approval" ? ["approve"] : ["b"]));
      assert(existsSync(at.file("one")));
      assert.match(results(seen)[1], /decided: b/);
    } finally {
      server.kill();
    }
    at.end();
  },
};

const only = process.argv[2];
for (const [name, run] of Object.entries(all)) {
  if (only && !name.includes(only)) continue;
  await run();
  console.log(`claude: ${name}`);
}
