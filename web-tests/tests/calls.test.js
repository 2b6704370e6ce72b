// A coding agent's tool call, as its hook asks: a pick that sends, with an optional field beside it.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { enter, HOLD, press, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

// Hooks that got no answer keep holding.
const hooks = [];
after(() => { for (const hook of hooks) hook.kill(); });

/** Asks as Claude Code does; returns the decision, and the reply to the agent once it is answered. */
const call = async (command, session) => {
  const env = { PATH: process.env.PATH, HOME: server.home, HOLD_HOME: server.home, NO_COLOR: "1" };
  const child = spawn(HOLD, ["hook", "claude", "PermissionRequest"], { env, stdio: ["pipe", "pipe", "inherit"] });
  hooks.push(child);
  let text = "";
  child.stdout.on("data", (part) => { text += part; });
  const told = new Promise((done) => { child.on("exit", () => done(text && JSON.parse(text))); });
  child.stdin.end(JSON.stringify({ hook_event_name: "PermissionRequest", session_id: session, cwd: "/srv/app", tool_name: "Bash", tool_input: { command } }));
  while (child.exitCode === null) {
    const found = (await server.api("GET", "/v1/decisions?limit=1000")).items.find((one) => one.subject?.input?.command === command);
    if (found) return { id: found.id, told };
  }
  throw new Error(`the hook ended: ${text}`);
};
const heading = (page, name) => page.locator("#card").getByRole("heading", { name }).waitFor();
const behaviour = async ({ told }) => (await told).hookSpecificOutput.decision;

test("what an agent wants to run is answered with two keys, and the next card is there at once", async () => {
  await server.clear();
  const calls = [await call("make one", "s1"), await call("make two", "s2"), await call("make three", "s3")];
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${calls[0].id}`);
  await heading(page, "Bash: make one");
  assert.match(await page.locator(":focus").innerText(), /Deny/);
  assert.equal(await page.getByRole("button", { name: "Send answer" }).count(), 0);
  let openGate = () => {}, gate = Promise.resolve();
  await page.route("**/*", async (route) => { await gate; await route.fallback(); });
  for (const [key, next] of [["1", "make two"], ["2", "make three"]]) {
    await page.locator("html[data-beside=ready]").waitFor();
    await press(page, key);
    await page.locator("html[data-keys=answer]").waitFor();
    // No traffic to or from the server until the card is shown.
    gate = new Promise((done) => { openGate = done; });
    await page.keyboard.press("Enter");
    await heading(page, `Bash: ${next}`);
    openGate();
  }
  assert.equal((await behaviour(calls[0])).behavior, "allow");
  assert.equal((await behaviour(calls[1])).behavior, "deny");
  await page.context().close();
});

test("another command is written before it is allowed", async () => {
  await server.clear();
  const one = await call("make dangerous", "s4"), page = await enter(browser, server, "ana");
  await page.goto(`/d/${one.id}`);
  await page.getByText("Another command (optional)").click();
  await page.getByLabel("Another command").fill("make safe");
  await page.getByRole("button", { name: "Approve" }).click();
  const { behavior, updatedInput } = await behaviour(one);
  assert.deepEqual([behavior, updatedInput.command], ["allow", "make safe"]);
  const other = await call("make other", "s5");
  await page.goto(`/d/${other.id}`);
  await page.getByText("Another command (optional)").click();
  await page.getByLabel("Another command").fill("make safe");
  await page.getByRole("button", { name: "Deny", exact: false }).first().click();
  assert.equal((await behaviour(other)).behavior, "deny");
  await page.context().close();
});

for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
  test(`a call stands once below its title, and its choices are in reach (${viewport.width} px)`, async () => {
    await server.clear();
    const command = `./deploy --now ${Array.from({ length: 40 }, (_, at) => `--step=${at}`).join(" ")}`;
    const { id } = await call(command, "s6"), page = await enter(browser, server, "ana", { viewport });
    await page.goto(`/d/${id}`);
    const card = page.locator("#card");
    await card.waitFor();
    const text = await card.innerText();
    assert.equal(text.split("--step=39").length - 1, 1, text);
    for (const name of [/^Approve/, /^Deny(?! and)/]) {
      const box = await card.getByRole("button", { name }).boundingBox();
      assert.ok(box && box.y + box.height <= viewport.height, `${name} at ${JSON.stringify(box)}`);
    }
    await page.context().close();
  });
}
