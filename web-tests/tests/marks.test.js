// Several rows are marked and get one answer, each separately; with keys, with a pointer, and without scripts.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { enter, press, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const confirm = { id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Allow" }, { id: "no", label: "Deny", refuses: true }] };
const approval = (word, more = {}) => ({ title: `Run ${word}?`, requested_by: "agent", subject: { command: `make ${word}` }, fields: [confirm], ...more });
const choice = (word) => ({ title: `Which ${word}?`, fields: [{ id: "which", kind: "choice", label: "Which?", options: [{ id: "a", label: "This" }, { id: "b", label: "That" }] }] });
const ask = async (...documents) => {
  const asked = [];
  for (const document of documents) asked.push(await server.ask(document));
  return asked.map(({ id }) => id);
};
const answers = (ids) => Promise.all(ids.map(async (id) => (await server.get(id)).answer?.values ?? null));
const marked = (page, many) => page.locator("#many").getByText(`${many} marked`).waitFor();
const deny = async (id) => server.api("POST", `/v1/decisions/${id}/answer`, { choice: "no", digest: (await server.get(id)).digest });
// Scrolls down until each was on the screen.
const readAll = async (page) => {
  const unread = () => page.evaluate(() => document.querySelectorAll("#batch article:not([data-read])").length);
  for (let at = 0; at < 20 && await unread(); at += 1) { await page.mouse.wheel(0, 400); await page.waitForTimeout(100); }
  assert.equal(await unread(), 0);
};
const outcome = (page, id) => page.locator(`li[data-id="${id}"] .tag`).textContent();
const axe = async (page) => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id} ${one.nodes[0].html}`), []);
};

test("an address that takes only forms leads to the inbox", async () => {
  const page = await enter(browser, server, "ana");
  for (const path of ["/many", "/many/send", "/sign-out", "/settings/tokens"]) {
    await page.goto(path);
    assert.equal(new URL(page.url()).pathname, "/", path);
  }
  await page.context().close();
});

test("x marks, X marks to here, * all: a preview shows each whole, and one answer goes to those that have it", async () => {
  await server.clear();
  const ids = await ask(approval("one"), approval("two"), approval("three"), choice("way"));
  const page = await enter(browser, server, "ana");
  await page.locator("#list .row").nth(3).waitFor();
  assert.ok(await page.locator("#many").isHidden(), "nothing is marked yet");
  await press(page, "x");
  await marked(page, 1);
  await press(page, "j");
  await press(page, "j");
  await press(page, "X");
  await marked(page, 3);
  await press(page, "*");
  await marked(page, 4);
  await press(page, "Enter");
  await page.getByRole("heading", { name: "Answer 4 decisions" }).waitFor();
  for (const word of ["one", "two", "three"]) await page.getByText(`make ${word}`, { exact: true }).waitFor();
  await axe(page);
  assert.deepEqual(await answers(ids), [null, null, null, null], "nothing is sent by looking");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^Deny/);
  await readAll(page);
  await press(page, "1");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^Allow\s*\(3 of 4\)/);
  await press(page, "Enter");
  await page.getByRole("heading", { name: "3 of 4 answered: Allow" }).waitFor();
  await axe(page);
  await page.getByText("Has no option Allow").waitFor();
  assert.deepEqual(await answers(ids), [{ go: "yes" }, { go: "yes" }, { go: "yes" }, null]);
  assert.equal((await server.get(ids[0])).answer.seen, true);
  await page.context().close();
});

test("what changed or was settled after the preview is left as it is, and said so", async () => {
  await server.clear();
  const ids = await ask(approval("one"), approval("two"), approval("three"));
  const page = await enter(browser, server, "ana");
  await page.locator("#list .row").nth(2).waitFor();
  await press(page, "*");
  await press(page, "Enter");
  await page.getByRole("heading", { name: "Answer 3 decisions" }).waitFor();
  await server.api("PATCH", `/v1/decisions/${ids[0]}`, { title: "Run something else?" });
  await deny(ids[1]);
  await readAll(page);
  await page.getByLabel("Message").fill("go on");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "1 of 3 answered" }).waitFor();
  assert.equal(await outcome(page, ids[0]), "Not answered");
  assert.equal(await outcome(page, ids[1]), "Not answered");
  assert.equal(await outcome(page, ids[2]), "Answered");
  await page.getByText("revised meanwhile").waitFor();
  assert.deepEqual(await answers(ids), [null, { go: "no" }, { go: "yes" }]);
  assert.equal((await server.get(ids[2])).answer.message, "go on");
  await page.context().close();
});

test("without script: tick, look, untick, answer; a long subject gets a yes only once it was read", async () => {
  await server.clear();
  const long = approval("long", { subject: Array.from({ length: 40 }, (_, at) => `step ${at}`).join("\n") });
  const ids = await ask(approval("one"), approval("two"), long, long);
  const page = await enter(browser, server, "ana", { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  for (const box of await page.locator("#list input[type=checkbox]").all()) await box.check();
  await page.getByRole("button", { name: "Answer together" }).click();
  // Two that ask the same are one.
  await page.getByRole("heading", { name: "Answer 3 decisions" }).waitFor();
  await page.getByLabel("Run two?").uncheck();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("was not read to the end").waitFor();
  assert.deepEqual(await answers(ids), [{ go: "yes" }, null, null, null]);
  await page.goto("/");
  await page.getByLabel("Run long?").check();
  await page.getByRole("button", { name: "Answer together" }).click();
  await page.getByLabel("I have read all of it").check();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "1 of 1 answered" }).waitFor();
  assert.deepEqual(await answers(ids), [{ go: "yes" }, null, { go: "yes" }, { go: "yes" }]);
  await page.context().close();
});

test("a yes goes only to what was on the screen, a no to all", async () => {
  await server.clear();
  const ids = await ask(...Array.from({ length: 12 }, (_, at) => approval(`step-${at}`)));
  const page = await enter(browser, server, "ana", { viewport: { width: 1000, height: 500 } });
  await page.locator("#list .row").nth(11).waitFor();
  await press(page, "*");
  await press(page, "Enter");
  await page.getByRole("heading", { name: "Answer 12 decisions" }).waitFor();
  // Jumping to the button skips those between.
  await press(page, "1");
  await press(page, "Enter");
  await page.getByText("was not read to the end").first().waitFor();
  const given = await answers(ids);
  assert.deepEqual(given[0], { go: "yes" });
  assert.equal(given[5], null);
  await page.goto("/");
  await press(page, "*");
  await press(page, "Enter");
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: /answered: Deny/ }).waitFor();
  assert.ok((await answers(ids)).every(Boolean));
  await page.context().close();
});

test("marks stay while the list changes and beside a card, and go with what they mark", async () => {
  await server.clear();
  const ids = await ask(approval("one"), approval("two"));
  const page = await enter(browser, server, "ana", { viewport: { width: 1440, height: 900 } });
  await page.locator("#card").getByRole("heading", { name: "Run one?" }).waitFor();
  await press(page, "*");
  await marked(page, 2);
  await ask(approval("three"));
  await page.locator("#list").getByText("Run three?").waitFor();
  await marked(page, 2);
  await axe(page);
  await deny(ids[1]);
  await marked(page, 1);
  await press(page, "Enter");
  await page.getByRole("heading", { name: "Answer 1 decision" }).waitFor();
  await page.context().close();
});
