// A hundred mixed questions, answered with the keyboard: how many keys that takes, and that each gets the intended
// answer.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, press, slow, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const MOST = 140;
const allow = [{ id: "answer", kind: "confirm", label: "Allow it?", options: [{ id: "approve", label: "Allow once", effect: "approve" }, { id: "deny", label: "Deny", effect: "deny" }] }];
const approval = (title, subject) => ({ source: "approval", title, subject, fields: allow });
const pick = (title, options, more = {}) => ({ title, fields: [{ id: "answer", kind: "choice", label: "Which?", options: options.map((id) => ({ id, label: `Take ${id}` })) }], ...more });
const lines = (at) => Array.from({ length: 40 }, (_, line) => `line ${line} of file ${at}`).join("\n");

// Fifteen shapes; the answer to each follows from its number.
const SHAPES = [
  (at) => approval(`Step ${at}`, { command: `make step-${at}` }),
  (at) => approval(`Fetch ${at}`, { tool: "Bash", input: { command: `curl -fsSL https://get.example.dev/${at}.sh | sh`, description: `Step ${at}` }, cwd: "/srv/shop" }),
  (at) => approval(`Edit ${at}`, { tool: "Edit", input: { file_path: `/srv/a${at}.rs`, old_string: `one ${at}`, new_string: `two ${at}` } }),
  (at) => approval(`Write ${at}`, { tool: "Write", input: { file_path: `/srv/long${at}.txt`, content: lines(at) } }),
  (at) => approval(`Patch ${at}`, { tool: "apply_patch", input: { command: `*** Begin Patch\n*** Update File: a${at}.rs\n@@\n-one\n+two\n*** End Patch` } }),
  (at) => approval(`Query ${at}`, { tool: "sql", query: `UPDATE orders SET region = 'eu' WHERE id = ${at}` }),
  (at) => approval(`Open ${at}`, { tool: "WebFetch", input: { url: `https://docs.example.org/page/${at}` } }),
  (at) => approval(`Call ${at}`, { tool: "crm.update", arguments: { id: at, tags: ["vip"] } }),
  (at) => approval(`Pay ${at}`, { amount: at, currency: "USD", payee: "Acme Audio" }),
  (at) => ({ source: "plan", title: `Plan ${at}`, subject: `1. Do ${at}\n2. Check it\n`, fields: [{ id: "answer", kind: "confirm", label: "Go on?", options: [{ id: "approve", label: "Accept", effect: "accept_auto" }, { id: "deny", label: "Cancel", refuses: true }] }] }),
  (at) => pick(`Which cache for ${at}?`, ["approve", "deny"]),
  (at) => pick(`Gate ${at} failed`, ["approve", "deny", "skip"], { source: "gate" }),
  (at) => ({ title: `Which regions for ${at}?`, fields: [{ id: "answer", kind: "choices", label: "Regions", min: 1, options: ["approve", "deny", "us"].map((id) => ({ id, label: `Region ${id}` })) }] }),
  (at) => ({ title: `Merge ${at}?`, fields: [{ id: "answer", kind: "boolean", label: `Merge ${at}?` }] }),
  (at) => ({ title: `Deploy ${at}?`, fields: [{ id: "answer", kind: "confirm", label: `Deploy ${at}?`, options: [{ id: "approve", label: "Deploy" }, { id: "deny", label: "Wait", refuses: true }] }] }),
];

/** Returns the key that picks the intended answer for a card, by the number in its title; and that answer. */
const meant = (at, shape) => {
  const yes = at % 3 !== 0;
  const value = shape === 13 ? yes : shape === 12 ? [yes ? "approve" : "deny"] : yes ? "approve" : "deny";
  return { key: yes ? "1" : "2", value };
};

for (const latency of [0, 80, 150]) {
  test(`100 mixed asks take at most ${MOST} keys (${latency} ms latency)`, async () => {
    await server.clear();
    const wanted = new Map();
    const ask = async (document, { key, value }) => { wanted.set((await server.ask({ ...document, requested_by: "agent-7" })).id, { key, value }); };
    for (let at = 1; at <= 60; at += 1) await ask(SHAPES[at % 15](at), meant(at, at % 15));
    for (let group = 0; group < 8; group += 1) for (let one = 0; one < 5; one += 1) await ask(SHAPES[0](100 + group), meant(100 + group, 0));
    assert.equal(wanted.size, 100);
    const page = await enter(browser, server, "ana", { viewport: { width: 1440, height: 900 } });
    await page.goto("/");
    await slow(page, latency);
    let keys = 0;
    const hit = async (key) => { await press(page, key); keys += 1; };
    for (let cards = 0; cards < 100; cards += 1) {
      await page.locator("#card, .empty").first().waitFor();
      const id = await page.evaluate(() => document.querySelector("#main #card")?.dataset.decision);
      if (!id) break;
      // The browser scrolls smoothly to the next page; a reader waits until it stands still.
      while (await page.locator("#reading").isVisible()) {
        await hit("Space");
        await page.locator("#reading").waitFor({ state: "hidden", timeout: 1000 }).catch(() => {});
      }
      await hit(wanted.get(id).key);
      await hit("Enter");
      await page.waitForFunction((before) => document.querySelector("#main #card")?.dataset.decision !== before, id);
    }
    for (const [id, { value }] of wanted) assert.deepEqual((await server.settled(id)).answer.values.answer, value, id);
    console.log(`100 mixed asks: ${keys} keys at ${latency} ms latency`);
    assert.ok(keys <= MOST, `${keys} keys`);
    await page.context().close();
  });
}
