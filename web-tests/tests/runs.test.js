// A run's page: the first screen of a long change at once, the rest on scrolling, and a comment that leads to a
// retry.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enter, readToTheEnd, staged } from "../stage.js";

const LINES = 20000;
let server, browser, repo;
const git = (...words) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...words], { cwd: repo, env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
staged(async (one, other) => {
  [server, browser] = [one, other];
  repo = mkdtempSync(join(tmpdir(), "hold-runs-"));
  git("init", "-q", "-b", "main");
  writeFileSync(join(repo, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
});
after(() => { rmSync(repo, { recursive: true, force: true }); });

/** Starts a run that adds this many lines, and asks for its verdict. */
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
  // For comparison, the least that this browser needs for any page of this server: an empty page with the same frame.
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
  // The relevant figure is measured in a release build on a quiet machine: HOLD_FIGURES=1 limits it to 150 ms.
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

for (const [width, height] of [[1440, 900], [390, 844], [320, 640]]) {
  test(`below a long change the choices are in reach, and nothing under them counts as read (${width}px)`, async () => {
    const { id } = await proposed(300);
    const { decision } = await server.api("GET", `/v1/runs/${id}`);
    const page = await enter(browser, server, "ana", { viewport: { width, height } });
    await page.goto(`/d/${decision}`);
    await page.locator("html[data-keys=answer]").waitFor();
    const bar = page.locator("#choices"), retry = bar.getByRole("button", { name: "Retry" });
    await retry.waitFor();
    const place = await retry.boundingBox();
    assert.ok(place.y + place.height <= height && place.height >= 44, JSON.stringify(place));
    await page.locator("#answers").getByText(/^Commits to holdpoint\/.* \(parent [0-9a-f]{7}\)$/).waitFor();
    const before = await page.evaluate(() => scrollY);
    await page.mouse.click(place.x + 20, place.y + place.height / 2);
    await page.locator("#choices [aria-pressed=true]").getByText("Retry").waitFor();
    assert.equal(await page.evaluate(() => scrollY), before, "nothing moves");
    assert.ok(await page.locator("#fields").getByLabel("Retry").isChecked());
    assert.equal(await retry.getAttribute("aria-pressed"), "true");
    await readToTheEnd(page);
    await page.locator("#fields [data-options]").first().scrollIntoViewIfNeeded();
    await bar.waitFor({ state: "hidden" });
    await page.context().close();
  });
}

test("the files of a change stand in their folders", async () => {
  const { id } = await server.api("POST", "/v1/runs", { task: "Folders", repo });
  const file = (path) => `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
  await server.api("POST", `/v1/runs/${id}/patch`, { diff: ["README", "src/a.rs", "src/b.rs", "src/web/c.rs"].map(file).join("") });
  const page = await enter(browser, server, "ana");
  await page.goto(`/runs/${id}`);
  assert.deepEqual((await page.locator(".files li").allInnerTexts()).map((text) => text.split(" ")[0]), ["README", "src/", "a.rs", "b.rs", "src/web/", "c.rs"]);
  await page.locator(".files").getByRole("link", { name: "c.rs" }).click();
  assert.ok(await page.locator("tr.file").getByText("src/web/c.rs").isVisible());
  await page.context().close();
});

test("a comment on a line leads to a retry", async () => {
  const { id } = await proposed(3);
  const page = await enter(browser, server, "ana");
  await page.goto(`/runs/${id}`);
  await page.getByRole("link", { name: "Comment on line 2" }).click();
  await page.getByLabel(/About line 2/).fill("Shorter, please.");
  await page.getByRole("button", { name: "Save comment" }).click();
  await page.getByText("Shorter, please.").first().waitFor();
  await page.getByRole("link", { name: "Side by side" }).click();
  await page.getByText("Shorter, please.").first().waitFor();
  await page.getByLabel("What should be different").fill("Try a map.");
  await page.getByRole("button", { name: "Retry with these comments" }).click();
  await page.waitForURL(new RegExp(id));
  let next = null;
  for (let tries = 0; !next && tries < 200; tries += 1) {
    next = (await server.api("GET", `/v1/runs/${id}`)).verdict?.next;
    if (!next) await page.reload();
  }
  const { guidance } = await server.api("GET", `/v1/runs/${next}`);
  assert.equal(guidance, "Try a map.\n\nlong.rs:2 (patch set 1): Shorter, please.");
  await page.goto(`/runs/${next}`);
  await page.locator("svg.life text", { hasText: "Attempt 2: running" }).waitFor();
  await page.context().close();
});

test("a comment that is not kept yet goes along with a retry, and Ctrl Enter keeps it", async () => {
  const { id } = await proposed(3);
  await server.api("POST", `/v1/runs/${id}/comments`, { path: "long.rs", line: 1, text: "First." });
  const page = await enter(browser, server, "ana");
  await page.goto(`/runs/${id}`);
  await page.getByRole("link", { name: "Comment on line 2" }).click();
  await page.getByLabel(/About line 2/).fill("Shorter, please.");
  await page.keyboard.press("Control+Enter");
  await page.locator("tr.remark", { hasText: "Shorter, please." }).waitFor();
  assert.equal(await page.locator("#remark").count(), 0);
  await page.getByRole("link", { name: "Comment on line 3" }).click();
  await page.getByLabel(/About line 3/).fill("Gone?");
  await page.getByLabel("What should be different").fill("Try a map.");
  await page.getByRole("button", { name: "Retry with these comments" }).click();
  const ended = await server.api("GET", `/v1/runs/${id}/wait?timeout=30s`);
  const { guidance } = await server.api("GET", `/v1/runs/${ended.verdict.next}`);
  assert.equal(guidance, "Try a map.\n\nlong.rs:1 (patch set 1): First.\n\nlong.rs:2 (patch set 1): Shorter, please.\n\nlong.rs:3 (patch set 1): Gone?");
  // Conversely, the button beside the comment sends the overall guidance along.
  const second = await proposed(3);
  await page.goto(`/runs/${second.id}`);
  await page.getByRole("link", { name: "Comment on line 2" }).click();
  await page.getByLabel("What should be different").fill("As a whole.");
  await page.getByLabel(/About line 2/).fill("Here.");
  await page.getByRole("button", { name: "Save and retry" }).click();
  const other = await server.api("GET", `/v1/runs/${second.id}/wait?timeout=30s`);
  assert.equal((await server.api("GET", `/v1/runs/${other.verdict.next}`)).guidance, "As a whole.\n\nlong.rs:2 (patch set 1): Here.");
  await page.context().close();
});

test("a long log of what failed scrolls by itself", async () => {
  const { id } = await server.api("POST", "/v1/runs", { task: "Log it", repo });
  const log = Array.from({ length: 900 }, (_, n) => `line ${n}`).join("\n");
  await server.api("POST", `/v1/runs/${id}/evidence`, { kind: "test", tool: "cargo", exit_code: 3, log });
  const page = await enter(browser, server, "ana");
  await page.goto(`/runs/${id}`);
  await page.locator(".findings summary").click();
  const box = page.locator("pre.log");
  assert.ok((await box.boundingBox()).height < 600);
  assert.ok(await box.evaluate((it) => it.scrollHeight > it.clientHeight));
  await box.focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("pre.log").scrollTop > 0);
  await page.context().close();
});

/** Gives a verdict in the browser, and returns the run once it was carried out. */
async function give(page, id, verdict, more = async () => {}) {
  await page.goto(`/runs/${id}`);
  await page.getByRole("link", { name: "Back to the verdict" }).click();
  await page.getByLabel(verdict, { exact: false }).first().check();
  await more();
  await readToTheEnd(page);
  await page.getByRole("button", { name: "Send answer" }).click();
  const ended = await server.api("GET", `/v1/runs/${id}/wait?timeout=30s`);
  assert.ok(ended.verdict, `${id} is ${ended.standing.is}`);
  return ended;
}

test("all five verdicts from the browser, and where the task stands after each", async () => {
  const page = await enter(browser, server, "ana");
  const stands = async (id, ...words) => {
    await page.goto(`/runs/${id}`);
    for (const text of words) await page.locator("#task-state").getByText(text).waitFor();
  };
  const first = await proposed(2);
  const again = await give(page, first.id, "Retry", async () => page.getByLabel("Parameters of the next attempt").fill("size=10"));
  assert.equal((await server.api("GET", `/v1/runs/${again.verdict.next}`)).parameters, "size=10");
  const second = await server.api("POST", `/v1/runs/${again.verdict.next}/finish`, {});
  const saved = await give(page, second.id, "Checkpoint");
  assert.equal(saved.standing.is, "checkpointed");
  assert.ok(git("rev-parse", `refs/holdpoint/checkpoints/${saved.verdict.checkpoint}`));
  await stands(saved.id, "open", "nothing was committed");
  const third = await proposed(2);
  await page.goto(`/d/${third.decision}`);
  await page.getByRole("region", { name: "The change" }).getByText("line_0", { exact: false }).first().waitFor();
  // Of one patch set nothing is left to pick once it is to be committed.
  const done = await give(page, third.id, "Commit", async () => assert.ok(await page.getByLabel("Patch set 1: 1 file").isChecked()));
  assert.equal(git("rev-parse", done.branch).toString().trim(), done.verdict.commit);
  assert.match(`${git("show", `${done.branch}:long.rs`)}`, /^let line_0/);
  await stands(done.id, "done", done.verdict.commit.slice(0, 12));
  const back = await server.api("POST", `/v1/runs/${done.id}/rollback`, {});
  await page.goto(`/d/${back.decision}`);
  assert.equal(await page.getByLabel("Checkpoint").count(), 0, "there is nothing to save");
  const reverted = await give(page, back.id, "Roll back");
  assert.equal(reverted.standing.is, "rolled_back");
  assert.equal(`${git("diff", "main", done.branch)}`, "");
  await stands(done.id, "open", "taken back on");
  const last = await server.api("POST", `/v1/runs/${(await server.api("POST", "/v1/runs", { task: "Drop it", repo })).id}/finish`, {});
  const dropped = await give(page, last.id, "Abandon");
  assert.equal(dropped.standing.is, "abandoned");
  await stands(dropped.id, "failed");
  assert.match(await page.locator("svg.life").textContent(), /Attempt 1: abandon/);
  assert.equal(`${git("status", "--porcelain")}`, "", "nobody's work tree was touched");
  await page.context().close();
});

test("the drawing of a task has room for its words, on a narrow screen too", async () => {
  const { id } = await server.api("POST", "/v1/runs", { task: "Draw it", repo });
  for (let n = 0; n < 13; n += 1) {
    await server.api("POST", `/v1/runs/${id}/patch`, { diff: `--- /dev/null\n+++ b/ draw.txt\n@@ -0,0 +1 @@\n+${n}\n` });
    await server.api("POST", `/v1/runs/${id}/evidence`, { kind: "test", tool: "cargo", exit_code: 3, log: "no" });
  }
  await server.api("POST", `/v1/runs/${id}/finish`, {});
  const page = await enter(browser, server, "ana");
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/runs/${id}`);
    const words = await page.locator("svg.life text").allTextContents();
    assert.deepEqual(words, ["Attempt 1: waiting for review", "13 patch sets, 13 findings, 13 failed"]);
    assert.equal(await page.locator("svg.life a > title").textContent(), words.join(": "));
    const cut = await page.locator("svg.life").evaluate((svg) => [...svg.querySelectorAll("text")].filter((text) => {
      const [inner, outer] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
      return inner.right > outer.right || inner.bottom > outer.bottom || inner.height < 12;
    }).length);
    assert.equal(cut, 0, `${cut} of its words are cut or too small at ${width}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the page itself moves sideways at ${width}`);
  }
  // A leading blank of a name is visible.
  assert.equal(await page.locator(".files li bdi.pre").first().textContent(), '" draw.txt"');
  await page.context().close();
});

test("a question that is taken back leaves the run withdrawn, and the page says so", async () => {
  const { id, decision } = await proposed(1);
  await server.api("POST", `/v1/decisions/${decision}/cancel`, { reason: "Not yet" });
  const page = await enter(browser, server, "ana");
  await page.goto(`/runs/${id}`);
  await page.getByText("was taken back: Not yet").waitFor();
  assert.equal(await page.getByRole("link", { name: "Back to the verdict" }).count(), 0);
  await page.context().close();
});

test("an open page shows what happens to its run, and leaves alone what is read and typed", async () => {
  const { id } = await server.api("POST", "/v1/runs", { task: "Watch it", repo });
  const page = await enter(browser, server, "ana");
  await page.goto(`/runs/${id}`);
  await page.getByText("No change is proposed.").waitFor();
  await page.evaluate(() => { window.same = true; });
  const diff = (text) => `--- /dev/null\n+++ b/watch.txt\n@@ -0,0 +1 @@\n+${text}\n`;
  await server.api("POST", `/v1/runs/${id}/patch`, { diff: diff("first words") });
  await page.getByText("first words").waitFor();
  await server.api("POST", `/v1/runs/${id}/evidence`, { kind: "test", tool: "cargo", exit_code: 3, log: "three failed" });
  await page.getByText("failed with exit code 3").waitFor();
  // A change that is being read stays; a link to the next one appears.
  await server.api("POST", `/v1/runs/${id}/patch`, { diff: diff("second words") });
  await page.getByRole("link", { name: "2", exact: true }).waitFor();
  assert.equal(await page.getByText("first words").count(), 1);
  await server.api("POST", `/v1/runs/${id}/finish`, {});
  await page.getByRole("link", { name: "Back to the verdict" }).waitFor();
  const words = page.getByLabel("What should be different");
  await words.fill("Half a thought");
  await server.api("POST", `/v1/runs/${id}/comments`, { path: "watch.txt", line: 1, text: "Why?" });
  await page.locator("#run [data-part=head]").waitFor();
  assert.equal(await words.inputValue(), "Half a thought");
  assert.equal(await page.evaluate(() => window.same), true, "the page was never reloaded");
  await page.context().close();
});

test("how much is left to read counts what has not come yet", async () => {
  const { decision } = await proposed(3000);
  const page = await enter(browser, server, "ana");
  // Further pages cannot be loaded: the initial figure covers only the first page.
  await page.route(/\/runs\/.*page=/, (route) => route.abort());
  await page.goto(`/d/${decision}`);
  const left = page.locator("#reading-left");
  await left.getByText(/^\d+ lines left/).waitFor();
  const lines = Number.parseInt(await left.textContent(), 10);
  assert.ok(lines > 2900 && lines < 3300, `${lines} of 3000 lines`);
  await page.context().close();
});

test("the patch set that is picked is shown, and read before it is committed", async () => {
  const { id } = await server.api("POST", "/v1/runs", { task: "Pick one", repo });
  const diff = (text) => `--- /dev/null\n+++ b/${text}.txt\n@@ -0,0 +1,200 @@\n${`+${text} words\n`.repeat(200)}`;
  for (const text of ["first", "second"]) await server.api("POST", `/v1/runs/${id}/patch`, { diff: diff(text) });
  const { decision } = await server.api("POST", `/v1/runs/${id}/finish`, {});
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${decision}`);
  await page.getByRole("heading", { name: "Pick one" }).waitFor();
  await page.getByText("second words").first().waitFor();
  await page.getByLabel("Commit").check();
  await page.getByLabel("Message").fill("This one.");
  await readToTheEnd(page);
  await page.locator("#reading").waitFor({ state: "hidden" });
  await page.getByLabel("Patch set 1:").check();
  await page.getByText("first words").first().waitFor();
  assert.match(await page.locator("#answers .commits").textContent(), /^Commits patch set 1 to /);
  assert.equal(await page.getByText("second words").count(), 0);
  // Only the other patch set has been read.
  await page.locator("#reading").waitFor();
  const send = page.getByRole("button", { name: "Send answer" });
  assert.equal(await send.getAttribute("aria-disabled"), "true");
  assert.equal(await page.getByLabel("Message").inputValue(), "This one.");
  await readToTheEnd(page);
  assert.equal(await page.locator(".diff tbody > tr.added").count(), 200, "the rest of it came, too");
  await send.click();
  // The location of the commit is shown above the list.
  const banner = page.locator(".banner.good");
  await banner.getByText("To merge it: git merge").waitFor();
  const { answer } = await server.get(decision);
  assert.deepEqual([answer.values.patchset, answer.seen, answer.message], ["1", true, "This one."]);
  const { branch, verdict } = await server.api("GET", `/v1/runs/${id}`);
  assert.ok((await banner.textContent()).includes(verdict.commit.slice(0, 12)));
  assert.ok((await banner.textContent()).includes(branch.replace("refs/heads/", "")));
  await page.context().close();
});

/** Starts a run that changes a line in the middle of one file and adds another, and asks for its verdict. */
async function reviewed() {
  const lines = Array.from({ length: 90 }, (_, n) => `line ${n + 1}`);
  writeFileSync(join(repo, "page.txt"), `${lines.join("\n")}\n`);
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", "a page");
  writeFileSync(join(repo, "page.txt"), `${lines.map((line) => (line === "line 50" ? "line fifty" : line)).join("\n")}\n`);
  writeFileSync(join(repo, "cache.txt"), "rows\n");
  git("add", "-A");
  const diff = git("diff", "--cached").toString();
  git("reset", "-q", "--hard");
  const { id } = await server.api("POST", "/v1/runs", { task: "Cache the page", repo });
  await server.api("POST", `/v1/runs/${id}/patch`, { diff, rationale: "One query fewer." });
  await server.api("POST", `/v1/runs/${id}/evidence`, { kind: "test", tool: "cargo", command: "cargo test", exit_code: 0, took_ms: 38000, log: "one\ntwo\nthree\n412 passed\n" });
  return server.api("POST", `/v1/runs/${id}/finish`, {});
}

test("the card of a verdict: evidence first, then files that are marked as they are seen, and the commit in the bar", async () => {
  const run = await reviewed();
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${run.decision}`);
  const box = page.locator(".findings li");
  await box.getByText("cargo test").waitFor();
  await box.getByText("38 s (patch set 1)").waitFor();
  assert.equal(await box.locator(".last").first().textContent(), "two\nthree\n412 passed");
  const [found, change] = [await box.boundingBox(), await page.locator(".diff").boundingBox()];
  assert.ok(found.y < change.y, "what was found stands above the change");
  assert.deepEqual(await page.locator(".files li a").allTextContents(), ["cache.txt", "page.txt"]);
  assert.deepEqual(await page.locator(".diff tr.file bdi").allTextContents(), ["cache.txt", "page.txt"]);
  assert.equal(await page.getByText("diff --git").count() + await page.getByText("+++ b/").count(), 0);
  const bar = page.locator("#answers .commits");
  assert.match(await bar.textContent(), /^Commits to holdpoint\/\S+ \(parent [0-9a-f]{7}\)$/);
  await readToTheEnd(page);
  await page.getByText("2 of 2 seen").waitFor();
  // A mark that the person removes stays removed, also after a reload.
  await page.locator("tr.file", { hasText: "cache.txt" }).getByLabel("Seen").uncheck();
  await page.getByText("1 of 2 seen").waitFor();
  await page.reload();
  await page.getByText("1 of 2 seen").waitFor();
  assert.ok(await page.locator("tr.file", { hasText: "page.txt" }).getByLabel("Seen").isChecked());
  await page.context().close();
});

test("lines that a change leaves out come when they are asked for, and all of them once", async () => {
  const run = await reviewed();
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${run.decision}`);
  const numbers = () => page.locator(".diff tr.same td.n:first-child").allTextContents();
  const before = await numbers();
  assert.deepEqual(before.slice(-6), ["47", "48", "49", "51", "52", "53"]);
  await page.getByText("Show 20 of 46 hidden lines").click();
  await page.getByText("Show 20 of 26 hidden lines").click();
  await page.getByText("Show 6 hidden lines").click();
  await page.getByText("Show the lines below").click();
  // The link loaded with the lines has the same text as the previous one, which is there until then.
  await page.locator(".diff tr.same", { hasText: "line 73" }).waitFor();
  await page.getByText("Show the lines below").click();
  const all = Array.from({ length: 90 }, (_, n) => String(n + 1)).filter((n) => n !== "50");
  await page.waitForFunction((count) => document.querySelectorAll(".diff tr.same").length === count, all.length);
  assert.deepEqual(await numbers(), all);
  assert.equal(await page.locator("[data-context]").count(), 0);
  // Without scripts the same lines are on a separate page.
  const plain = await enter(browser, server, "ana", { javaScriptEnabled: false });
  await plain.goto(`/d/${run.decision}`);
  await plain.getByText("Show 20 of 46 hidden lines").click();
  assert.equal(await plain.locator(".diff tr.same").count(), 20);
  const id = run.id;
  for (const [bad, status] of [["path=..%2Fetc&first=1", 404], ["path=page.txt&first=0", 404], ["path=cache.txt&first=1", 404], ["path=page.txt&first=4000000000&shift=9", 200]]) {
    assert.equal((await page.request.get(`/runs/${id}/lines?patchset=1&${bad}`)).status(), status, bad);
  }
  await plain.context().close();
  await page.context().close();
});

test("a comment on a line is written on the card itself, and the focus stays at the line", async () => {
  const run = await reviewed();
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${run.decision}`);
  await page.evaluate(() => { window.stayed = true; });
  const number = page.locator("tr.added", { hasText: "line fifty" }).getByRole("link");
  await number.click();
  await page.getByLabel(/About line 50/).fill("Why not 51?");
  // Another line's form does not replace text that would be lost.
  await page.locator("tr.deleted", { hasText: "line 50" }).getByRole("link").click();
  assert.equal(await page.getByLabel(/About line 50/).inputValue(), "Why not 51?");
  await page.getByRole("button", { name: "Save comment" }).click();
  await page.locator("tr.remark", { hasText: "ana: Why not 51?" }).waitFor();
  assert.equal(await page.locator("#say-here").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Comment on line 50");
  assert.equal(await page.evaluate(() => window.stayed), true);
  assert.equal((await server.api("GET", `/v1/runs/${run.id}`)).comments[0].text, "Why not 51?");
  await number.click();
  await page.getByRole("link", { name: "Cancel" }).click();
  assert.equal(await page.locator("#say-here").count(), 0);
  await page.context().close();
});
