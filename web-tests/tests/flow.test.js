// From card to card without loading a page: the next card is there before it is requested, whatever the latency, and
// an answer that is refused or cannot be sent brings its card back with the input and the reason.
import { test } from "node:test";
import assert from "node:assert/strict";
import { clickNext, enter, press, slow, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

const confirm = { id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Allow" }, { id: "no", label: "Deny", refuses: true }] };
const approval = (word) => ({ title: `Run ${word}?`, requested_by: "agent", subject: { command: `make ${word}` }, fields: [confirm] });
const text = (title) => ({ title, requested_by: "agent", fields: [{ id: "name", kind: "text", label: "A name" }] });
const heading = (page, name) => page.locator("#card").getByRole("heading", { name }).waitFor();
const given = async (id) => (await server.get(id)).answer?.values.go ?? null;
const settled = async (id) => (await server.settled(id)).answer;
const open = async (word, ...more) => {
  await server.clear();
  const ids = [];
  for (const one of [word, ...more]) ids.push((await server.ask(approval(one))).id);
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${ids[0]}`);
  await page.evaluate(() => { window.stayed = true; });
  return { page, ids };
};
const stayed = (page) => page.evaluate(() => window.stayed === true);

test("answering draws the next card in the same page, and the address, the title and going back follow", async () => {
  const { page, ids } = await open("one", "two", "three");
  await press(page, "2");
  await press(page, "Enter");
  await heading(page, "Run two?");
  await page.waitForURL(new RegExp(`/d/${ids[1]}.*done=${ids[0]}`));
  assert.equal(await given(ids[0]), "no");
  await page.getByText("Answered: Deny").waitFor();
  assert.match(await page.title(), /Run two/);
  await press(page, "1");
  await press(page, "Enter");
  await heading(page, "Run three?");
  await page.goBack();
  await heading(page, "Run two?");
  await page.goForward();
  await heading(page, "Run three?");
  await press(page, "2");
  await press(page, "Enter");
  await page.getByText("Nothing is waiting for you").waitFor();
  assert.deepEqual(await Promise.all(ids.map(given)), ["no", "yes", "no"]);
  assert.ok(await stayed(page), "no page was loaded");
  await page.context().close();
});

test("a list that was fetched before the last answer was taken is brought up to date", async () => {
  await server.clear();
  const { id } = await server.ask(approval("one"));
  const page = await enter(browser, server, "ana");
  // The server's responses are delayed: the list after the page was notified, and the answer's outcome after the list
  // was drawn.
  const late = () => { let come; const gate = new Promise((open) => { come = open; }); return { gate, come }; };
  const list = late(), taken = late();
  const after = (gate) => async (route) => {
    const response = await route.fetch();
    await gate;
    await route.fulfill({ response });
  };
  await page.route("**/next?*", after(list.gate));
  await page.route((url) => url.pathname === `/d/${id}`, (route) => (route.request().method() === "POST" ? after(taken.gate)(route) : route.continue()));
  const fetched = page.waitForRequest(/\/next\?.*skip=/);
  await page.goto(`/d/${id}`);
  await page.evaluate(() => { window.stayed = true; document.addEventListener("news", () => { window.heard = true; }); });
  await fetched;
  await press(page, "1");
  await press(page, "Enter");
  await server.settled(id);
  await page.waitForFunction(() => window.heard);
  list.come();
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  taken.come();
  await page.getByText("Nothing is waiting for you").waitFor();
  assert.ok(await stayed(page), "no page was loaded");
  await page.context().close();
});

test("j and k go from card to card in the same page, and round at the end", async () => {
  const { page } = await open("one", "two");
  await press(page, "j");
  await heading(page, "Run two?");
  await press(page, "j");
  await heading(page, "Run one?");
  await press(page, "j");
  await heading(page, "Run two?");
  await press(page, "k");
  await heading(page, "Run one?");
  assert.ok(await stayed(page));
  await page.context().close();
});

for (const latency of [0, 80, 150]) {
  test(`the next card is drawn without a word from the server at ${latency} ms latency`, async () => {
    const { page, ids } = await open("one", "two", "three", "four", "five", "six");
    await slow(page, latency);
    let openGate = () => {};
    let gate = Promise.resolve();
    await page.route("**/*", async (route) => {
      await gate;
      await route.fallback();
    });
    const times = [];
    for (let at = 0; at + 1 < ids.length; at += 1) {
      await page.locator("html[data-beside=ready]").waitFor();
      await press(page, "2");
      await page.locator("html[data-keys=answer]").waitFor();
      await page.evaluate(() => {
        const began = { at: 0 };
        addEventListener("keydown", (event) => { if (event.key === "Enter") began.at = event.timeStamp; }, { once: true, capture: true });
        window.drawn = new Promise((done) => new MutationObserver((_, watch) => {
          watch.disconnect();
          requestAnimationFrame(() => done(performance.now() - began.at));
        }).observe(document.querySelector("#main"), { childList: true }));
      });
      // No traffic to or from the server until the card is shown.
      gate = new Promise((done) => { openGate = done; });
      await page.keyboard.press("Enter");
      times.push(await page.evaluate(() => window.drawn));
      openGate();
    }
    for (const id of ids.slice(0, -1)) assert.equal((await settled(id)).values.go, "no");
    console.log(`key to next card at ${latency} ms latency: ${times.map((time) => time.toFixed(0))} ms`);
    await page.context().close();
  });
}

test("an answer that comes second brings the card back, and says who was faster", async () => {
  const { page, ids } = await open("one", "two");
  await page.locator("html[data-beside=ready]").waitFor();
  await page.getByLabel("Message").fill("only this once");
  await page.route(`**/d/${ids[0]}`, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await server.api("POST", `/v1/decisions/${ids[0]}/answer`, { values: { go: "yes" }, digest: (await server.get(ids[0])).digest, seen: true });
    await route.continue();
  });
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("answered first").waitFor();
  await page.getByText("only this once").waitFor();
  assert.match(page.url(), new RegExp(ids[0]));
  assert.equal(await given(ids[0]), "yes");
  assert.ok(await stayed(page));
  await page.context().close();
});

test("an answer that cannot be sent brings the card back as it was left, and can be sent again", async () => {
  const { page, ids } = await open("one", "two");
  await page.locator("html[data-beside=ready]").waitFor();
  await page.getByLabel("Message").fill("on a train");
  let broken = true;
  await page.route(`**/d/${ids[0]}`, (route) => (broken && route.request().method() === "POST" ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Not confirmed. Send again; it counts only once.").first().waitFor();
  await heading(page, "Run one?");
  assert.equal(await page.getByLabel("Message").inputValue(), "on a train");
  assert.equal(await given(ids[0]), null);
  broken = false;
  await clickNext(page, page.getByRole("button", { name: "Deny" }));
  await heading(page, "Run two?");
  assert.equal((await settled(ids[0])).message, "on a train");
  await page.context().close();
});

test("where someone types meanwhile, the card that was refused waits, and comes next", async () => {
  const { page, ids } = await open("one", "two", "three");
  await page.locator("html[data-beside=ready]").waitFor();
  let refuse;
  const asked = new Promise((done) => { refuse = done; });
  await page.route(`**/d/${ids[0]}`, async (route) => { if (route.request().method() === "POST") { await asked; await route.abort(); } else await route.continue(); });
  await page.getByRole("button", { name: "Deny" }).click();
  await heading(page, "Run two?");
  await page.getByLabel("Message").fill("half a");
  refuse();
  await page.locator("#tray").getByText("Not sent:").waitFor();
  assert.equal(await page.getByLabel("Message").inputValue(), "half a");
  await clickNext(page, page.getByRole("button", { name: "Deny" }));
  await heading(page, "Run one?");
  assert.equal((await settled(ids[1])).message, "half a");
  await page.context().close();
});

test("what the server may find wrong is not left before it has looked", async () => {
  await server.clear();
  const { id } = await server.ask(text("Name it"));
  await server.ask(text("Name another"));
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${id}`);
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Is required.", { exact: true }).waitFor();
  await heading(page, "Name it");
  await page.getByLabel("A name").fill("Rex");
  await page.getByRole("button", { name: "Send answer" }).click();
  await heading(page, "Name another");
  assert.equal((await settled(id)).values.name, "Rex");
  await page.context().close();
});

test("a next card that was revised after it was fetched cannot be answered as it was", async () => {
  const { page, ids } = await open("one", "two");
  await page.locator("html[data-beside=ready]").waitFor();
  // The page is not notified: the prefetched card is outdated when drawn.
  await page.route("**/live*", (route) => route.abort());
  await page.route("**/next*", (route) => route.abort());
  await server.api("PATCH", `/v1/decisions/${ids[1]}`, { title: "Run something else?" });
  await press(page, "2");
  await press(page, "Enter");
  await heading(page, "Run two?");
  await press(page, "1");
  await press(page, "Enter");
  await page.getByText("The agent changed this").or(page.getByText("was changed")).first().waitFor();
  assert.equal(await given(ids[1]), null);
  await page.context().close();
});
