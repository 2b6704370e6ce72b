// Taking a decision, snoozing it, running a command from the palette, and the insights page.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { enter, press, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const confirm = { id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Allow" }, { id: "no", label: "Deny", refuses: true }] };
const ask = (word) => server.ask({ title: `Run ${word}?`, requested_by: "agent", subject: { command: `make ${word}` }, fields: [confirm] });
const axe = async (page) => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id} ${one.nodes[0].html}`), []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 1, `${wide}px too wide`);
};

test("t says that one is on it, z snoozes it, and it can be brought back", async () => {
  await server.clear();
  await server.person("ben");
  const { id } = await ask("one");
  await ask("two");
  const page = await enter(browser, server, "ana"), other = await enter(browser, server, "ben");
  await page.goto(`/d/${id}`);
  await page.evaluate(() => { window.loaded = true; });
  await press(page, "t");
  await page.locator("#card .head").getByText("You are on it", { exact: true }).waitFor();
  assert.ok(await page.evaluate(() => window.loaded), "the page was not loaded again");
  await axe(page);
  await other.getByText("ana is on it").waitFor();
  await press(page, "z");
  await press(page, "Enter");
  await page.getByText("1 snoozed").waitFor();
  assert.equal(await page.locator("#list .row").count(), 1);
  assert.equal(await other.locator("#list .row").count(), 2);
  // It stays hidden when the list is updated for another reason.
  await ask("three");
  await page.locator("#list").getByText("Run three?").waitFor();
  assert.equal(await page.getByText("Run one?").count(), 0);
  await page.getByRole("link", { name: "1 snoozed" }).click();
  await page.getByText("Run one?").click();
  await page.getByRole("button", { name: "Unsnooze" }).click();
  await page.locator("#list").getByText("Run one?").waitFor();
  await page.context().close();
  await other.context().close();
});

test("taking, snoozing and picking move nothing on a long card, and folds open and close without an error", async () => {
  await server.clear();
  const command = Array.from({ length: 150 }, (_, at) => `echo ${at}`).join("\n");
  const options = [{ id: "yes", label: "Allow" }, { id: "later", label: "Later" }, { id: "no", label: "Deny", refuses: true }];
  const { id } = await server.ask({ title: "Run it?", requested_by: "agent", subject: { command }, fields: [{ id: "go", kind: "choice", label: "Run it?", options }] });
  const page = await enter(browser, server, "ana"), errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`/d/${id}`);
  await press(page, "3");
  await page.locator("#choices [aria-pressed=true]").waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.evaluate(() => scrollTo(0, 300));
  await press(page, "t");
  await page.locator("#taken").waitFor({ state: "attached" });
  await press(page, "z");
  assert.ok(await page.getByRole("button", { name: "1 hour" }).isVisible());
  // The head has one more word now, which may be a pixel higher.
  assert.ok(Math.abs(await page.evaluate(() => scrollY) - 300) <= 2);
  await page.keyboard.press("Escape");
  assert.ok(await page.getByRole("button", { name: "1 hour" }).isHidden());
  const fold = page.locator("#details > summary");
  await fold.click();
  await fold.click();
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("Ctrl-K finds a command, an option, a page or decisions; ? shows what fits the page", async () => {
  await server.clear();
  const { id } = await ask("one");
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${id}`);
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").getByText("Write a message").isVisible());
  assert.ok(await page.locator("#help").getByText("Next file").isHidden());
  await axe(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.locator("#palette-box").fill("mess");
  await axe(page);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "message");
  await page.keyboard.press("Control+k");
  await page.locator("#palette-box").fill("deny");
  await page.keyboard.press("Enter");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^Deny/);
  assert.equal((await server.get(id)).status, "pending", "finding it does not send it");
  await page.keyboard.press("Control+k");
  await page.locator("#palette-box").fill("go to hist");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/history/);
  await page.keyboard.press("Control+k");
  await page.locator("#palette-box").fill("run one");
  await page.getByRole("option", { name: /^Open / }).first().waitFor();
  await axe(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/d/${id}`));
  await page.keyboard.press("Control+k");
  await page.locator("#palette-box").fill("make one");
  await page.getByRole("option", { name: "Search the inbox for" }).click();
  await page.waitForURL(/q=make/);
  await page.locator("#list").getByText("Run one?").waitFor();
  await page.context().close();
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1440, 320]) {
    test(`insights, ${colorScheme}, ${width} px`, async () => {
      await server.clear();
      const { id, digest } = await ask("one");
      await server.api("POST", `/v1/decisions/${id}/answer`, { choice: "yes", digest });
      await ask("two");
      const page = await enter(browser, server, "ana", { colorScheme, viewport: { width, height: 900 }, reducedMotion: "reduce" });
      for (const days of [7, 90]) {
        await page.goto(`/insights?days=${days}`);
        await page.getByRole("heading", { name: "Blocked now" }).waitFor();
        await axe(page);
      }
      await page.getByText("As a table").click();
      await page.getByRole("columnheader", { name: "Day" }).waitFor();
      await page.context().close();
    });
  }
}
