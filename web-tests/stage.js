// Starts a separate server on a temporary data folder, the real browser, and users of both.
import { after, afterEach, before, beforeEach } from "node:test";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const PASSWORD = "correct horse battery";
export const HOLD = process.env.HOLD_BIN ?? new URL("../target/debug/hold", import.meta.url).pathname;
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** Starts `hold serve` and waits until it listens. Answers are held back for `undo` seconds. */
export async function serve({ auth = true, settings = "", undo = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "hold-web-"));
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "config.toml"), `[hooks]\ndesktop = false\n[server]\nundo = "${undo}s"\n${settings}`);
  const env = { PATH: process.env.PATH, HOME: folder, HOLD_HOME: home, USER: "root", NO_COLOR: "1", LC_ALL: "C.UTF-8" };
  const flags = ["serve", "--listen", "127.0.0.1:0", ...(auth ? [] : ["--no-auth"])];
  const child = spawn(HOLD, flags, { env, stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (part) => {
      text += part;
      const found = /Listening on (http:\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    child.on("exit", (code) => reject(new Error(`hold serve ended with ${code}:\n${text}`)));
  });
  const token = auth ? readFileSync(join(home, "local.token"), "utf8").trim() : null;

  /** Calls the API as the local user, or with another token. */
  const api = async (method, path, body, secret = token) => {
    const headers = { ...(secret && { authorization: `Bearer ${secret}` }), ...(body && { "content-type": "application/json" }) };
    const reply = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return text ? JSON.parse(text) : null;
  };
  const ask = (document) => api("POST", "/v1/decisions", document);
  const get = (id) => api("GET", `/v1/decisions/${id}`);
  /** Waits until a decision is settled. The page's address only shows that until the next card is drawn. */
  const settled = async (id) => {
    const decision = await api("GET", `/v1/decisions/${id}/wait?timeout=15s`);
    if (decision.status === "pending") throw new Error(`${id} is still pending`);
    return decision;
  };
  /** Withdraws all pending decisions, except those that an open page answers meanwhile. */
  const clear = async () => {
    const settled = (error) => { if (!/already_settled/.test(error.message)) throw error; };
    for (const { id } of (await api("GET", "/v1/decisions?limit=1000")).items) await api("POST", `/v1/decisions/${id}/cancel`, { reason: "next test" }).catch(settled);
  };
  const person = (name, more = {}) => api("PUT", `/v1/people/${name}`, { name, role: "person", password: PASSWORD, ...more });
  const stop = () =>
    new Promise((resolve) => {
      const ended = () => { rmSync(folder, { recursive: true, force: true }); resolve(); };
      child.removeAllListeners("exit");
      if (child.exitCode !== null || child.signalCode !== null) return ended();
      child.on("exit", ended);
      child.kill("SIGKILL");
    });
  return { url, home, api, ask, get, settled, clear, person, stop };
}

/** Starts the browser. With SLOW=100 every response takes 100 ms longer, and tests that need a fast server fail. */
export async function launch() {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  const latency = Number(process.env.SLOW ?? 0), open = browser.newContext.bind(browser);
  if (latency) browser.newContext = async (options) => {
    const context = await open(options), newPage = context.newPage.bind(context);
    context.newPage = async () => {
      const page = await newPage();
      await slow(page, latency);
      return page;
    };
    return context;
  };
  return browser;
}

/** A test that takes this long is waiting for something that never comes. */
const STUCK = 300000;

/**
 * Gives the tests of a file a server on which ana is an admin, and a browser; both end with the tests. `use` gets them,
 * and may set up more.
 */
export function staged(use, options) {
  let server, browser, watch;
  // Closing the browser makes the test's pending wait fail, and the error shows where.
  beforeEach(() => { watch = setTimeout(() => browser?.close(), STUCK); });
  afterEach(() => clearTimeout(watch));
  before(async () => {
    server = await serve(options);
    await server.person("ana", { role: "admin" });
    browser = await launch();
    await use(server, browser);
  }, { timeout: STUCK });
  after(async () => { await browser?.close(); await server?.stop(); }, { timeout: STUCK });
}

/** Presses a key once the page accepts it: keys do not act on what has only just appeared. */
export async function press(page, key) {
  await page.locator("html[data-keys=answer]").waitFor();
  await page.keyboard.press(key);
}

const CODES = { Enter: { code: "Enter", windowsVirtualKeyCode: 13, text: "\r" }, 1: { code: "Digit1", windowsVirtualKeyCode: 49, text: "1" }, 2: { code: "Digit2", windowsVirtualKeyCode: 50, text: "2" } };

/**
 * Presses a key at a time in milliseconds since 1970, whenever the browser handles it: a busy machine may deliver it
 * late, but the person did not pause.
 */
export async function keyAt(session, key, time) {
  const { text, ...code } = CODES[key], timestamp = time / 1000;
  await Promise.all([
    session.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, ...code, timestamp }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", key, ...code, timestamp: timestamp + 0.005 }),
  ]);
}

/** Types keys `gap` ms apart without waiting for the page. */
export async function typeAhead(page, keys, gap) {
  const session = await page.context().newCDPSession(page);
  const began = Date.now(), sent = [];
  for (const [at, key] of keys.entries()) {
    const due = began + at * gap;
    await new Promise((done) => setTimeout(done, due - Date.now()));
    sent.push(keyAt(session, key, due));
  }
  await Promise.all(sent);
  await session.detach();
}

/** Clicks at a position, pressed and released at a time in milliseconds since 1970, whenever the browser handles it. */
export async function clickAt(page, place, time) {
  const session = await page.context().newCDPSession(page);
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  for (const type of ["mousePressed", "mouseReleased"]) {
    await session.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, timestamp: time / 1000 });
  }
  await session.detach();
}

/** Clicks a button of a card that replaced another, once the page accepts it. */
export async function clickNext(page, button) {
  await page.locator("html[data-keys=answer]").waitFor();
  await button.click();
}

/** Reads the subject to its end, a page at a time, as a person does. */
export async function readToTheEnd(page) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  for (let at = 0; at < 40 && await page.locator("#reading").isVisible(); at += 1) {
    await page.keyboard.press("PageDown");
    // The page scrolls smoothly, and counts as read once it stands still.
    await page.evaluate(() => new Promise((done) => {
      let last = scrollY, still = 0;
      const look = () => {
        still = scrollY === last ? still + 1 : 0;
        last = scrollY;
        still > 8 ? done() : requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }));
  }
}

// Wide enough for everything, but too narrow for the list beside the card.
const ONE_PANE = { width: 1000, height: 720 };

/** Opens a browser window for a signed-in person. */
export async function enter(browser, server, name, options = {}) {
  const context = await browser.newContext({ baseURL: server.url, viewport: ONE_PANE, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  await page.goto("/sign-in");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  return page;
}

/** Delays each response of the server, as a network does. */
export async function slow(page, latency) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });
}
