// Notifications: the service worker in the real browser, fed with what the server sends to a fake push service. A
// headless browser has no push service and no desktop to click on, so pushes and clicks are synthetic events.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { AxeBuilder } from "@axe-core/playwright";
import { enter, staged } from "../stage.js";

const keys = createECDH("prime256v1"), secret = randomBytes(16);
const received = [], waiting = [];
let server, browser, service;

/** Decrypts a message for this browser, following RFC 8291. */
const decrypt = (body) => {
  const salt = body.subarray(0, 16), sender = body.subarray(21, 86), sealed = body.subarray(86);
  const derive = (input, salted, info, length) => Buffer.from(hkdfSync("sha256", input, salted, info, length));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender]);
  const input = derive(keys.computeSecret(sender), secret, info, 32);
  const cipher = createDecipheriv("aes-128-gcm", derive(input, salt, "Content-Encoding: aes128gcm\0", 16), derive(input, salt, "Content-Encoding: nonce\0", 12));
  cipher.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  assert.equal(text.at(-1), 2);
  return text.subarray(0, -1).toString();
};
const arrival = () => new Promise((resolve) => { received.length ? resolve(received.shift()) : waiting.push(resolve); });
/** Waits for the next message about a decision. Deliveries may be repeated, so messages about others are skipped. */
const next = async (id, kind = "show") => {
  for (;;) {
    const push = await arrival(), read = JSON.parse(push);
    if (read.id === id && read.kind === kind) return push;
  }
};

staged(async (one, other) => {
  [server, browser] = [one, other];
  keys.generateKeys();
  service = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      response.writeHead(201).end();
      const push = decrypt(Buffer.concat(parts));
      waiting.length ? waiting.shift()(push) : received.push(push);
    });
  });
  await new Promise((ready) => service.listen(0, "127.0.0.1", ready));
}, { settings: `[webpush]\ncontact = "mailto:ops@example.org"\nallow_private = true\ntell = ["ana"]\n` });
after(() => { service?.close(); });

/** Opens the notifications page with a registered worker, and a browser that the server notifies. */
const ready = async () => {
  const page = await enter(browser, server, "ana");
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  await page.goto("/notifications");
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/sw.js");
    const { active } = await navigator.serviceWorker.ready;
    if (active.state !== "activated") await new Promise((done) => active.addEventListener("statechange", done, { once: true }));
  });
  const subscription = { endpoint: `http://127.0.0.1:${service.address().port}/push`, keys: { p256dh: keys.getPublicKey("base64url"), auth: secret.toString("base64url") }, browser: "Chromium in a test" };
  const status = await page.evaluate(async (body) => {
    const csrf = document.querySelector("#push [name=csrf]").value;
    const reply = await fetch("/v1/push/browsers", { method: "POST", headers: { "content-type": "application/json", "x-csrf-token": csrf }, body: JSON.stringify(body) });
    return reply.status;
  }, subscription);
  assert.equal(status, 201);
  const shown = () => page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({ title, body, tag, actions, silent, requireInteraction }) => ({ title, body, tag, silent, requireInteraction, actions: (actions ?? []).map((one) => one.title) }));
  });
  const until = async (wanted) => {
    const deadline = Date.now() + 15000;
    for (;;) {
      const now = await shown();
      if (wanted(now)) return now;
      assert.ok(Date.now() < deadline, `stays like this: ${JSON.stringify(now)}`);
    }
  };
  const worker = page.context().serviceWorkers()[0] ?? await page.context().waitForEvent("serviceworker");
  assert.equal(await worker.evaluate(() => self.registration.scope), `${server.url}/`);
  /** Delivers a message to the worker, as a push service would. */
  const deliver = (data) => worker.evaluate(async (data) => {
    const event = new PushEvent("push", { data });
    let done = null;
    event.waitUntil = (promise) => { done = promise; };
    self.dispatchEvent(event);
    await done;
  }, data);
  /** Clicks a notification or one of its buttons; returns the address that was opened. */
  const click = (tag, action) => worker.evaluate(async ([tag, action]) => {
    const [notification] = await self.registration.getNotifications({ tag });
    const event = new NotificationEvent("notificationclick", { notification, action });
    let opened = null, done = null;
    self.clients.openWindow = async (url) => { opened = url; return null; };
    event.waitUntil = (promise) => { done = promise; };
    self.dispatchEvent(event);
    await done;
    return opened;
  }, [tag, action]);
  return { page, deliver, until, click };
};
const choice = { title: "Which cache?", fields: [{ id: "c", kind: "choice", label: "?", options: [{ id: "a", label: "Redis" }, { id: "b", label: "None" }] }] };

test("a question is shown, answered by its button, and goes away", async () => {
  const { page, deliver, until, click } = await ready();
  const { id } = await server.ask({ ...choice, priority: "urgent" });
  const push = await next(id);
  await deliver(push);
  const [one] = await until((now) => now.length === 1);
  assert.deepEqual(one.actions, ["Redis", "None"]);
  assert.deepEqual([one.title, one.tag, one.requireInteraction], ["Decision needed in default", id, true]);
  assert.match(one.body, /Which cache\?/);
  // A repeated delivery shows one notification.
  await deliver(push);
  await until((now) => now.length === 1);
  assert.equal(await click(id, "1"), null);
  const settled = await server.get(id);
  assert.deepEqual([settled.status, settled.answer.values.c, settled.answer.by, settled.answer.via, settled.answer.auth], ["answered", "b", "ana", "webpush", "session"]);
  await deliver(await next(id, "close"));
  await until((now) => !now.length);
  await page.context().close();
});

test("settled elsewhere, a notification closes; a button pressed too late says what was decided", async () => {
  const { page, deliver, until, click } = await ready();
  const { id } = await server.ask(choice);
  await deliver(await next(id));
  await until((now) => now.length === 1);
  await server.api("POST", `/v1/decisions/${id}/answer`, { choice: "a" });
  const close = await next(id, "close");
  assert.equal(await click(id, "1"), null);
  const [late] = await until((now) => now[0]?.title === "Not answered");
  assert.match(late.body, /already answered/);
  assert.equal((await server.get(id)).answer.values.c, "a");
  assert.equal(await click(id, ""), `${server.url}/d/${id}`);
  await deliver(close);
  await until((now) => !now.length);
  await page.context().close();
});

test("a subject is refused there, and its yes is on the card", async () => {
  const { page, deliver, until, click } = await ready();
  const subject = { source: "approval", title: "Deploy?", subject: { command: "make deploy" }, fields: [{ id: "c", kind: "confirm", label: "?", options: [{ id: "yes", label: "Allow" }, { id: "no", label: "Deny", refuses: true }] }] };
  const first = await server.ask(subject);
  await deliver(await next(first.id));
  const [one] = await until((now) => now.length === 1);
  assert.deepEqual(one.actions, ["Deny", "Open"]);
  assert.doesNotMatch(one.body, /make deploy/);
  assert.equal(await click(first.id, "open"), `${server.url}/d/${first.id}`);
  assert.equal((await server.get(first.id)).status, "pending");
  const second = await server.ask({ ...subject, title: "Deploy again?" });
  await deliver(await next(second.id));
  await until((now) => now.some(({ tag }) => tag === second.id));
  await click(second.id, "0");
  assert.equal((await server.get(second.id)).answer.values.c, "no");
  await next(second.id, "close");
  await page.context().close();
});

test("who is signed out answers nothing, and is told so", async () => {
  const { page, deliver, until, click } = await ready();
  const { id } = await server.ask(choice);
  await deliver(await next(id));
  await until((now) => now.length === 1);
  await page.context().clearCookies();
  await click(id, "0");
  const [one] = await until((now) => now[0]?.title === "Not answered");
  assert.match(one.body, /signed out/);
  assert.equal((await server.get(id)).status, "pending");
  // An invalid message also shows something, because browsers require it.
  await deliver("no JSON");
  await until((now) => now.some(({ tag }) => tag === "inbox"));
  await page.context().close();
});

test("the page says where notifications are on, what it needs, and is accessible", async () => {
  for (const [colorScheme, width] of [["light", 1200], ["dark", 320]]) {
    const page = await enter(browser, server, "ana", { colorScheme, viewport: { width, height: 800 } });
    await page.getByLabel("Menu").click();
    await page.getByRole("link", { name: "Notifications" }).click();
    await page.getByText(/Notifications are off in this browser|Blocked\./).first().waitFor();
    await page.getByText("Chromium in a test").first().waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id}: ${one.nodes[0].html}`), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth) <= 1);
    await page.context().close();
  }
  const plain = await enter(browser, server, "ana", { javaScriptEnabled: false });
  await plain.goto("/notifications");
  await plain.getByText("Needs JavaScript").waitFor();
  await plain.getByRole("button", { name: "Send a test" }).first().click();
  await plain.getByText("It should appear there").waitFor();
  await next("test");
  await plain.getByRole("button", { name: "Remove" }).first().click();
  await plain.getByText("Not on in any browser").waitFor();
  await plain.context().close();
});

test("the inbox can be installed, and counts on its icon", async () => {
  const page = await enter(browser, server, "ana");
  const debug = await page.context().newCDPSession(page);
  await page.goto("/");
  const { url, errors, data } = await debug.send("Page.getAppManifest");
  assert.deepEqual([url, errors, JSON.parse(data).display], [`${server.url}/manifest.webmanifest`, [], "standalone"]);
  await page.addInitScript(() => { navigator.setAppBadge = async (count) => { globalThis.badge = count; }; });
  await page.goto("/");
  const count = (await server.api("GET", "/v1/decisions?limit=1000")).items.filter(({ status }) => status === "pending").length;
  assert.equal(await page.evaluate(() => globalThis.badge), count);
  await page.context().close();
});

test("who signs out is no longer notified in this browser", async () => {
  const { page } = await ready();
  await page.goto("/notifications");
  await page.getByText("Chromium in a test").first().waitFor();
  // A headless browser cannot subscribe, so this fakes a subscription.
  await page.evaluate((endpoint) => { PushManager.prototype.getSubscription = async () => ({ endpoint }); }, `http://127.0.0.1:${service.address().port}/push`);
  await page.getByLabel("Menu").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await page.context().close();
  const again = await enter(browser, server, "ana");
  await again.goto("/notifications");
  await again.getByText("Not on in any browser").waitFor();
  // A worker that does not answer keeps nobody signed in.
  await again.evaluate(() => { PushManager.prototype.getSubscription = async () => { throw new Error("broken"); }; });
  await again.getByLabel("Menu").click();
  await again.getByRole("button", { name: "Sign out" }).click();
  await again.waitForURL("**/sign-in");
  await again.context().close();
});

test("a vote changes what is on the screen, and brings back nothing that was put away", async () => {
  const { page, deliver, until } = await ready();
  await server.person("ben");
  const { secret: ben } = await server.api("POST", "/v1/tokens", { name: "ben", role: "person" });
  // After several within a minute, only urgent decisions have separate notifications.
  const { id } = await server.ask({ ...choice, needs: { approvals: 2 }, priority: "urgent" });
  await deliver(await next(id));
  const [asked] = await until((now) => now.length === 1);
  assert.match(asked.body, /Votes: 0 of 2/);
  await server.api("POST", `/v1/decisions/${id}/answer`, { choice: "a" }, ben);
  const voted = await next(id, "update");
  await deliver(voted);
  const [one] = await until((now) => now.length === 1 && /Votes: 1 of 2: ben/.test(now[0].body));
  assert.equal(one.silent, true);
  await page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).forEach((one) => one.close()));
  await until((now) => !now.length);
  await deliver(voted);
  assert.equal((await until(() => true)).length, 0);
  await page.context().close();
});
