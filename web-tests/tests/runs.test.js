// A run's page: the first screen of a long change at once, the rest as one scrolls, and a comment that leads to a retry.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enter, launch, serve } from "../stage.js";

const LINES = 20000;
let server, browser, repo;
const git = (...words) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...words], { cwd: repo, env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
before(async () => {
  server = await serve();
  await server.person("ana", { role: "admin" });
  browser = await launch();
  repo = mkdtempSync(join(tmpdir(), "hold-runs-"));
  git("init", "-q", "-b", "main");
  writeFileSync(join(repo, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
});
after(async () => { await browser?.close(); await server?.stop(); rmSync(repo, { recursive: true, force: true }); });

/** A run that adds so many lines, asked about. */
async function proposed(count) {
  const { id } = await server.api("POST", "/v1/runs", { task: "Make it fast", repo });
  const lines = Array.from({ length: count }, (_, n) => `+let line_${n} = "text ${n}"; // why\n`).join("");
  const diff = `diff --git a/long.rs b/long.rs\nnew file mode 100644\n--- /dev/null\n+++ b/long.rs\n@@ -0,0 +1,${count} @@\n${lines}`;
  await server.api("POST", `/v1/runs/${id}/patch`, { diff, rationale: "Quicker." });
  return server.api("POST", `/v1/runs/${id}/finish`, {});
}

test("a change of 20,000 lines: the first screen at once, the rest as one scrolls", async () => {
  const { id } = await proposed(LINES);
  const page = await enter(browser, server, "ana");
  await page.goto(`/runs/${id}`);
  // Beside it the least that this browser takes for any page of this server: one with the same frame and nothing on it.
  const shown = async (path) => {
    await page.goto("about:blank");
    await page.goto(server.url + path);
    return page.evaluate(() => new Promise((resolve) => {
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (entry.name === "first-contentful-paint") resolve(entry.startTime); }).observe({ type: "paint", buffered: true });
    }));
  };
  const middle = (times) => times.sort((one, other) => one - other)[times.length >> 1];
  const times = [], least = [];
  for (let round = 0; round < (process.env.HOLD_FIGURES ? 21 : 5); round += 1) {
    least.push(await shown("/runs/none"));
    times.push(await shown(`/runs/${id}`));
  }
  console.log(`first screen of ${LINES} lines: ${middle(times).toFixed(0)} ms in the middle of ${times.length}; an empty page: ${middle(least).toFixed(0)} ms`);
  // The figure that counts is taken in release on a quiet machine: HOLD_FIGURES=1 holds it to 150 ms.
  assert.ok(middle(times) < (process.env.HOLD_FIGURES ? 150 : 2000), `${times}`);
  const rows = () => page.locator(".diff tbody > tr.added").count();
  const first = await rows();
  const sent = await page.evaluate(async () => (await (await fetch(location.href)).text()).split('<tr class="added"').length - 1);
  assert.ok(sent > 50 && sent < 200, `${sent} rows are sent at first`);
  assert.ok(first < 2000, `${first} rows before anybody scrolls`);
  await page.locator(".diff").evaluate((box) => { box.scrollTop = box.scrollHeight; });
  await page.waitForFunction((before) => document.querySelectorAll(".diff tbody > tr.added").length > before, first);
  await page.locator(".diff").evaluate((box) => { box.scrollTop = box.scrollHeight; });
  await page.waitForFunction((before) => document.querySelectorAll(".diff tbody > tr.added").length > before, first * 2);
  assert.equal(await page.locator("svg.life").count(), 1);
  await page.context().close();
});

test("a comment on a line leads to a retry", async () => {
  const { id } = await proposed(3);
  const page = await enter(browser, server, "ana");
  await page.goto(`/runs/${id}`);
  await page.getByRole("link", { name: "Say something about line 2" }).click();
  await page.getByLabel(/About line 2/).fill("Shorter, please.");
  await page.getByRole("button", { name: "Keep this comment" }).click();
  await page.getByText("Shorter, please.").first().waitFor();
  await page.getByRole("link", { name: "Side by side" }).click();
  await page.getByText("Shorter, please.").first().waitFor();
  await page.getByLabel("What should be different").fill("Try a map.");
  await page.getByRole("button", { name: "Try again, with what was said" }).click();
  await page.waitForURL(new RegExp(id));
  let next = null;
  for (let tries = 0; !next && tries < 200; tries += 1) {
    next = (await server.api("GET", `/v1/runs/${id}`)).verdict?.next;
    if (!next) await page.reload();
  }
  const { guidance } = await server.api("GET", `/v1/runs/${next}`);
  assert.equal(guidance, "Try a map.\n\nlong.rs:2 (patch set 1): Shorter, please.");
  await page.goto(`/runs/${next}`);
  await page.getByText("Attempt 2: running").waitFor();
  await page.context().close();
});
