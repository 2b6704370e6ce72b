// Live pages: new decisions appear, races are reported, and the keyboard is enough.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, PASSWORD, press, staged } from "../stage.js";
import { decisions } from "../scene.js";

let server, browser;
staged(async (one, other) => {
  [server, browser] = [one, other];
  await server.person("ben");
});

const small = (title) => ({ title, requested_by: "agent", fields: [{ id: "choice", kind: "choice", label: "Which?", options: [{ id: "a", label: "First" }, { id: "b", label: "Second" }] }] });

test("a new decision appears by itself, is said aloud, and typed text and focus stay", async () => {
  await server.clear();
  const page = await enter(browser, server, "ana");
  await page.getByText("Nothing is waiting for you").waitFor();
  await page.locator("#search").fill("fresh");
  await page.locator("#say").filter({ hasText: "Nothing matches" }).waitFor({ state: "attached" });
  const began = Date.now();
  await server.ask(small("Fresh question"));
  await page.getByText("Fresh question").first().waitFor();
  const took = Date.now() - began;
  assert.ok(took < 3000, `took ${took} ms`);
  assert.equal(await page.locator("#search").inputValue(), "fresh");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  assert.equal(await page.locator("#say").textContent(), "New decision: Fresh question");
  await page.context().close();
});

test("what only moves up into the part that is shown is not said to be new", async () => {
  await server.clear();
  const ids = [];
  for (let at = 0; at < 42; at += 1) ids.push((await server.ask(small(`Filler ${at}`))).id);
  const page = await enter(browser, server, "ana");
  await page.locator(`#list li[data-id="${ids[39]}"]`).waitFor();
  await server.api("POST", `/v1/decisions/${ids[0]}/cancel`, { reason: "x" });
  await page.locator(`#list li[data-id="${ids[40]}"]`).waitFor();
  assert.doesNotMatch(await page.locator("#say").textContent(), /New decision/);
  await server.api("POST", `/v1/decisions`, { ...small("Real news"), priority: "urgent" });
  await page.locator("#say").filter({ hasText: "New decision: Real news" }).waitFor({ state: "attached" });
  await page.context().close();
});

test("focus stays on its row while others come and go", async () => {
  await server.clear();
  const page = await enter(browser, server, "ana");
  const first = await server.ask(small("One"));
  await server.ask(small("Two"));
  await page.getByText("Two", { exact: true }).waitFor();
  await page.getByText("Two", { exact: true }).locator("xpath=ancestor::a").focus();
  await server.api("POST", `/v1/decisions/${first.id}/cancel`, { reason: "x" });
  await page.getByText("One", { exact: true }).waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".title")?.textContent), "Two");
  await page.context().close();
});

test("two at once: one wins, the open card of the other says so and sends nothing", async () => {
  const [ana, ben] = [await enter(browser, server, "ana"), await enter(browser, server, "ben")];
  const { id } = await server.ask(small("Race"));
  await ana.goto(`/d/${id}`);
  await ben.goto(`/d/${id}`);
  await ben.getByLabel("Message").fill("words of ben");
  await ben.getByLabel("Second").check();
  await ana.getByLabel("First").check();
  await ana.getByRole("button", { name: "Send answer" }).click();
  await ben.getByText("ana already answered").waitFor();
  assert.ok(await ben.getByRole("button", { name: "Send answer" }).isDisabled());
  assert.equal(await ben.getByLabel("Message").inputValue(), "words of ben");
  assert.deepEqual((await server.get(id)).answer.values, { choice: "a" });
  await ana.context().close();
  await ben.context().close();
});

test("two at once without script: the second is told who and what, and keeps the words", async () => {
  const ana = await enter(browser, server, "ana", { javaScriptEnabled: false });
  const ben = await enter(browser, server, "ben", { javaScriptEnabled: false });
  const { id } = await server.ask(small("Race"));
  await ben.goto(`/d/${id}`);
  await ana.goto(`/d/${id}`);
  await ana.getByLabel("First").check();
  await ana.getByRole("button", { name: "Send answer" }).click();
  await ben.getByLabel("Second").check();
  await ben.getByLabel("Message").fill("words of ben");
  await ben.getByRole("button", { name: "Send answer" }).click();
  await ben.getByText("answered first").waitFor();
  await ben.getByText("words of ben").waitFor();
  assert.match(await ben.locator(".outcome").textContent(), /First.*ana, /s);
  await ana.context().close();
  await ben.context().close();
});

test("a question that is revised while it is read blocks sending and keeps what was typed", async () => {
  const page = await enter(browser, server, "ana");
  const { id } = await server.ask(small("Before"));
  await page.goto(`/d/${id}`);
  await page.getByLabel("Message").fill("kept");
  await server.api("PATCH", `/v1/decisions/${id}`, { title: "After" });
  await page.getByText("The agent changed this").waitFor();
  assert.ok(await page.getByRole("button", { name: "Send answer" }).isDisabled());
  assert.equal(await page.getByLabel("Message").inputValue(), "kept");
  await page.getByText("Show the new version").click();
  await page.getByRole("heading", { name: "After" }).waitFor();
  await page.context().close();
});

test("keys alone: two for each of a run of decisions", async () => {
  await server.clear();
  const ids = [];
  for (const name of ["One", "Two", "Three"]) ids.push((await server.ask(small(name))).id);
  const page = await enter(browser, server, "ana");
  await page.getByText("Three", { exact: true }).waitFor();
  for (let at = 0; at < 3; at += 1) {
    await press(page, "2");
    await page.waitForURL(/\/d\//);
    await page.locator("input[value=b]:checked").waitFor();
    await press(page, "Enter");
    await server.settled(ids[at]);
  }
  for (const id of ids) assert.deepEqual((await server.get(id)).answer.values, { choice: "b" });
  await page.context().close();
});

test("keys alone: move, open, guide, search, help", async () => {
  await server.clear();
  const { id } = await server.ask(small("One"));
  await server.ask(small("Two"));
  const page = await enter(browser, server, "ana");
  await page.getByText("Two", { exact: true }).waitFor();
  const title = () => page.evaluate(() => document.activeElement.querySelector(".title")?.textContent);
  await page.keyboard.press("j");
  assert.equal(await title(), "One");
  await page.keyboard.press("j");
  assert.equal(await title(), "Two");
  await page.keyboard.press("k");
  assert.equal(await title(), "One");
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await press(page, "Enter");
  await page.waitForURL(/\/d\//);
  await page.keyboard.press("g");
  await page.keyboard.type("more detail");
  await press(page, "Control+Enter");
  assert.equal((await server.settled(id)).status, "refined");
  await page.context().close();
});

test("keys alone: Tab reaches everything on a form, and Enter on a confirm sends what has focus", async () => {
  const { id } = await server.ask(decisions.approval);
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${id}`);
  // The browser moves the focus after drawing the page, not after loading it.
  await page.waitForFunction(() => document.activeElement?.matches("button"));
  await press(page, "Enter");
  assert.deepEqual((await server.settled(id)).answer.values, { answer: "deny" });
  await page.context().close();
});

test("a session that ends loses no words", async () => {
  const { id } = await server.ask(small("Long form"));
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${id}`);
  await page.getByLabel("Message").fill("an hour of words");
  await page.getByLabel("First").check();
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Nothing was sent").waitFor();
  await page.getByLabel("Name").fill("ana");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Nothing was sent").waitFor();
  assert.equal(await page.getByLabel("Message").inputValue(), "an hour of words");
  await page.getByRole("button", { name: "Send answer" }).click();
  assert.equal((await server.settled(id)).answer.message, "an hour of words");
  await page.context().close();
});

test("a session that is found to be over on the next card leads back to the card that is shown", async () => {
  await server.clear();
  const { id } = await server.ask({ title: "Which colour?", fields: [{ id: "c", kind: "choice", label: "The colour", options: [{ id: "y", label: "Yellow" }, { id: "b", label: "Blue" }] }] });
  const { id: next } = await server.ask(small("Another"));
  const page = await enter(browser, server, "ana", { viewport: { width: 1440, height: 900 } });
  await page.goto(`/d/${id}`);
  await page.locator(`#beside li[data-id="${next}"]`).waitFor();
  await page.getByLabel("Message").fill("some words");
  await page.getByLabel("Yellow").check();
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.locator("form[action='/sign-in']").waitFor();
  const here = new URL(page.url()), link = page.locator("#lost a");
  assert.equal(here.pathname, `/d/${id}`);
  if (await link.count()) assert.ok((await link.getAttribute("href")).startsWith(`/sign-in?next=${encodeURIComponent(here.pathname)}`));
  assert.deepEqual(await page.locator("#beside .row[aria-current]").evaluateAll((all) => all.map((row) => row.closest("li").dataset.id)), [id]);
  const typed = page.locator(".typed");
  assert.deepEqual([await typed.locator("dt").allTextContents(), await typed.locator("dd").allTextContents()], [["The colour", "Message"], ["Yellow", "some words"]]);
  const door = page.locator("form[action='/sign-in']");
  await door.locator("[name=name]").fill("ana");
  await door.getByLabel("Password").fill(PASSWORD);
  await door.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Nothing was sent yet.").waitFor();
  assert.equal(await page.getByLabel("Message").inputValue(), "some words");
  assert.equal(new URL(page.url()).pathname, `/d/${id}`, "the address is the card's");
  await page.context().close();
});

const form = (title) => ({ title, requested_by: "agent", fields: [
  { id: "text", kind: "multiline", label: "What shall we say?" },
  { id: "choice", kind: "choice", label: "Which?", options: [{ id: "a", label: "First" }, { id: "b", label: "Second" }] },
  { id: "sure", kind: "boolean", label: "Sure?" },
] });
const words = "We are sorry; the checkout was down.";

// The server stores drafts as well, a moment later: here that fails, so that only the page's own copy comes back.
const alone = (page) => page.route("**/draft", (route) => route.fulfill({ status: 503 }));
const fill = async (page) => {
  await page.getByLabel("What shall we say?").pressSequentially(words);
  await page.getByLabel("Second").check();
};
const isBack = async (page) => {
  await page.locator("input[value=b]:checked").waitFor();
  assert.equal(await page.getByLabel("What shall we say?").inputValue(), words);
};

test("what is filled in comes back after a reload, u, j, and a failed send, without the server", async () => {
  await server.clear();
  const { id } = await server.ask(form("Words"));
  await server.ask(form("Others"));
  const page = await enter(browser, server, "ana");
  await alone(page);
  await page.goto(`/d/${id}`);
  await fill(page);
  await page.reload();
  await isBack(page);
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  await press(page, "u");
  await page.locator("#list .row").getByText("Words").click();
  await isBack(page);
  await page.evaluate(() => document.activeElement.blur());
  await press(page, "j");
  await page.getByRole("heading", { name: "Others" }).waitFor();
  assert.equal(await page.getByLabel("What shall we say?").inputValue(), "");
  await press(page, "k");
  await page.getByRole("heading", { name: "Words" }).waitFor();
  await isBack(page);
  await page.getByLabel("Yes").check();
  await page.route(`**/d/${id}`, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await page.locator("html[data-keys=answer]").waitFor();
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Not confirmed.").waitFor();
  await isBack(page);
  await page.unroute(`**/d/${id}`);
  await page.reload();
  await isBack(page);
  await page.locator("html[data-keys=answer]").waitFor();
  await page.getByRole("button", { name: "Send answer" }).click();
  assert.deepEqual((await server.settled(id)).answer.values, { text: words, choice: "b", sure: true });
  await page.waitForFunction((one) => localStorage.getItem(`typed:${one}:ana`) === null, id);
  await page.context().close();
});

test("what is filled in comes back after a revision; a pick only where it is not about another subject", async () => {
  await server.clear();
  for (const subject of [undefined, { command: "make one" }]) {
    const { id } = await server.ask({ ...form("Before"), subject });
    const page = await enter(browser, server, "ana");
    await alone(page);
    await page.goto(`/d/${id}`);
    await fill(page);
    await server.api("PATCH", `/v1/decisions/${id}`, subject ? { subject: { command: "make two" } } : { title: "After" });
    await page.getByText("Show the new version").click();
    if (subject) await page.locator("#subject").getByText("make two", { exact: true }).waitFor();
    else await page.getByRole("heading", { name: "After" }).waitFor();
    await page.waitForFunction((text) => document.querySelector("#fields textarea")?.value === text, words);
    assert.equal(await page.locator("input[value=b]:checked").count(), subject ? 0 : 1);
    await page.context().close();
  }
});

test("what somebody else filled in since is not undone by what the server had kept from here", async () => {
  await server.clear();
  const { id } = await server.ask(form("Shared"));
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${id}`);
  const kept = page.waitForResponse((reply) => reply.url().endsWith("/draft") && reply.ok());
  await page.getByLabel("What shall we say?").fill(words);
  await kept;
  await page.waitForFunction((one) => JSON.parse(localStorage.getItem(`typed:${one}:ana`))?.kept, id);
  await server.api("PUT", `/v1/decisions/${id}/draft`, { values: { text: "theirs" } });
  await page.reload();
  await page.locator("html[data-keys=answer]").waitFor();
  assert.equal(await page.getByLabel("What shall we say?").inputValue(), "theirs");
  await page.context().close();
});

test("a page whose session ended elsewhere says so at once, leads to sign in, and what was typed comes back", async () => {
  await server.clear();
  const { id } = await server.ask(form("Long form"));
  const page = await enter(browser, server, "ana");
  await alone(page);
  await page.goto(`/d/${id}`);
  await page.locator("html[data-keys=answer]").waitFor();
  await fill(page);
  const other = await page.context().newPage();
  await other.goto("/history");
  await other.getByLabel("Menu").click();
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.waitForURL(/sign-in/);
  const banner = page.locator("#lost");
  await banner.getByText("You are signed out.").waitFor();
  assert.equal(await page.getByLabel("What shall we say?").inputValue(), words);
  await banner.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Name").fill("ana");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(new RegExp(id));
  await isBack(page);
  await page.context().close();
});
