// A form filled in by conversation: the whole flow with and without scripts, every control, light and dark, wide and
// narrow.
import { test } from "node:test";
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { enter, staged } from "../stage.js";

const examples = new URL("../../examples/forms/", import.meta.url).pathname;
let server, browser;
staged(async (one, other) => {
  [server, browser] = [one, other];
  mkdirSync(`${server.home}/forms`);
  for (const name of ["leave_request.json", "incident_report.json", "change_request.md"]) copyFileSync(`${examples}${name}`, `${server.home}/forms/${name}`);
  writeFileSync(`${server.home}/forms/broken.json`, "{}");
});

const check = async (page, name) => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const bad = violations.filter((one) => ["serious", "critical"].includes(one.impact));
  assert.deepEqual(bad.map((one) => `${name}: ${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(" | ")}`), []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 1, `${name} is ${wide}px too wide`);
};
const picture = async (page, name) => { if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true }); };

const open = async (page, title) => {
  page.setDefaultTimeout(15000);
  await page.goto("/forms");
  await page.getByRole("button", { name: `Fill in ${title}` }).click();
  await page.getByRole("heading", { name: "Conversation" }).waitFor();
};
const say = async (page, text) => {
  await page.locator("#say-it").fill(text);
  await page.getByRole("button", { name: "Reply" }).click();
  await page.locator(".talk .me", { hasText: text.slice(0, 40) }).last().waitFor();
};
const told = (page, words) => page.locator(".talk .it", { hasText: words }).last().waitFor();
const decisionOf = (page) => server.get(/\/d\/(dcn-\w+)/.exec(page.url())[1]);

// The published flow: greeting, extraction, asking for what is missing one by one with its control, completion,
// sending.
const incident = async (page, name) => {
  await open(page, "Incident report");
  await told(page, "Let's fill in \"Incident report\"");
  await check(page, `${name}: greeting`);
  await picture(page, `${name}-1-greeting`);
  await say(page, "Maybe there was a blaze in the store room");
  // Some words were not understood, so the value is confirmed first.
  await told(page, "Right?");
  await say(page, "yes");
  await told(page, "incident type: Fire");
  // ASK_DATE
  await page.locator("#now input[type=date]").fill("2026-02-11");
  await check(page, `${name}: date`);
  await picture(page, `${name}-2-date`);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await told(page, "start date");
  await say(page, "on 15 February 2026");
  // ASK_TEXT, for a field that has just appeared
  await page.getByLabel("Why did the incident last longer than a day?").first().waitFor();
  await check(page, `${name}: text`);
  await say(page, "the wind turned");
  // ASK_LOCATION
  await page.locator("#now [data-place=lat]").fill("24.7136");
  await page.locator("#now [data-place=lng]").fill("46.6753");
  await check(page, `${name}: location`);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  // FORM_COMPLETE leaves it pending; it can still be changed, and dependent values are dropped.
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  assert.equal((await decisionOf(page)).status, "pending");
  await say(page, "actually change the end date to 11 February 2026");
  await told(page, "This no longer applies: Why did the incident last longer than a day");
  await check(page, `${name}: complete`);
  await picture(page, `${name}-3-complete`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "Answered" }).waitFor();
  await check(page, `${name}: sent`);
  const decision = await decisionOf(page);
  assert.deepEqual(decision.answer.values, { incident_type: "Fire", start_date: "2026-02-11", end_date: "2026-02-11", location: { lat: 24.7136, lng: 46.6753 } });
  assert.equal(decision.answer.auth, "session");
};

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1200, 320]) {
    test(`the whole flow, ${colorScheme}, ${width} px`, async () => {
      const page = await enter(browser, server, "ana", { colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" });
      await page.goto("/forms");
      await check(page, "forms");
      await picture(page, `forms-${colorScheme}-${width}`);
      await incident(page, `${colorScheme}-${width}`);
      await page.context().close();
    });
  }
}

test("the whole flow without script", async () => {
  const page = await enter(browser, server, "ana", { javaScriptEnabled: false });
  await open(page, "Incident report");
  await say(page, "an accident from 11 to 11 February 2026");
  await page.locator("#now [data-place=lat]").fill("1");
  await page.locator("#now [data-place=lng]").fill("2");
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  // The form beside it is changed and stored, and the conversation continues from there.
  await page.locator("#answer").getByLabel("Injury").check();
  await page.getByRole("button", { name: "Save and continue by chat" }).click();
  assert.deepEqual((await decisionOf(page)).draft.incident_type, "Injury");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "Answered" }).waitFor();
  assert.equal((await decisionOf(page)).answer.values.incident_type, "Injury");
  await page.context().close();
});

test("sent, cancelled and started over in words", async () => {
  const page = await enter(browser, server, "ana");
  await open(page, "Leave request");
  await say(page, "unpaid leave from 2 to 4 March 2027");
  await say(page, "send it");
  await told(page, "this is missing: reason");
  await say(page, "a wedding");
  await told(page, "Say \"send it\", or say what to change");
  await say(page, "start over");
  await say(page, "yes");
  await told(page, "The form is empty again");
  assert.deepEqual((await decisionOf(page)).draft, {});
  await say(page, "undo");
  await say(page, "change leave type to annual");
  await told(page, "leave type: now Annual");
  await say(page, "yes");
  await page.getByRole("heading", { name: "Answered" }).waitFor();
  await told(page, "It has been sent.");
  await check(page, "sent in words");
  assert.equal((await decisionOf(page)).answer.values.leave_type, "Annual");
  await open(page, "Leave request");
  await say(page, "cancel");
  await told(page, "Shall I cancel this form?");
  await say(page, "yes");
  await told(page, "It is cancelled.");
  assert.equal((await decisionOf(page)).status, "cancelled");
  await page.context().close();
});

test("both columns are in step", async () => {
  const page = await enter(browser, server, "ana", { viewport: { width: 1200, height: 900 } });
  await open(page, "Leave request");
  // ASK_DROPDOWN: an option is one click in either column.
  await say(page, "from 2 to 4 March 2027");
  const form = page.locator("#answer");
  assert.equal(await form.getByLabel("When does your leave start?").inputValue(), "2027-03-02");
  await form.getByLabel("Sick").check();
  // The form's current values are stored, and the conversation asks for what is still missing.
  await page.locator("#talk").getByRole("textbox", { name: "Please give a reason for your leave" }).waitFor();
  await form.getByLabel("Please give a reason for your leave").fill("a cold");
  await page.locator("#say-it").fill("the reason is fine as it stands");
  await form.getByLabel("Please give a reason for your leave").fill("a bad cold");
  // Recent input in one column is stored before the other is sent.
  await page.locator("#say-it").fill("handover: Tom has the keys");
  await page.getByRole("button", { name: "Reply" }).click();
  // ASK_CHECKBOX
  await page.locator("#now").getByLabel("Yes").waitFor();
  assert.equal(await form.getByLabel("Please give a reason for your leave").inputValue(), "a bad cold");
  await page.locator("#now").getByLabel("Yes").check();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  assert.equal(await form.getByRole("checkbox", { name: "Yes" }).isChecked(), true);
  // Somebody else changes it: only what was seen may be sent.
  const decision = await decisionOf(page);
  await server.api("PUT", `/v1/decisions/${decision.id}/draft`, { values: { ...decision.draft, reason: "something else" } });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("the form has changed").waitFor();
  assert.equal((await decisionOf(page)).status, "pending");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "Answered" }).waitFor();
  await page.context().close();
});

test("steps, moments, what cannot be looked up, and nothing chosen", async () => {
  const page = await enter(browser, server, "ana", { viewport: { width: 1200, height: 900 }, timezoneId: "Asia/Riyadh" });
  await open(page, "Change request");
  await say(page, "production in Europe");
  await told(page, "could not look up");
  await say(page, "billing");
  await told(page, "Step 1 of 2 is complete");
  await say(page, "yes");
  // ASK_DATETIME
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByText("Nothing was chosen yet").waitFor();
  await page.locator("#now input[type=datetime-local]").fill("2027-03-02T09:30");
  await check(page, "moment");
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await told(page, "Tuesday 2 March 2027 at 09:30");
  assert.equal((await decisionOf(page)).draft.start, "2027-03-02T09:30:00");
  await page.context().close();
});

test("a form that an agent asks for is filled in by talking, and hostile words stay words", async () => {
  const { id } = await server.ask({ source: "form", title: "<b>Machine</b>", requested_by: "agent-7", fields: [
    { id: "size", kind: "choice", label: "Which <i>size</i>?", options: [{ id: "small", label: "small" }, { id: "large", label: "large" }] }, { id: "why", kind: "text", label: "Why?" }] });
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${id}`);
  await page.getByRole("link", { name: "Fill in by chat" }).click();
  await told(page, "Let's fill in");
  await say(page, "large size, <img src=x onerror=alert(1)>");
  await told(page, "size: large");
  assert.equal(await page.locator("#talk img").count(), 0);
  await say(page, "because");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "Answered" }).waitFor();
  assert.equal((await server.get(id)).answer.values.size, "large");
  await page.context().close();
});
