// Two panes on a wide screen, one on a phone with the answer bar in reach; new arrivals do not move what is there.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { enter, press, readToTheEnd, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const WIDE = { viewport: { width: 1440, height: 900 } };
const confirm = { id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Allow" }, { id: "no", label: "Deny", refuses: true }] };
const approval = (word, more = {}) => ({ title: `Run ${word}?`, requested_by: "agent", subject: { command: `make ${word}` }, fields: [confirm], ...more });
const heading = (page, name) => page.locator("#card").getByRole("heading", { name }).waitFor();
const settled = async (id) => (await server.settled(id)).answer;
const ask = async (...words) => {
  const ids = [];
  for (const word of words) ids.push((await server.ask(approval(word))).id);
  return ids;
};
const titles = (page) => page.locator("#list .title").allTextContents();
const current = (page) => page.locator("#beside .row[aria-current=true] .title").textContent();

test("the list's address shows the list and the first card, and j, k and answers go on beside it", async () => {
  await server.clear();
  const ids = await ask("one", "two", "three");
  const page = await enter(browser, server, "ana", WIDE);
  await heading(page, "Run one?");
  assert.equal(new URL(page.url()).pathname, "/");
  assert.equal(await current(page), "Run one?");
  await page.evaluate(() => { window.stayed = document.querySelector("#beside"); });
  await press(page, "j");
  await heading(page, "Run two?");
  assert.equal(new URL(page.url()).pathname, `/d/${ids[1]}`);
  assert.equal(await current(page), "Run two?");
  await press(page, "k");
  await heading(page, "Run one?");
  await press(page, "2");
  await press(page, "Enter");
  await heading(page, "Run two?");
  assert.deepEqual((await settled(ids[0])).values, { go: "no" });
  await page.locator("#beside").getByText("Run one?").waitFor({ state: "detached" });
  assert.ok(await page.evaluate(() => window.stayed === document.querySelector("#beside")), "the list is the same");
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id} ${one.nodes[0].html}`), []);
  await page.context().close();
});

test("how many wait stands in the title of the tab, beside whatever card", async () => {
  await server.clear();
  for (const word of ["one", "two", "three"]) await server.ask({ title: `Run ${word}?`, requested_by: "agent", fields: [{ id: "name", kind: "text", label: "A name" }] });
  const page = await enter(browser, server, "ana", { viewport: { width: 1440, height: 900 } });
  await page.goto("/");
  await page.waitForFunction(() => document.title === "(3) Run one? · Holdpoint");
  await press(page, "j");
  await page.waitForFunction(() => document.title === "(3) Run two? · Holdpoint");
  await server.ask({ title: "Run four?", requested_by: "agent", fields: [{ id: "name", kind: "text", label: "A name" }] });
  await page.waitForFunction(() => document.title === "(4) Run two? · Holdpoint");
  await press(page, "k");
  await page.waitForFunction(() => document.title === "(4) Run one? · Holdpoint");
  await page.context().close();
});

test("a window that gets narrower keeps the card, what is typed on it and an address of its own; and wider again the list", async () => {
  await server.clear();
  const ids = await ask("one", "two");
  const page = await enter(browser, server, "ana", WIDE);
  await heading(page, "Run one?");
  await page.getByLabel("Message").fill("half a thought");
  await page.setViewportSize({ width: 800, height: 700 });
  await page.waitForURL(new RegExp(ids[0]));
  assert.equal(await page.locator("#beside").count(), 0);
  assert.equal(await page.getByLabel("Message").inputValue(), "half a thought");
  await page.setViewportSize(WIDE.viewport);
  await page.locator("#beside .row[aria-current=true]").getByText("Run one?").waitFor();
  assert.equal(await page.getByLabel("Message").inputValue(), "half a thought");
  await page.context().close();
});

test("a card's address shows the list beside it, and a row opens its card", async () => {
  await server.clear();
  const ids = await ask("one", "two");
  const page = await enter(browser, server, "ana", WIDE);
  await page.goto(`/d/${ids[1]}`);
  await heading(page, "Run two?");
  await page.locator("#beside .row[aria-current=true]").getByText("Run two?").waitFor();
  await page.locator("#beside .row").getByText("Run one?").click();
  await heading(page, "Run one?");
  assert.equal(await current(page), "Run one?");
  await page.goBack();
  await heading(page, "Run two?");
  await page.context().close();
});

test("place and scroll of the list are kept from card to card", async () => {
  await server.clear();
  const words = Array.from({ length: 30 }, (_, at) => `step-${at}`);
  await ask(...words);
  const page = await enter(browser, server, "ana", { viewport: { width: 1200, height: 600 } });
  await heading(page, "Run step-0?");
  await page.locator("#beside .row").getByText("Run step-20?").click();
  await heading(page, "Run step-20?");
  const scrolled = await page.locator("#beside").evaluate((pane) => pane.scrollTop);
  assert.ok(scrolled > 300, `${scrolled}`);
  await press(page, "k");
  await heading(page, "Run step-19?");
  assert.ok(Math.abs(await page.locator("#beside").evaluate((pane) => pane.scrollTop) - scrolled) < 120);
  await page.context().close();
});

for (const viewport of [{ width: 1440, height: 700 }, { width: 390, height: 844 }]) {
  test(`back at the list one is where one left it (${viewport.width} px)`, async () => {
    await server.clear();
    const ids = await ask(...Array.from({ length: 30 }, (_, at) => `step-${at}`));
    const page = await enter(browser, server, "ana", { viewport });
    await page.locator(`#list li[data-id="${ids[20]}"] .row`).scrollIntoViewIfNeeded();
    const place = () => page.evaluate(() => document.querySelector("#beside")?.scrollTop ?? scrollY);
    const before = await place();
    assert.ok(before > 300, `${before}`);
    await page.locator(`#list li[data-id="${ids[20]}"] .row`).click();
    await heading(page, "Run step-20?");
    await press(page, "u");
    await page.waitForURL((url) => url.pathname === "/");
    await page.locator("#list").getByText("Run step-20?").waitFor();
    if (viewport.width > 1100) await heading(page, "Run step-0?");
    else await page.waitForFunction((id) => document.activeElement?.closest("li")?.dataset.id === id, ids[20]);
    assert.ok(Math.abs(await place() - before) < 80, `${await place()} after ${before}`);
    await page.context().close();
  });
}

for (const viewport of [WIDE.viewport, { width: 1000, height: 720 }]) {
  test(`what arrives above waits behind "new", and what arrives below is put there (${viewport.width} px)`, async () => {
    await server.clear();
    await ask("one", "two");
    const page = await enter(browser, server, "ana", { viewport });
    await page.locator("#list").getByText("Run two?").waitFor();
    if (viewport.width > 1100) await heading(page, "Run one?");
    const row = page.locator("#list li").first(), before = await row.boundingBox();
    await server.ask(approval("now", { priority: "urgent" }));
    await server.ask(approval("later"));
    await page.getByRole("button", { name: "1 new" }).waitFor();
    await page.locator("#list").getByText("Run later?").waitFor();
    assert.deepEqual(await titles(page), ["Run one?", "Run two?", "Run later?"]);
    assert.deepEqual(await row.boundingBox(), before);
    assert.match(await page.title(), /^\(4\) /);
    await page.getByRole("button", { name: "1 new" }).click();
    assert.deepEqual(await titles(page), ["Run now?", "Run one?", "Run two?", "Run later?"]);
    await page.context().close();
  });
}

test("a row that is settled elsewhere stays under the pointer until it leaves", async () => {
  await server.clear();
  const [first] = await ask("one", "two", "three");
  const page = await enter(browser, server, "ana");
  await page.locator("#list .row").getByText("Run two?").hover();
  await server.api("POST", `/v1/decisions/${first}/cancel`, { reason: "x" });
  await page.locator("#list li.gone").waitFor();
  assert.equal((await titles(page)).length, 3);
  await page.mouse.move(2, 2);
  await page.locator("#list li.gone").waitFor({ state: "detached" });
  await page.context().close();
});

test("on a phone what sends is in reach, and what lies under it is not read", async () => {
  await server.clear();
  const script = Array.from({ length: 60 }, (_, n) => `echo step ${n + 1}`).join("\n");
  const { id } = await server.ask({ ...approval("long"), subject: script });
  const page = await enter(browser, server, "ana", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto(`/d/${id}`);
  const inSight = (name) => page.getByRole("button", { name }).evaluate((one) => { const { top, bottom } = one.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; });
  for (const name of ["Allow", "Deny"]) assert.ok(await inSight(name), `${name} is in reach`);
  // The end of the subject is just above the foot of the screen, covered by the buttons.
  await page.evaluate(async () => {
    const end = document.querySelector("#subject-end"), until = () => end.getBoundingClientRect().bottom - innerHeight + 4;
    while (until() > 1) { scrollBy({ top: Math.min(300, until()), behavior: "instant" }); await new Promise((done) => setTimeout(done, 200)); }
  });
  assert.equal(await page.getByRole("button", { name: "Allow" }).getAttribute("aria-disabled"), "true");
  await readToTheEnd(page);
  assert.equal(await page.getByRole("button", { name: "Allow" }).getAttribute("aria-disabled"), "false");
  for (const name of ["Allow", "Deny"]) assert.ok(await inSight(name), `${name} is in reach`);
  await page.getByRole("button", { name: "Deny" }).click();
  assert.deepEqual((await settled(id)).values, { go: "no" });
  await page.context().close();
});

for (const width of [390, 320]) {
  test(`on a phone the head of the page is one row, and every page is in reach (${width}px)`, async () => {
    await server.clear();
    const [id] = await ask("one");
    const page = await enter(browser, server, "ana", { viewport: { width, height: 700 }, hasTouch: true, isMobile: true });
    for (const path of ["/", `/d/${id}`, "/rules"]) {
      await page.goto(path);
      // On a card, the way back is the head of the page.
      const head = await page.locator("header.top:visible, .back:visible").first().boundingBox();
      assert.ok(head.height <= 50, `${path}: ${head.height}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${path} is too wide`);
      const here = await page.locator("header [aria-current]:visible, .back a:visible").first().boundingBox();
      assert.ok(here.x + here.width <= width, "one sees where one is");
    }
    await page.getByRole("link", { name: "Insights" }).click();
    await page.waitForURL(/insights/);
    await page.context().close();
  });
}
