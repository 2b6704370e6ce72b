// Agents that ask the same share one card, and input is kept.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, press, serve, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const ask = (by, command = "npm ci") => server.ask({ requested_by: by, title: "Run it?", subject: { command },
  fields: [{ id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Yes" }, { id: "no", label: "No", refuses: true }] }] });
const status = async ({ id }) => (await server.api("GET", `/v1/decisions/${id}`)).status;

test("twelve same approvals cost three keys", async () => {
  const all = [];
  for (let at = 0; at < 12; at++) all.push(await ask(`agent-${at}`));
  const other = await ask("agent-99", "rm -rf build");
  const page = await enter(browser, server, "ana");
  await page.getByText("× 12").waitFor();
  assert.equal(await page.locator(".rows .row").count(), 2);
  await press(page, "j");
  await press(page, "1");
  await page.waitForURL(/\/d\//);
  await page.getByText("Your answer goes to all").waitFor();
  await press(page, "Enter");
  await page.getByText("Also answered 11 identical requests").waitFor();
  assert.deepEqual([...new Set(await Promise.all(all.map(status)))], ["answered"]);
  assert.equal(await status(other), "pending");
  await page.context().close();
});

test("what was answered a while ago is offered for the same ask, to the same person, and sent by nobody", async () => {
  await server.clear();
  await server.person("ben");
  const question = (by) => ({ requested_by: by, title: "Which cache?", fields: [{ id: "c", kind: "choice", label: "Cache", custom: true, options: [{ id: "lru", label: "LRU" }, { id: "redis", label: "Redis" }] }] });
  const page = await enter(browser, server, "ana"), ben = await enter(browser, server, "ben");
  const answered = async (document, keys) => {
    const { id } = await server.ask(document);
    await page.goto(`/d/${id}`);
    for (const key of keys) await press(page, key);
    return (await server.settled(id)).answer;
  };
  await answered(question("agent-1"), ["2", "Enter"]);
  const { id } = await server.ask(question("agent-2"));
  await ben.goto(`/d/${id}`);
  await ben.locator("#answer").waitFor();
  assert.equal(await ben.locator("#again").count(), 0, "another person answered");
  await page.goto(`/d/${id}`);
  await page.locator("#again").getByText(/^You answered this \d+ s ago: Redis$/).waitFor();
  assert.equal(await page.locator(":checked").count(), 0, "nothing is chosen beforehand");
  await press(page, "0");
  assert.ok(await page.getByLabel("Redis").isChecked());
  assert.equal((await server.get(id)).status, "pending");
  await press(page, "Enter");
  assert.deepEqual((await server.settled(id)).answer.values, { c: "redis" });
  // A yes to a command, and a written answer.
  const run = (by) => ({ requested_by: by, title: "Run it?", subject: { command: "make again" }, fields: [{ id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Yes" }, { id: "no", label: "No", refuses: true }] }] });
  await answered(run("agent-1"), ["1", "Enter"]);
  assert.deepEqual((await answered(run("agent-2"), ["0", "Enter"])).values, { go: "yes" });
  const own = await server.ask(question("agent-3"));
  await page.goto(`/d/${own.id}`);
  await page.getByLabel("In your own words").last().fill("memcached");
  await press(page, "Control+Enter");
  await server.settled(own.id);
  const last = await server.ask(question("agent-4"));
  await page.goto(`/d/${last.id}`);
  await page.locator("#again").getByText("memcached").waitFor();
  await page.getByRole("button", { name: "Pick it again" }).click();
  await press(page, "Control+Enter");
  assert.deepEqual((await server.settled(last.id)).answer.values, { c: { text: "memcached" } });
  await page.context().close();
  await ben.context().close();
});

test("a message comes back after a reload, and is gone once the answer was taken", async () => {
  const asked = await ask("agent-1", "make deploy");
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${asked.id}`);
  await page.getByLabel("Message").fill("only on Friday");
  await page.reload();
  assert.equal(await page.getByLabel("Message").inputValue(), "only on Friday");
  await page.goto("/");
  await page.goto(`/d/${asked.id}`);
  assert.equal(await page.getByLabel("Message").inputValue(), "only on Friday");
  await page.getByRole("button", { name: "No", exact: true }).click();
  assert.equal((await server.settled(asked.id)).answer.message, "only on Friday");
  await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith("typed:")));
  await page.context().close();
});

test("from card to card: the next one follows an answer, and j and k go on", async () => {
  await server.clear();
  const asked = [];
  for (const word of ["one", "two", "three"]) asked.push(await ask("agent-1", `make ${word}`));
  const page = await enter(browser, server, "ana");
  await page.getByRole("link", { name: "Focus mode" }).click();
  await page.locator("#card").getByText("make one").first().waitFor();
  await page.keyboard.press("j");
  await page.locator("#card").getByText("make two").first().waitFor();
  await page.keyboard.press("k");
  await page.locator("#card").getByText("make one").first().waitFor();
  for (const word of ["two", "three"]) {
    await press(page, "2");
    await press(page, "Enter");
    await page.locator("#card").getByText(`make ${word}`).first().waitFor();
    await page.getByText("Answered: No").waitFor();
  }
  await press(page, "2");
  await press(page, "Enter");
  await page.getByText("Nothing is waiting for you").waitFor();
  assert.deepEqual(await Promise.all(asked.map(status)), ["answered", "answered", "answered"]);
  await page.context().close();
});

test("a page that lost its server says so, and keeps what is typed", async () => {
  const own = await serve();
  await own.person("ana", { role: "admin" });
  const asked = await own.ask({ title: "Go?", fields: [{ id: "c", kind: "choice", label: "Go?", options: [{ id: "a" }, { id: "b" }] }] });
  const page = await enter(browser, own, "ana");
  await page.goto(`/d/${asked.id}`);
  await page.getByLabel("Message").fill("half a thought");
  await own.stop();
  await page.getByText("Offline, retrying.").waitFor();
  assert.equal(await page.getByLabel("Message").inputValue(), "half a thought");
  await page.context().close();
});
