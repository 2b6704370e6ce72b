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
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    await page.goto("about:blank");
    await page.goto(`${server.url}/runs/${id}`);
    const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart);
    times.push(painted);
  }
  times.sort((one, other) => one - other);
  console.log(`first screen of ${LINES} lines: ${times[2].toFixed(0)} ms in the middle of five`);
  // The figure that counts is taken in release on a quiet machine: HOLD_FIGURES=1 holds it to 150 ms.
  assert.ok(times[2] < (process.env.HOLD_FIGURES ? 150 : 2000), `${times}`);
  const rows = () => page.locator(".diff tbody > tr.added").count();
  const first = await rows();
  assert.ok(first > 100 && first < 1000, `${first} rows at first`);
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
