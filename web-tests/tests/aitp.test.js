// Requests of other parties, from the message to the person and back: the examples of AITP-02, and a form.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { enter, HOLD, readToTheEnd, staged } from "../stage.js";

const SCHEMA = "https://aitp.dev/v1/decisions/schema.json";
let server, browser, page;
staged(async (one, other) => {
  [server, browser] = [one, other];
  page = await enter(browser, server, "ana");
});

/** Runs `hold aitp` beside the server, which it finds automatically. */
const aitp = (words, input = "") => {
  const env = { PATH: process.env.PATH, HOME: server.home, HOLD_HOME: server.home, USER: "shop", NO_COLOR: "1" };
  return execFileSync(HOLD, ["aitp", ...words], { env, input, encoding: "utf8" }).trim();
};
const open = async (message) => {
  const id = aitp(["ask", "-", "--no-wait"], JSON.stringify(message));
  await page.goto(`/d/${id}`);
  return id;
};
const reply = async (id) => {
  await server.settled(id);
  return JSON.parse(aitp(["reply", id]));
};
const send = () => page.getByRole("button", { name: "Send answer" }).click();
const asks = (body) => ({ $schema: SCHEMA, request_decision: body });
const decided = (id, options) => ({ $schema: SCHEMA, decision: { request_decision_id: id, options } });

test("radio", async () => {
  const options = ["0", "7", "100"].map((name) => ({ id: name, name }));
  const id = await open(asks({ id: "7c42b9d6-107d-4f5f-8f23-f9014c6efdae", description: "Select your favorite number:", options }));
  await page.getByText("Select your favorite number:").first().waitFor();
  await page.locator('input[type=radio][value="7"]').check();
  await send();
  assert.deepEqual(await reply(id), decided("7c42b9d6-107d-4f5f-8f23-f9014c6efdae", [{ id: "7", name: "7" }]));
});

test("confirmation with three options", async () => {
  const options = [{ id: "1", name: "Yes, eat the cookies" }, { id: "2", name: "No, that's not healthy" }, { id: "3", name: "Something else" }];
  const id = await open(asks({ id: "27ed3deb-39cb-4968-90dc-9cb456a470f2", title: "Please confirm", description: "Would you like to eat all cookies?", type: "confirmation", options }));
  await page.getByRole("button", { name: "Something else" }).click();
  assert.deepEqual(await reply(id), decided("27ed3deb-39cb-4968-90dc-9cb456a470f2", [{ id: "3", name: "Something else" }]));
});

test("checkbox", async () => {
  const feels = { Blue: "A calming color", Red: "An exciting color", Green: "An earthy color" };
  const options = Object.entries(feels).map(([name, description]) => ({ id: name.toLowerCase(), name, description, image_url: `https://example.com/${name.toLowerCase()}.jpg` }));
  const id = await open(asks({ id: "50a53841-09ee-4b57-b5ec-561fe505f532", title: "Your Favorite Colors", description: "Which colors are your favorite?", type: "checkbox", options }));
  await page.getByLabel("Red").first().check();
  await page.getByLabel("Blue").first().check();
  await send();
  assert.deepEqual(await reply(id), decided("50a53841-09ee-4b57-b5ec-561fe505f532", [{ id: "blue", name: "Blue" }, { id: "red", name: "Red" }]));
});

test("products", async () => {
  const payment_plans = [{ amount: 199.5, currency: "USD", plan_id: "foobar", plan_type: "one-time" }];
  const quote = { type: "Quote", payee_id: "foobar", quote_id: "foobar", payment_plans, valid_until: "2050-01-01T00:00:00Z" };
  const options = [{ id: "product_1", name: "JBL Tour One M2", description: "A short, summarized description about the headphones", five_star_rating: 4.2, reviews_count: 132, quote, image_url: "https://example.com/headphones1.jpg", url: "https://example.com/product1" }];
  const id = await open(asks({ id: "bd9b613c-6fa5-4797-ba91-547f0903da9f", title: "Recommended Products", description: "Based on your selected factors, here are the best recommendations", type: "products", options }));
  const card = page.locator(".product").first();
  await card.getByText("199.50 USD").first().waitFor();
  await card.getByRole("checkbox", { name: "JBL Tour One M2" }).check();
  await send();
  assert.deepEqual(await reply(id), decided("bd9b613c-6fa5-4797-ba91-547f0903da9f", [{ id: "product_1", name: "JBL Tour One M2", quantity: 1 }]));
});

test("a form is answered with strings", async () => {
  const fields = [{ id: "city", label: "City", required: true, autocomplete: "address-level2" }, { id: "floor", label: "Floor", type: "number" }, { id: "size", label: "Size", type: "select", options: ["S", "M"] }];
  const id = await open({ $schema: "https://aitp.dev/v1/data/schema.json", request_data: { id: "d1", description: "Where to?", fillButtonLabel: "Tell us where", form: { fields } } });
  await page.getByText("The agent's label: “Tell us where”.").waitFor();
  assert.equal(await page.getByLabel("City").getAttribute("autocomplete"), "address-level2");
  assert.equal(await page.getByLabel("Floor").getAttribute("autocomplete"), "off");
  await page.getByLabel("City").fill("Berlin");
  await page.getByLabel("Floor").fill("3");
  await page.locator('input[type=radio][value="M"]').check();
  await send();
  const values = [{ id: "city", label: "City", value: "Berlin" }, { id: "floor", label: "Floor", value: "3" }, { id: "size", label: "Size", value: "M" }];
  assert.deepEqual(await reply(id), { $schema: "https://aitp.dev/v1/data/schema.json", data: { request_data_id: "d1", fields: values } });
});

test("a thread: the shop asks, a person answers in the browser, the shop reads it; then a price and its outcome", async () => {
  const { secret } = await server.api("POST", "/v1/tokens", { name: "shop-agent", role: "agent", projects: [] });
  const shop = (method, path, body) => server.api(method, `/aitp/v1${path}`, body, secret);
  const both = [SCHEMA, "https://aitp.dev/v1/payments/schema.json"];
  const actors = JSON.stringify([{ id: "shop", capabilities: both }, { id: "buyer", capabilities: both.map(($schema) => ({ $schema })) }]);
  const thread = await shop("POST", "/threads", { messages: ["Hello, this is the shop."], metadata: { actors } });
  const say = async (message) => {
    const content = [{ type: "text", text: { value: JSON.stringify(message), annotations: [] } }];
    return (await shop("POST", `/threads/${thread.id}/messages`, { role: "user", content, metadata: { actor: "shop" } })).metadata.decisions[0];
  };
  const last = async () => (await shop("GET", `/threads/${thread.id}/messages?order=desc&limit=1`)).data[0];

  const payment_plans = [{ amount: 199.5, currency: "USD", plan_id: "once", plan_type: "one-time" }];
  const quote = (quote_id, valid_until) => ({ type: "Quote", payee_id: "shop.near", quote_id, payment_plans, valid_until });
  const options = [
    { id: "tour", name: "Tour One", quote: quote("q-1", "2050-01-01T00:00:00Z") },
    { id: "old", name: "Old One", quote: quote("q-0", "2020-01-01T00:00:00Z") },
  ];
  const offer = await say(asks({ id: "offer-1", title: "Headphones", type: "products", options }));
  await page.goto(`/d/${offer}`);
  const old = page.locator(".product.expired");
  await old.getByText("Price expired: can be picked, not bought").waitFor();
  assert.equal(await old.getByLabel("Quantity").count(), 0);
  await page.getByRole("checkbox", { name: "Tour One" }).check();
  await old.getByRole("checkbox").check();
  await send();
  await server.settled(offer);
  const answered = await last();
  const chosen = [{ id: "tour", name: "Tour One", quantity: 1 }, { id: "old", name: "Old One" }];
  assert.deepEqual(JSON.parse(answered.content[0]), decided("offer-1", chosen));
  assert.match(answered.content[1], /chosen and not bought: old/);
  await page.goto(`/d/${offer}`);
  await page.getByText("Old One (chosen, not bought: the quote had expired)").waitFor();

  const price = await say({ $schema: both[1], quote: quote("q-1", "2050-01-01T00:00:00Z") });
  // A report of payment before any consent is shown, and marked.
  const paid = (value) => ({ $schema: both[1], payment_result: { quote_id: "q-1", result: "success", timestamp: "2026-01-01T00:00:00Z", details: [{ label: "Order", value }] } });
  await say(paid("A-0"));
  assert.match((await last()).content[0], /Nobody here has approved "q-1"/);
  await assert.rejects(shop("POST", `/threads/${thread.id}/messages`, { content: "I agree", metadata: { actor: "buyer" } }), /cannot speak as/);
  await page.goto(`/d/${price}`);
  await page.getByText("Done without approval.").waitFor();
  await page.getByText('Reported by shop-agent, as "shop"').waitFor();
  // A yes takes the end of what it is about on the screen.
  await readToTheEnd(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await server.settled(price);
  assert.equal((await last()).content[0], "Approved.");
  await say(paid("A-77"));
  await page.goto(`/d/${price}`);
  await page.getByRole("heading", { name: "Payment: success" }).last().waitFor();
  await page.getByText("A-77").waitFor();
  await page.getByText("Nobody here has checked it").last().waitFor();

  await page.getByRole("link", { name: `thread:${thread.id}` }).click();
  await page.getByText("Hello, this is the shop.").waitFor();
  await page.getByText("Names a price").waitFor();
  await page.getByRole("link", { name: "Headphones" }).first().waitFor();
});
