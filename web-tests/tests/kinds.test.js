// Every kind of question has a control, and the sent value is the intended one.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, press, staged } from "../stage.js";
import { decisions } from "../scene.js";

let server, browser, page;
staged(async (one, other) => {
  [server, browser] = [one, other];
  page = await enter(browser, server, "ana", { geolocation: { latitude: 52.5, longitude: 13.4 }, permissions: ["geolocation"] });
});

const open = async (document) => {
  const { id } = await server.ask(document);
  await page.goto(`/d/${id}`);
  return id;
};
const sent = async (id) => {
  return (await server.settled(id)).answer;
};
const send = () => page.getByRole("button", { name: "Send answer" }).click();

test("choice: one of a few, recommended marked, nothing chosen beforehand", async () => {
  const id = await open(decisions.choice);
  assert.equal(await page.locator("input[type=radio]:checked").count(), 0);
  assert.equal(await page.getByText("Recommended", { exact: true }).count(), 1);
  await page.getByLabel("Use Redis").check();
  await page.getByLabel("Message").fill("we have one");
  await send();
  const answer = await sent(id);
  assert.deepEqual(answer.values, { choice: "redis" });
  assert.equal(answer.message, "we have one");
});

test("choice: one's own words", async () => {
  const id = await open(decisions.choice);
  await page.locator("textarea[data-own]").fill("memcached");
  await send();
  assert.deepEqual((await sent(id)).values, { choice: { text: "memcached" } });
});

test("choice: one of ten thousand, by search", async () => {
  const id = await open(decisions.many);
  await page.locator("[data-find]").fill("customer 7654");
  await page.getByLabel("Customer 7654").check();
  await send();
  assert.deepEqual((await sent(id)).values, { customer: "c7654" });
});

test("choice: thirteen are searched on the page", async () => {
  const options = Array.from({ length: 20 }, (_, at) => ({ id: `o${at}`, label: `Option ${at}` }));
  const id = await open({ title: "Which?", fields: [{ id: "x", kind: "choice", label: "Which one?", options }] });
  await page.locator("[data-find]").fill("option 17");
  assert.equal(await page.locator(".option:visible").count(), 1);
  await page.getByLabel("Option 17").check();
  await send();
  assert.deepEqual((await sent(id)).values, { x: "o17" });
});

test("choices: several", async () => {
  const id = await open(decisions.choices);
  await send();
  await page.getByText("Is required.", { exact: true }).waitFor();
  await page.getByLabel("Europe").check();
  await page.getByLabel("Asia Pacific").check();
  await send();
  assert.deepEqual((await sent(id)).values, { regions: ["eu", "ap"] });
});

test("confirm: buttons that send, focus on the no of a dangerous ask", async () => {
  const id = await open(decisions.approval);
  assert.equal(await page.evaluate(() => document.activeElement.value), "deny");
  await page.locator("#subject .command", { hasText: "psql $PRODUCTION" }).waitFor();
  await page.getByRole("button", { name: "Allow once" }).click();
  assert.deepEqual((await sent(id)).values, { answer: "approve" });
});

test("confirm: more than two options", async () => {
  const id = await open(decisions.plan);
  await page.getByRole("button", { name: "Accept, ask before edits" }).click();
  assert.deepEqual((await sent(id)).values, { plan: "accept_manual" });
});

test("products: price, rating, variant, quantity; what has an expired quote is chosen, not bought", async () => {
  const id = await open(decisions.products);
  const old = page.locator(".product.expired");
  await old.getByText("Quote expired").waitFor();
  assert.equal(await old.getByLabel("Quantity").count(), 0);
  assert.ok(await old.getByRole("checkbox").isEnabled());
  assert.equal(await page.locator("img").count(), 0);
  const card = page.locator(".product").first();
  await card.getByText("129.00 USD").first().waitFor();
  await card.getByText("1284 reviews").waitFor();
  await card.getByRole("checkbox", { name: "Studio One" }).check();
  await card.getByLabel("Variant").selectOption("studio-white");
  const [box, inner] = await card.evaluate((one) => [one.querySelector("select"), one.querySelector(".amount")].map((node) => node.getBoundingClientRect().width));
  assert.ok(Math.abs(box - inner) < 1, `${box} of ${inner}: the closed box shows what was chosen`);
  assert.match(await card.locator("option[value=studio-white]").textContent(), /^139\.00 USD — White/);
  await card.getByLabel("Quantity").fill("3");
  await send();
  assert.deepEqual((await sent(id)).values, { products: [{ id: "studio-white", quantity: 3 }] });
});

test("products: a picture loads on a click, without saying from where", async () => {
  await open(decisions.products);
  const asked = new Promise((resolve) => page.route("https://pictures.example.org/**", (route) => { resolve(route.request().headers()); route.abort(); }));
  await page.getByText("Show the picture (pictures.example.org)").click();
  assert.equal((await asked).referer, undefined);
});

test("products: a person who wants pictures always gets them, on this device, until they say otherwise", async () => {
  const asked = [];
  await page.route("https://pictures.example.org/**", (route) => { asked.push(route.request().url()); route.abort(); });
  await open(decisions.products);
  assert.equal(asked.length, 0);
  const box = page.getByLabel("Always show pictures on this device");
  await Promise.all([page.waitForRequest("https://pictures.example.org/**"), box.check()]);
  const first = asked.length;
  await Promise.all([page.waitForRequest("https://pictures.example.org/**"), open(decisions.products)]);
  assert.ok(asked.length > first);
  await box.uncheck();
  const before = asked.length;
  await open(decisions.products);
  await page.getByText("Show the picture (pictures.example.org)").first().waitFor();
  assert.equal(asked.length, before);
});

test("text, numbers, dates, yes or no, and a place", async () => {
  const id = await open(decisions.everything);
  const fill = (label, text) => page.getByLabel(label, { exact: true }).fill(text);
  await fill("A text", "some words");
  await fill("Several lines", "one\ntwo");
  await fill("An address", "ana@example.org");
  await fill("A telephone number", "+49 30 123456");
  await fill("A web address", "https://example.org/x");
  await fill("A number", "2.5");
  await fill("A whole number", "7");
  await page.getByRole("radio", { name: "No", exact: true }).check();
  await fill("A day", "2026-03-02");
  await fill("A time", "09:30");
  await fill("A day and a time", "2026-03-02T09:30");
  await page.getByRole("button", { name: "Use my position" }).click();
  await page.waitForFunction(() => document.querySelector('[data-place="lat"]').value === "52.500000");
  await send();
  assert.deepEqual((await sent(id)).values, {
    text: "some words", multiline: "one\ntwo", email: "ana@example.org", tel: "+49 30 123456", url: "https://example.org/x",
    number: 2.5, integer: 7, boolean: false, date: "2026-03-02", time: "09:30:00", datetime: "2026-03-02T09:30:00", location: { lat: 52.5, lng: 13.4 },
  });
});

test("yes or no has numbers", async () => {
  const only = await server.ask({ title: "Sure?", requested_by: "agent", fields: [{ id: "sure", kind: "boolean", label: "Sure?" }] });
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${only.id}`);
  await press(page, "2");
  await page.locator("input[value=false]:checked").waitFor();
  await press(page, "Enter");
  assert.deepEqual((await server.settled(only.id)).answer.values, { sure: false });
  // They come after everything that other interfaces number.
  const both = await server.ask({ title: "Both?", requested_by: "agent", outs: [{ id: "stop", label: "Stop" }], fields: [
    { id: "one", kind: "choice", label: "Which?", options: [{ id: "a", label: "First" }, { id: "b", label: "Second" }] },
    { id: "sure", kind: "boolean", label: "Sure?" }, { id: "more", kind: "boolean", label: "More?", required: false }] });
  await page.goto(`/d/${both.id}`);
  for (const key of ["1", "4", "7"]) await press(page, key);
  assert.deepEqual(await page.locator("#answer input:checked").evaluateAll((all) => all.map((one) => `${one.name} ${one.value}`)), ["v:one a", "v:sure true", "v:more false"]);
  await press(page, "Enter");
  assert.deepEqual((await server.settled(both.id)).answer.values, { one: "a", sure: true, more: false });
  await page.context().close();
});

test("what is wrong is said beside its field, and what was typed stays", async () => {
  await open(decisions.everything);
  await page.getByLabel("A text", { exact: true }).fill("kept");
  await page.getByLabel("A number", { exact: true }).fill("99");
  await send();
  await page.getByText("99 is not from 0 to 10.", { exact: true }).waitFor();
  assert.equal(await page.getByLabel("A text", { exact: true }).inputValue(), "kept");
  assert.equal(await page.getByLabel("A number", { exact: true }).inputValue(), "99");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "alert");
});

test("fields come and go, and focus stays where it was", async () => {
  const id = await open(decisions.form);
  assert.equal(await page.getByText("Is there a certificate?", { exact: true }).count(), 0);
  await page.getByLabel("Sick leave").check();
  await page.getByText("Is there a certificate?", { exact: true }).waitFor();
  await page.getByRole("radio", { name: "Yes", exact: true }).check();
  await page.getByLabel("Who issued it?").fill("Dr Who");
  await page.getByLabel("First day").fill("2026-03-02");
  await page.getByLabel("Annual leave").check();
  await page.getByText("Is there a certificate?", { exact: true }).waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.value), "annual");
  await page.getByLabel("E-mail for the confirmation").fill("a@b.de");
  await send();
  assert.deepEqual((await sent(id)).values, { type: "annual", from: "2026-03-02", mail: "a@b.de" });
});

test("a draft is saved as one types, and is there after a reload", async () => {
  const id = await open(decisions.everything);
  const saved = page.waitForResponse((reply) => reply.url().endsWith("/draft") && reply.status() === 204);
  await page.getByLabel("A text", { exact: true }).fill("half a thought");
  await saved;
  assert.deepEqual((await server.get(id)).draft, { text: "half a thought" });
  await page.reload();
  assert.equal(await page.getByLabel("A text", { exact: true }).inputValue(), "half a thought");
});

test("an out is taken instead of an answer", async () => {
  const id = await open(decisions.choice);
  await page.getByRole("button", { name: "Cancel the task" }).click();
  const answer = await sent(id);
  assert.equal(answer.out, "cancel");
  assert.deepEqual(answer.values, {});
});

test("guidance: rounds, and what changed between them", async () => {
  const id = await open(decisions.choice);
  await page.getByRole("button", { name: "Request changes" }).click();
  await page.getByLabel("What should be different?").fill("Consider memcached");
  await page.getByRole("button", { name: "Request changes" }).click();
  const { next, status } = await server.settled(id);
  assert.equal(status, "refined");
  await server.api("PATCH", `/v1/decisions/${next}`, { prompt: "Now with memcached" });
  await page.goto(`/d/${next}`);
  await page.getByText("Round 2 of 3").first().waitFor();
  await page.locator(".diff ins", { hasText: "Now with memcached" }).waitFor();
  await page.getByLabel("Accept the proposal as it stands").check();
  await send();
  assert.deepEqual((await sent(next)).values, { choice: "_accept" });
});

test("guidance that was typed is not lost by another button", async () => {
  const id = await open(decisions.plan);
  await press(page, "g");
  await page.getByLabel("What should be different?").fill("smaller steps");
  await page.getByRole("button", { name: "Accept Recommended" }).click();
  await page.getByText("pressed another button").first().waitFor();
  assert.equal((await server.get(id)).status, "pending");
  await page.getByRole("button", { name: "Request changes" }).click();
  const answer = await sent(id);
  assert.deepEqual([answer.values, answer.message], [{ plan: "revise" }, "smaller steps"]);
});

test("a plan goes back with words, and they are asked for while its card is there", async () => {
  const id = await open(decisions.plan);
  await page.getByRole("button", { name: "Revise", exact: true }).click();
  await page.getByText("say what should be different about the plan").first().waitFor();
  assert.equal(new URL(page.url()).pathname, `/d/${id}`);
  assert.equal((await server.get(id)).status, "pending");
  await page.getByLabel("Message").fill("smaller steps");
  await page.getByRole("button", { name: "Revise", exact: true }).click();
  const answer = await sent(id);
  assert.deepEqual([answer.values, answer.message], [{ plan: "revise" }, "smaller steps"]);
});
