// An answer is held back for a while, during which it can be undone; leaving the page sends it.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { clickNext, enter, press, staged } from "../stage.js";

let server, browser;
// So long that nothing is sent automatically during a test.
staged((one, other) => { [server, browser] = [one, other]; }, { undo: 30 });

const confirm = { id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Allow" }, { id: "no", label: "Deny", refuses: true }] };
const approval = (word, more = {}) => ({ title: `Run ${word}?`, requested_by: "agent", subject: { command: `make ${word}` }, fields: [confirm], ...more });
const heading = (page, name) => page.locator("#card").getByRole("heading", { name }).waitFor();
const answer = async (id) => (await server.get(id)).answer;
const settled = async (id) => (await server.settled(id)).answer;
const lines = (page) => page.locator("#tray .line");
const open = async (documents, options) => {
  await server.clear();
  const ids = [];
  for (const document of documents) ids.push((await server.ask(document)).id);
  const page = await enter(browser, server, "ana", options);
  await page.goto(`/d/${ids[0]}`);
  return { page, ids };
};

test("an answer says when it is sent, and U brings the card back as it was left", async () => {
  const { page, ids } = await open([approval("one"), approval("two")]);
  await page.getByLabel("Message").fill("not today");
  await page.keyboard.press("Escape");
  await press(page, "2");
  await press(page, "Enter");
  await heading(page, "Run two?");
  await lines(page).getByText(/sending in \d+ s/).waitFor();
  assert.match(await lines(page).innerText(), /Deny[\s\S]*Run one\?[\s\S]*Undo/);
  assert.equal(await answer(ids[0]), null);
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id} ${one.nodes[0].html}`), []);
  await press(page, "U");
  await heading(page, "Run one?");
  assert.equal(await page.getByLabel("Message").inputValue(), "not today");
  assert.equal(await lines(page).count(), 0);
  assert.equal(await answer(ids[0]), null);
  // It can be answered again, differently.
  await clickNext(page, page.getByRole("button", { name: "Allow" }));
  await heading(page, "Run two?");
  await page.goto("/history");
  assert.deepEqual([(await settled(ids[0])).values, (await answer(ids[0])).message], [{ go: "yes" }, "not today"]);
  await page.context().close();
});

test("several are under way at once, the last is undone first, and leaving the page sends the others", async () => {
  const { page, ids } = await open(["one", "two", "three", "four"].map((word) => approval(word)));
  for (const next of ["two", "three", "four"]) {
    await press(page, "2");
    await press(page, "Enter");
    await heading(page, `Run ${next}?`);
  }
  assert.equal(await lines(page).count(), 3);
  await press(page, "U");
  await heading(page, "Run three?");
  assert.equal(await lines(page).count(), 2);
  await lines(page).first().getByRole("button", { name: "Undo" }).click();
  await heading(page, "Run one?");
  await page.goto("/jobs");
  assert.deepEqual((await settled(ids[1])).values, { go: "no" });
  assert.deepEqual([await answer(ids[0]), await answer(ids[2]), await answer(ids[3])], [null, null, null]);
  await page.context().close();
});

test("closing the page sends", async () => {
  const { page, ids } = await open([approval("one"), approval("two")]);
  await press(page, "2");
  await press(page, "Enter");
  await heading(page, "Run two?");
  await page.close({ runBeforeUnload: true });
  assert.deepEqual((await settled(ids[0])).values, { go: "no" });
});

test("an answer that is refused when it is sent brings its card back with what was typed and why", async () => {
  const { page, ids } = await open([approval("one"), approval("two")]);
  await page.getByLabel("Message").fill("kept words");
  await page.getByRole("button", { name: "Deny" }).click();
  await heading(page, "Run two?");
  await server.api("POST", `/v1/decisions/${ids[0]}/answer`, { values: { go: "no" }, message: "quicker", digest: (await server.get(ids[0])).digest });
  // A hidden page cannot be undone, so it sends.
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.getByText("answered first").waitFor();
  await page.getByText("kept words").first().waitFor();
  assert.equal((await answer(ids[0])).message, "quicker");
  await page.context().close();
});

test("what falls due within half a minute is sent at once", async () => {
  const { page, ids } = await open([approval("one", { timeout: "25s", on_timeout: "deny" }), approval("two")]);
  await press(page, "2");
  await press(page, "Enter");
  await heading(page, "Run two?");
  assert.deepEqual((await settled(ids[0])).values, { go: "no" });
  assert.equal((await answer(ids[0])).by, "ana");
  await page.context().close();
});

test("what is wrong is said while the card is there, and nothing is sent by asking", async () => {
  const field = { id: "name", kind: "text", label: "A name" };
  const { page, ids } = await open([{ title: "Name it", fields: [field] }, { title: "Name another", fields: [field] }]);
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Is required.", { exact: true }).waitFor();
  await page.getByLabel("A name").fill("Rex");
  await page.getByRole("button", { name: "Send answer" }).click();
  await heading(page, "Name another");
  await lines(page).getByText(/sending in \d+ s/).waitFor();
  assert.equal(await answer(ids[0]), null);
  await page.goto("/jobs");
  assert.equal((await settled(ids[0])).values.name, "Rex");
  await page.context().close();
});

test("a card whose answer is under way is not answered twice", async () => {
  const { page, ids } = await open([approval("one"), approval("two")]);
  await press(page, "2");
  await press(page, "Enter");
  await heading(page, "Run two?");
  await page.goBack();
  await page.getByText("Your answer is on its way: Deny").waitFor();
  assert.ok(await page.getByRole("button", { name: "Allow" }).isDisabled());
  await page.locator("#changed").getByRole("button", { name: "Undo" }).click();
  await clickNext(page, page.getByRole("button", { name: "Allow" }));
  await heading(page, "Run two?");
  await page.goto("/jobs");
  assert.deepEqual((await settled(ids[0])).values, { go: "yes" });
  await page.context().close();
});

test("a short while: it is sent by itself", async () => {
  const { page, ids } = await open([approval("one"), approval("two")]);
  await page.locator("#card").evaluate((card) => { card.dataset.undo = "1"; });
  await press(page, "2");
  await press(page, "Enter");
  await heading(page, "Run two?");
  await lines(page).getByText("sending in 1 s").waitFor();
  await page.waitForURL(new RegExp(`done=${ids[0]}`));
  assert.deepEqual((await answer(ids[0])).values, { go: "no" });
  await page.context().close();
});
