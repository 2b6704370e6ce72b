// The traffic of an open page while questions come in: only rows that came or changed.
import { test } from "node:test";
import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { enter, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const WORDS = ["cart", "cache", "orders", "region", "deploy", "checkout", "session"];
const approval = (at) => ({
  source: "approval", requested_by: `agent-${at % 7}`, project: `p${at % 5}`, title: `Run the ${WORDS[at % 7]} ${WORDS[(at * 3) % 7]} step ${at} on staging?`,
  subject: { tool: "bash", command: `cargo test -p ${WORDS[(at * 5) % 7]} --features f${at} && ./scripts/${WORDS[(at * 2) % 7]}.sh --n ${at}`, cwd: "/srv/shop" },
  fields: [{ id: "answer", kind: "confirm", label: "Allow it?", options: [{ id: "approve", label: "Allow once", effect: "approve" }, { id: "deny", label: "Deny", effect: "deny" }] }],
});

// A proxy that counts the bytes sent by the server.
const counting = async () => {
  const { port, hostname } = new URL(server.url), count = { bytes: 0 };
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    far.on("data", (part) => { count.bytes += part.length; });
    near.pipe(far).pipe(near);
    for (const end of [near, far]) end.on("error", () => { near.destroy(); far.destroy(); });
  });
  await new Promise((done) => proxy.listen(0, "127.0.0.1", done));
  return { count, url: `http://127.0.0.1:${proxy.address().port}`, stop: () => proxy.close() };
};

for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
  for (const place of ["the list", "a card"]) {
    test(`twenty new asks, one after the other, cost an open page under 10 KiB (${viewport.width} px, ${place})`, async () => {
      await server.clear();
      const { id: first } = await server.ask(approval(0));
      for (let at = 1; at < 20; at += 1) await server.ask(approval(at));
      const wire = await counting();
      const page = await enter(browser, { ...server, url: wire.url }, "ana", { viewport });
      // The page delays work by half a second, starting before our timer; so wait until nothing has come for as long.
      const quiet = async () => {
        for (let last = -1; last !== wire.count.bytes;) {
          last = wire.count.bytes;
          await page.evaluate(() => new Promise((done) => setTimeout(done, 600)));
        }
      };
      await page.goto(place === "a card" ? `/d/${first}` : "/");
      await page.locator(place === "a card" || viewport.width > 1100 ? "html[data-beside=ready]" : "#list").waitFor();
      await quiet();
      // Each event shows that the page has handled one question before the next comes, so that two are never reported
      // together.
      await page.evaluate(() => { window.heard = []; document.addEventListener("news", ({ detail }) => window.heard.push(...detail.asked)); });
      const before = wire.count.bytes;
      for (let at = 20; at < 40; at += 1) {
        const { id } = await server.ask(approval(at));
        await page.waitForFunction((one) => window.heard.includes(one), id);
      }
      if (await page.locator("#list").count()) assert.equal(await page.locator("#list li[data-id]").count(), 40);
      await quiet();
      const cost = wire.count.bytes - before;
      assert.ok(cost < 10 * 1024, `${cost} bytes`);
      await page.context().close();
      wire.stop();
    });
  }
}

test("a page that lost the connection shows what happened meanwhile once it is back", async () => {
  await server.clear();
  const { id } = await server.ask(approval(1));
  await server.ask(approval(2));
  const wire = await counting();
  const page = await enter(browser, { ...server, url: wire.url }, "ana");
  await page.locator("#list").getByText("step 2").waitFor();
  await server.ask(approval(3));
  await page.locator("#list").getByText("step 3").waitFor();
  await page.context().setOffline(true);
  await server.api("POST", `/v1/decisions/${id}/cancel`, { reason: "x" });
  await server.ask(approval(4));
  await page.context().setOffline(false);
  await page.locator("#list").getByText("step 4").waitFor();
  await page.locator("#list").getByText("step 1").waitFor({ state: "detached" });
  assert.equal(await page.locator("#list li[data-id]").count(), 3);
  await page.context().close();
  wire.stop();
});
