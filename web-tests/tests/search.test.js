// Search while typing, in pending and settled decisions, and saved searches.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { enter, press, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const choice = { id: "go", kind: "choice", label: "Go on?", options: [{ id: "yes", label: "Go on" }, { id: "no", label: "Stop", refuses: true }] };
const ask = (title, more = {}) => server.ask({ title, requested_by: "agent", fields: [choice], ...more });
const titles = (page, where = "#list") => page.locator(`${where} .rows .title`).allTextContents();
const shows = async (page, right, where = "#list") => {
  for (let tries = 0; tries < 200; tries += 1) {
    if (JSON.stringify((await titles(page, where)).sort()) === JSON.stringify([...right].sort())) return;
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  assert.deepEqual((await titles(page, where)).sort(), [...right].sort());
};

test("the list follows what is typed, also into subjects and options, and the box keeps the focus", async () => {
  await server.clear();
  await ask("Deploy the shop", { subject: { command: "kubectl apply -f prod/café.yaml" } });
  await ask("Deploy the blog");
  await ask("Delete the branch");
  const page = await enter(browser, server, "ana");
  await shows(page, ["Deploy the shop", "Deploy the blog", "Delete the branch"]);
  await press(page, "/");
  await page.keyboard.type("shop dep");
  await shows(page, ["Deploy the shop"]);
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  assert.equal(new URL(page.url()).searchParams.get("q"), "shop dep");
  await page.locator("#search").fill("cafe kubectl");
  await shows(page, ["Deploy the shop"]);
  await page.locator("#search").fill("nothing has this");
  await page.getByText("No matches.").waitFor();
  await page.locator("#search").fill("deploy");
  await shows(page, ["Deploy the shop", "Deploy the blog"]);
  // New decisions are shown only if they match.
  await ask("Delete the other");
  await ask("Deploy the third");
  await page.locator("#list", { hasText: /Deploy the third|1 new/ }).waitFor();
  assert.ok(!(await titles(page)).includes("Delete the other"));
  await page.reload();
  await shows(page, ["Deploy the shop", "Deploy the blog", "Deploy the third"]);
  assert.equal(await page.locator("#search").inputValue(), "deploy");
  await page.locator("#search").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("#list .row"));
  await page.context().close();
});

test("beside a card the list is searched and the card stays", async () => {
  await server.clear();
  await ask("First of all");
  await ask("Second of all");
  const page = await enter(browser, server, "ana", { viewport: { width: 1440, height: 900 } });
  await page.locator("#card").getByRole("heading", { name: "First of all" }).waitFor();
  await page.locator("#search").fill("second");
  await shows(page, ["Second of all"]);
  assert.equal(await page.locator("#card h1").first().textContent(), "First of all");
  // Keys act on the results once the person has moved there.
  await page.locator("#search").press("Enter");
  await page.locator("#card").getByRole("heading", { name: "Second of all" }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("q"), "second");
  await page.context().close();
});

test("after an answer to a card that the search took off the list, the first match follows and the search stays", async () => {
  await server.clear();
  const { id } = await ask("First of all");
  await ask("Second of all");
  await ask("Third of all");
  const page = await enter(browser, server, "ana", { viewport: { width: 1440, height: 900 } });
  await page.locator("#card").getByRole("heading", { name: "First of all" }).waitFor();
  await page.locator("#search").fill("third");
  await shows(page, ["Third of all"]);
  await page.locator("#card h1").first().click();
  await press(page, "2");
  await press(page, "Enter");
  await server.settled(id);
  await page.locator("#card").getByRole("heading", { name: "Third of all" }).waitFor();
  assert.equal(await page.locator("#search").inputValue(), "third");
  await shows(page, ["Third of all"]);
  await page.context().close();
});

test("a number picks in the decision of the row that has the focus, and not in the card beside it", async () => {
  await server.clear();
  await ask("First of all");
  await ask("Second of all");
  const page = await enter(browser, server, "ana", { viewport: { width: 1440, height: 900 } });
  await page.locator("#card").getByRole("heading", { name: "First of all" }).waitFor();
  await page.locator("#list .row", { hasText: "Second of all" }).focus();
  await press(page, "1");
  await page.locator("#card").getByRole("heading", { name: "Second of all" }).waitFor();
  await page.locator("#answer input[value=yes]:checked").waitFor();
  await page.context().close();
});

test("history is searched by what was answered", async () => {
  await server.clear();
  const { id } = await ask("Rotate the keys");
  await server.api("POST", `/v1/decisions/${id}/answer`, { choice: "no", message: "not before the audit" });
  await ask("Rotate the logs").then(({ id: other }) => server.api("POST", `/v1/decisions/${other}/answer`, { choice: "yes" }));
  const page = await enter(browser, server, "ana");
  await page.goto("/history");
  await page.locator("#search").pressSequentially("audit rotate");
  await shows(page, ["Rotate the keys"], "#found");
  assert.equal(new URL(page.url()).searchParams.get("q"), "audit rotate");
  await page.context().close();
});

test("a search gets a name, is a link for its owner alone, and goes again", async () => {
  await server.clear();
  await server.person("bo");
  await ask("Deploy the shop", { project: "web" });
  await ask("Deploy the blog");
  const page = await enter(browser, server, "ana");
  assert.ok(await page.locator("#save-view").isHidden());
  await page.locator("#search").fill("deploy project=web");
  await shows(page, ["Deploy the shop"]);
  await page.getByText("Save view").click();
  await page.getByLabel("Name of the view").fill("Shop & <b>web</b>");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const link = page.getByRole("link", { name: "Shop & <b>web</b>" });
  await link.waitFor();
  assert.equal(await link.getAttribute("aria-current"), "true");
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map(({ id }) => id), []);
  await page.goto("/");
  await shows(page, ["Deploy the shop", "Deploy the blog"]);
  await page.getByRole("link", { name: "Shop & <b>web</b>" }).click();
  await shows(page, ["Deploy the shop"]);
  // Also from the palette, on a page without a list.
  await page.goto("/insights");
  await page.keyboard.press("Control+k");
  await page.locator("#palette-box").fill("show shop");
  await page.getByRole("option", { name: "Show Shop & <b>web</b>" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/project/);
  await shows(page, ["Deploy the shop"]);
  const other = await enter(browser, server, "bo");
  assert.equal(await other.getByRole("link", { name: "Shop & <b>web</b>" }).count(), 0);
  await page.getByRole("button", { name: "Remove view" }).click();
  await page.waitForURL((url) => url.pathname === "/" && !url.search);
  assert.equal(await page.getByRole("link", { name: "Shop & <b>web</b>" }).count(), 0);
  await other.context().close();
  await page.context().close();
});

test("without script Enter searches", async () => {
  await server.clear();
  await ask("Deploy the shop");
  await ask("Delete the branch");
  const page = await enter(browser, server, "ana", { javaScriptEnabled: false });
  await page.locator("#search").fill("shop deploy");
  await page.locator("#search").press("Enter");
  await page.waitForURL(/q=shop/);
  assert.deepEqual(await titles(page), ["Deploy the shop"]);
  await page.context().close();
});
