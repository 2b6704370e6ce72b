// A rule is created on a card, answers what it matches, and is revoked.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, press, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const ask = (secret, command) => server.api("POST", "/v1/decisions", { title: "Run it?", subject: { command, cwd: "/srv/app" },
  fields: [{ id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Yes" }, { id: "no", label: "No", refuses: true }] }] }, secret);

test("from now on: a card offers rules, the narrowest first", async () => {
  const { secret } = await server.api("POST", "/v1/tokens", { name: "coder", role: "agent" });
  const asked = await ask(secret, "cargo test core");
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${asked.id}`);
  await press(page, "a");
  await page.waitForURL(/\/rules$/);
  const headings = await page.locator("section h2").allInnerTexts();
  assert.deepEqual(headings.map((text) => text.trim()), [
    "Allow this exact request", "Allow cargo test core in /srv/app",
    "Allow cargo test with other arguments and common options in /srv/app", "Allow cargo test with other arguments and common options in /srv/app and below",
    "Allow cargo test with other arguments and common options, also combined with read-only commands, in /srv/app and below",
    "Allow any command that reads, builds, checks or tests, also combined, in /srv/app and below",
    "Allow any command that reads, builds, checks, tests or commits, also combined, in /srv/app and below"]);
  await page.locator("section", { hasText: /with other arguments and common options in \/srv\/app(?! and)/ }).getByRole("button", { name: "Create rule" }).click();
  // Matching pending decisions are offered at once, and the person answers them.
  await page.waitForURL(/\/rules\/rul-\w+\/waiting$/);
  await page.getByText("One pending decision matches this rule.").waitFor();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText("1 of 1 answered").waitFor();
  const answered = await server.api("GET", `/v1/decisions/${asked.id}`);
  assert.deepEqual([answered.answer.by, answered.answer.values.go], ["ana", "yes"]);
  await page.goto("/rules");
  await page.getByText("cargo test OPERANDS AND OPTIONS… in /srv/app", { exact: true }).waitFor();
  assert.equal((await ask(secret, "cargo test store")).status, "answered");
  assert.equal((await ask(secret, "cargo test; rm -rf /")).status, "pending");
  await page.getByRole("button", { name: /Revoke/ }).click();
  await page.getByText("No rules.").waitFor();
  assert.equal((await ask(secret, "cargo test store")).status, "pending");
  await page.context().close();
});

test("a card says which rule answered, and for whom", async () => {
  const { secret } = await server.api("POST", "/v1/tokens", { name: "builder", role: "agent" });
  await server.api("POST", "/v1/rules", { then: "refuse", because: "not here", when: { asked_by: "builder", command: { words: ["rm"], more: "anything" } } });
  const asked = await ask(secret, "rm -rf build");
  assert.equal(asked.answer.values.go, "no");
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${asked.id}`);
  await page.getByText(/rule:rul-\w+.* for/).waitFor();
  await page.context().close();
});

test("a card says which rule asks, and a rule allows what is to be allowed once", async () => {
  const { secret } = await server.api("POST", "/v1/tokens", { name: "stager", role: "agent" });
  const once = (command) => server.api("POST", "/v1/decisions", { title: "Bash", source: "approval", subject: { tool: "Bash", input: { command }, cwd: "/srv/app" },
    fields: [{ id: "go", kind: "confirm", label: "Allow it?", options: [{ id: "approve", label: "Allow once" }, { id: "deny", label: "Deny" }] }] }, secret);
  const rule = (more) => server.api("POST", "/v1/rules", { when: { asked_by: "stager", tool: "Bash", command: { words: ["cargo", "test"], more: "operands", cwd: "/srv/app" } }, ...more });
  await rule({ then: "allow" });
  assert.equal((await once("cargo test core")).status, "answered");
  const { id } = await rule({ then: "ask", because: "look at each" });
  const asked = await once("cargo test core");
  assert.equal(asked.status, "pending");
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${asked.id}`);
  await page.getByText(`${id} sends it to a person.`).waitFor();
  await page.context().close();
});
