// Keys that were not meant for the card on the screen: typed ahead, held down, or helped along by a link.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, keyAt, press, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const confirm = { id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Allow" }, { id: "no", label: "Deny", refuses: true }] };
const approval = (word, more = {}) => ({ title: `Run ${word}?`, requested_by: "agent", subject: { command: `make ${word}` }, fields: [confirm], ...more });
const heading = (page, name) => page.locator("#card").getByRole("heading", { name }).waitFor();
const open = async (...words) => {
  await server.clear();
  const ids = [];
  for (const one of words) ids.push((await server.ask(approval(one))).id);
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${ids[0]}`);
  await page.locator("html[data-beside=ready]").waitFor();
  return { page, ids };
};
/** Leaves the page, which sends the answers that are held back. */
const isPending = async (page, id) => {
  await page.goto("/jobs");
  return (await server.get(id)).status === "pending";
};

test("a run of keys does not reach a card whose first frame is late", async () => {
  const { page, ids } = await open("one", "two", "three");
  await press(page, "2");
  await page.evaluate(() => {
    const draw = window.requestAnimationFrame.bind(window), late = [];
    window.requestAnimationFrame = (act) => late.push(act);
    window.frame = () => new Promise((done) => {
      window.requestAnimationFrame = draw;
      for (const act of late) draw(act);
      draw(() => done(performance.timeOrigin + performance.now()));
    });
  });
  await press(page, "Enter");
  await heading(page, "Run two?");
  // Meant for the second card, before it is visible.
  await page.keyboard.press("2");
  const seen = await page.evaluate(() => window.frame());
  const session = await page.context().newCDPSession(page);
  // Typing continues: Enter for the second card, and then the keys for the third.
  await keyAt(session, "Enter", seen + 270);
  await page.locator("#ignored").evaluate((place) => { place.textContent = ""; });
  await keyAt(session, "1", seen + 570);
  assert.match(await page.locator("#ignored").textContent(), /Ignored/);
  await keyAt(session, "Enter", seen + 870);
  assert.equal(await isPending(page, ids[1]), true);
  await page.context().close();
});

test("a key that is held down answers one card", async () => {
  const { page, ids } = await open("one", "two", "three");
  await press(page, "1");
  await page.locator("html[data-keys=answer]").waitFor();
  await page.keyboard.down("Enter");
  await heading(page, "Run two?");
  await page.locator("html[data-keys=answer]").waitFor();
  assert.equal(await page.locator(":focus").innerText().then((text) => /Deny/.test(text)), true, "the refusal is at hand");
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  assert.equal(await isPending(page, ids[1]), true);
  assert.equal((await server.settled(ids[0])).answer.values.go, "yes");
  await page.context().close();
});

test("a link of an agent picks nothing", async () => {
  await server.clear();
  const { id } = await server.ask(approval("one"));
  for (const opened of ["followed", "loaded"]) {
    const other = await server.ask(approval(`the other, ${opened}`, { prompt: `Look [here](${server.url}/d/${id}#pick=1).` }));
    const page = await enter(browser, server, "ana");
    await page.goto(opened === "loaded" ? `/d/${id}#pick=1` : `/d/${other.id}`);
    if (opened === "followed") await page.locator("#card").getByRole("link", { name: /here/ }).click();
    await heading(page, "Run one?");
    await page.locator("html[data-keys=answer]").waitFor();
    assert.match(await page.locator(":focus").innerText(), /Deny/);
    await page.context().close();
  }
});
