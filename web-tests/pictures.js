// Makes the screenshots of the inbox: the real server, the real browser, invented work.
import { mkdirSync } from "node:fs";
import { enter, launch, serve } from "./stage.js";
import { decisions } from "./scene.js";
import { terminal } from "./terminal.js";

const folder = new URL("../docs/pictures/", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();
try {
  await server.person("ana", { role: "admin" });
  const ids = {};
  for (const name of ["choice", "approval", "plan", "gate", "choices", "form", "products"]) ids[name] = (await server.ask(decisions[name])).id;
  const { next } = await server.api("POST", `/v1/decisions/${ids.choice}/answer`, { guidance: "Also consider memcached, and say what it costs a month." });
  const prompt = decisions.choice.prompt.replace("I measured both", "Memcached costs 20 USD a month; I measured all three");
  await server.api("PATCH", `/v1/decisions/${next}`, { prompt });
  const wide = { viewport: { width: 1440, height: 900 } };
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
  const pictures = [
    ["inbox", "/", { ...wide, colorScheme: "light" }],
    ["inbox-dark", "/", { ...wide, colorScheme: "dark" }],
    ["rounds", `/d/${next}`, { viewport: { width: 1440, height: 1280 }, colorScheme: "light" }],
    ["approval-phone", `/d/${ids.approval}`, { ...phone, colorScheme: "dark" }],
    ["products", `/d/${ids.products}`, { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
  ];
  await terminal(server, ["Enter"], `${folder}terminal.svg`);
  console.log("docs/pictures/terminal.svg");
  for (const [name, path, options] of pictures) {
    const page = await enter(browser, server, "ana", { ...options, reducedMotion: "reduce" });
    await page.goto(path);
    // Both the list and the card beside it are there.
    await page.locator("html[data-beside=ready]").waitFor();
    await page.screenshot({ path: `${folder}${name}.png` });
    await page.context().close();
    console.log(`docs/pictures/${name}.png`);
  }
} finally {
  await browser.close();
  await server.stop();
}
