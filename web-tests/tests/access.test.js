// axe finds nothing serious on any page, light or dark, wide or narrow; and everything works without scripts.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { enter, staged } from "../stage.js";
import { decisions } from "../scene.js";

let server, browser;
const paths = { inbox: "/", empty: "/?q=zebra", history: "/history", settings: "/settings" };
staged(async (one, other) => {
  [server, browser] = [one, other];
  await server.person("ana", { role: "admin", email: "ana@example.org" });
  await server.api("POST", "/v1/tokens", { name: "agent-7", role: "agent" });
  const { many, ...others } = decisions;
  for (const [name, document] of Object.entries(others)) paths[name] = `/d/${(await server.ask(document)).id}`;
  paths.many = `/d/${(await server.ask(many)).id}`;
  const { id } = await server.ask(decisions.choice);
  const { next } = await server.api("POST", `/v1/decisions/${id}/answer`, { guidance: "more" });
  await server.api("PATCH", `/v1/decisions/${next}`, { prompt: "Another prompt" });
  Object.assign(paths, { refined: `/d/${id}`, round: `/d/${next}` });
  const denied = await server.ask(decisions.approval);
  await server.api("POST", `/v1/decisions/${denied.id}/answer`, { choice: "deny", digest: denied.digest });
  paths.denied = `/d/${denied.id}`;
});

const check = async (page, name) => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const bad = violations.filter((one) => ["serious", "critical"].includes(one.impact));
  assert.deepEqual(bad.map((one) => `${name}: ${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(" | ")}`), []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 1, `${name} is ${wide}px too wide`);
};

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1200, 320]) {
    test(`axe: every page, ${colorScheme}, ${width} px`, async () => {
      const page = await enter(browser, server, "ana", { colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" });
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(path);
        await check(page, name);
      }
      await page.goto(paths.everything);
      await page.getByRole("button", { name: "Send answer" }).click();
      await page.getByText("Nothing was sent. Fix the marked fields.").waitFor();
      await check(page, "invalid");
      await page.context().clearCookies();
      await page.goto("/sign-in");
      await check(page, "sign-in");
      await page.goto("/link/forged.text");
      await check(page, "dead link");
      await page.context().close();
    });
  }
}

test("200 % zoom: nothing is cut off", async () => {
  const page = await enter(browser, server, "ana", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(path);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 1, `${name} is ${wide}px too wide`);
  }
  await page.context().close();
});

for (const viewport of [{ width: 720, height: 450 }, { width: 1440, height: 500 }, { width: 640, height: 512 }, { width: 320, height: 568 }]) {
  test(`on a small screen what sends is in reach, and the subject is seen (${viewport.width} x ${viewport.height})`, async () => {
    const { id } = await server.ask({ ...decisions.approval, title: `Migrate at ${viewport.width}` });
    const page = await enter(browser, server, "ana", { viewport });
    await page.goto(`/d/${id}`);
    await page.locator("#answers").waitFor();
    const { yes, subject, cover, links } = await page.evaluate(() => {
      const place = (query) => document.querySelector(query).getBoundingClientRect();
      const first = document.querySelector("#subject .code, #subject pre");
      first.scrollIntoView({ block: "start" });
      const bar = place("#answers");
      const cover = bar.top;
      const links = [...document.querySelectorAll(".top nav a")].map((link) => link.getClientRects().length <= 1 && link.scrollHeight < 60);
      return { yes: place("button.yes").bottom, subject: first.getBoundingClientRect().top, cover, links };
    });
    assert.ok(yes <= viewport.height, `the yes ends at ${yes}`);
    assert.ok(cover - subject > 48, `${cover - subject} px of the subject are seen`);
    assert.ok(links.every(Boolean), "no word of the navigation is broken");
    await page.context().close();
  });
}

test("touch targets are large enough on a phone", async () => {
  const page = await enter(browser, server, "ana", { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  for (const name of ["inbox", "choice", "approval", "everything"]) {
    await page.goto(paths[name]);
    const small = await page.evaluate(() => {
      const targets = [...document.querySelectorAll("button, .row, .option > label, select, input:not([type=hidden], [type=radio], [type=checkbox]), summary, .back a, .bar a, #card > .hint a, .elsewhere-asked a")];
      return targets.filter((one) => one.checkVisibility()).map((one) => [one.textContent.trim().slice(0, 30) || one.name, one.getBoundingClientRect().height]).filter(([, height]) => height > 0 && height < 32);
    });
    assert.deepEqual(small, []);
  }
  await page.context().close();
});

test("a card opens where the subject begins, with the refusal at hand", async () => {
  const page = await enter(browser, server, "ana", { viewport: { width: 320, height: 480 }, hasTouch: true, isMobile: true });
  const { id } = await server.ask({ ...decisions.approval, owner: "job:phone" });
  await page.goto(`/d/${id}`);
  const [focused, scrolled] = await page.evaluate(() => [document.activeElement.textContent, scrollY]);
  assert.match(focused, /^Deny/);
  assert.equal(scrolled, 0);
  await page.context().close();
});

test("right-to-left text reads from the right", async () => {
  const page = await enter(browser, server, "ana");
  await page.goto(paths.rtl);
  const direction = await page.evaluate(() => getComputedStyle(document.querySelector("h1")).direction);
  assert.equal(direction, "rtl");
  await page.context().close();
});

test("script off: sign in, search, fill a form that changes, answer, sign out", async () => {
  const page = await enter(browser, server, "ana", { javaScriptEnabled: false });
  await page.getByLabel("Search").fill("Time off");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByText("Time off").click();
  await page.getByLabel("Sick leave").check();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("radio", { name: "No", exact: true }).check();
  await page.getByLabel("First day").fill("2026-03-02");
  await page.getByLabel("E-mail for the confirmation").fill("wrong");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("is not an e-mail address").first().waitFor();
  await page.getByLabel("E-mail for the confirmation").fill("a@b.de");
  await page.getByRole("button", { name: "Send answer" }).click();
  const id = paths.form.slice(3);
  assert.deepEqual((await server.settled(id)).answer.values, { type: "sick", certificate: false, from: "2026-03-02", mail: "a@b.de" });
  await page.goto("/history?q=Time");
  await page.getByText("Time off").waitFor();
  await page.getByLabel("Menu").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.context().close();
});

test("the first page is small on the wire with a thousand waiting", async () => {
  const all = Array.from({ length: 1000 }, (_, at) => ({ ...decisions.gate, title: `Gate ${at} failed on branch ${at * 7919 % 1000}`, owner: `job:j${at}` }));
  while (all.length) await Promise.all(all.splice(0, 50).map(server.ask));
  const page = await enter(browser, server, "ana");
  // Transferred sizes: styles and scripts are fetched once, and cached by the browser until they change.
  const sizes = async (requests) => (await Promise.all(requests.map((request) => request.sizes()))).reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
  const seen = [];
  page.on("requestfinished", (request) => { if (!request.url().includes("/live")) seen.push(request); });
  // The sign-in page has already fetched some of them.
  await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
  await page.goto("/", { waitUntil: "load" });
  await page.waitForFunction(() => document.querySelectorAll(".row").length === 40);
  await page.waitForFunction(() => document.documentElement.dataset.keys);
  const isKept = (request) => request.url().includes("/assets/");
  const bytes = await sizes(seen.filter((request) => !isKept(request))), kept = await sizes(seen.filter(isKept));
  assert.ok(bytes > 0 && bytes < 25600, `${bytes} bytes`);
  assert.ok(kept > 0 && kept < 67584, `${kept} bytes of style and scripts`);
  const reply = await page.request.get("/", { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" } });
  assert.equal(reply.headers()["content-encoding"], undefined, "what another site asked for is not compressed");
  await page.context().close();
});
