// A card is faithful to what was sent: blank lines, hosts, ids; and letters are text, not commands.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, press, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; }, { undo: 1 });

const confirm = { id: "go", kind: "confirm", label: "Run it?", options: [{ id: "yes", label: "Allow" }, { id: "no", label: "Deny", refuses: true }] };
const approval = (subject, more = {}) => ({ title: "Bash", requested_by: "agent", subject, fields: [confirm], ...more });
const edit = { tool: "Edit", input: { file_path: "a.rs", old_string: "a\n\nb\nc\n", new_string: "a\nb\n\nC\n" } };

for (const javaScriptEnabled of [true, false]) {
  test(`removed and added blank lines have a line's height and a sign${javaScriptEnabled ? "" : ", without script"}`, async () => {
    const { id } = await server.ask(approval(edit));
    const page = await enter(browser, server, "ana", { javaScriptEnabled });
    await page.goto(`/d/${id}`);
    const lines = await page.locator("#subject .diff > *").evaluateAll((all) => all.map((one) => [one.tagName, getComputedStyle(one, "::before").content[1], one.getBoundingClientRect().height]));
    assert.deepEqual(lines.map(([tag, sign]) => tag + sign), ["SPAN ", "DEL−", "SPAN ", "DEL−", "INS+", "INS+"]);
    assert.ok(lines.every(([, , height]) => height === lines[0][2] && height > 14), JSON.stringify(lines));
    await page.context().close();
  });
}

test("a host in letters that look like others is drawn as browsers call it", async () => {
  for (const subject of [{ url: "https://\u0430pple.com/login" }, "https://\u0430pple.com/login"]) {
    const { id } = await server.ask(approval(subject));
    const page = await enter(browser, server, "ana");
    await page.goto(`/d/${id}`);
    assert.equal(await page.locator("#subject .address strong").textContent(), "xn--pple-43d.com");
    await page.getByText("The host xn--pple-43d.com mixes alphabets.").waitFor();
    await page.getByText("Sent as https://\u0430pple.com/login").waitFor();
    await page.goto("/");
    await page.locator("#list .what", { hasText: "xn--pple-43d.com" }).first().waitFor();
    await page.context().close();
    await server.clear();
  }
});

test("a decision is known by what would be done, wherever it is named", async () => {
  await server.clear();
  const { id } = await server.ask(approval({ tool: "Bash", input: { command: "make shine" } }));
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${id}`);
  assert.match(await page.title(), /make shine/);
  await page.goto("/");
  await page.getByLabel("Mark: make shine").waitFor();
  await page.goto(`/d/${id}`);
  await press(page, "2");
  await press(page, "Enter");
  await page.locator("#tray", { hasText: "make shine" }).waitFor();
  await server.settled(id);
  await page.goto("/history");
  await page.locator(".rows .what", { hasText: "make shine" }).waitFor();
  await page.goto("/agents/agent").catch(() => null);
  await page.context().close();
});

test("the name of a view is typed where it is unfolded", async () => {
  await server.clear();
  await server.ask(approval({ command: "make gtz" }));
  const page = await enter(browser, server, "ana");
  await page.goto("/?q=gtz");
  await page.getByText("Save view").click();
  await page.waitForFunction(() => document.activeElement.name === "name");
  await page.keyboard.type("gtz 12");
  assert.equal(await page.locator("#save-view [name=name]").inputValue(), "gtz 12");
  await page.context().close();
});

test("where the only question is a text, typing types; Esc leaves it", async () => {
  await server.clear();
  const ask = (title) => server.ask({ title, fields: [{ id: "t", kind: "text", label: title }] });
  const [{ id }, other] = [await ask("What name?"), await ask("Which port?")];
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${id}`);
  await page.locator("html[data-keys=answer]").waitFor();
  await page.keyboard.type("just go 7z");
  const box = page.locator("#fields input, #fields textarea").first();
  assert.equal(await box.inputValue(), "just go 7z");
  await page.keyboard.press("Escape");
  await press(page, "j");
  await page.waitForURL(`**/d/${other.id}*`);
  // While moving from card to card by keys, j and k still move; any other letter starts the text.
  await press(page, "k");
  await page.waitForURL(`**/d/${id}*`);
  await press(page, "j");
  await page.waitForURL(`**/d/${other.id}*`);
  await page.locator("html[data-keys=answer]").waitFor();
  await page.keyboard.type("tzu");
  assert.equal(await box.inputValue(), "tzu");
  await page.context().close();
});

test("a section keeps its name when its first row is answered", async () => {
  await server.clear();
  const [one] = [await server.ask(approval({ command: "make a" }, { priority: "urgent" })), await server.ask(approval({ command: "make b" }, { priority: "urgent" })), await server.ask(approval({ command: "make c" }))];
  const page = await enter(browser, server, "ana");
  await page.locator("#list li").nth(2).waitFor();
  const heads = () => page.locator("#list li").evaluateAll((all) => all.map((row) => [row.dataset.section ?? "", row.dataset.count ?? ""].join(" ").trim()));
  assert.deepEqual(await heads(), ["Urgent 2", "", "Waiting 1"]);
  await server.api("POST", `/v1/decisions/${one.id}/answer`, { choice: "no", digest: (await server.get(one.id)).digest });
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 2);
  assert.deepEqual(await heads(), ["Urgent 1", "Waiting 1"]);
  await page.context().close();
});

test("the newest answers are seen in the chart of a phone", async () => {
  const page = await enter(browser, server, "ana", { viewport: { width: 390, height: 800 } });
  await page.goto("/insights");
  const right = await page.locator(".days-chart rect").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height > 1).map((one) => one.getBoundingClientRect().right));
  assert.ok(right.length > 0 && right.every((edge) => edge <= 390), JSON.stringify(right));
  await page.context().close();
});

test("what is said of a key that came too early covers nothing that answers", async () => {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await server.clear();
    const { id } = await server.ask(approval({ command: "make early" }));
    const page = await enter(browser, server, "ana", { viewport });
    // Delays the card's appearance, so that the key is too early on any machine.
    await page.addInitScript(() => { const real = requestAnimationFrame; window.requestAnimationFrame = (act) => real(() => setTimeout(() => act(performance.now()), 1000)); });
    await page.goto(`/d/${id}`);
    await page.keyboard.press("1");
    await page.locator("#ignored").filter({ visible: true }).waitFor();
    const covered = await page.evaluate(() => {
      const over = document.querySelector("#ignored").getBoundingClientRect();
      const meets = (at) => at.width && at.left < over.right && at.right > over.left && at.top < over.bottom && at.bottom > over.top;
      return [...document.querySelectorAll("#answer button, #answer input, #answer textarea")].filter((one) => meets(one.getBoundingClientRect())).map((one) => one.outerHTML);
    });
    assert.deepEqual(covered, []);
    await page.context().close();
  }
});

test("the bar offers the options of the only question, and none of one among several", async () => {
  await server.clear();
  const sure = { id: "sure", kind: "boolean", label: "Sure?" };
  const long = Array.from({ length: 12 }, (_, at) => ({ id: `t${at}`, kind: "multiline", label: `Text ${at}`, required: at < 2 }));
  const page = await enter(browser, server, "ana");
  for (const [fields, count] of [[[...long, sure], 0], [[...long.map((field) => ({ ...field, required: false })), sure], 0], [[sure], 1]]) {
    const { id } = await server.ask({ title: "Well?", fields });
    await page.goto(`/d/${id}`);
    await page.locator("html[data-keys=answer]").waitFor();
    assert.equal(await page.locator("#choices").count(), count);
  }
  await page.context().close();
});

test("on a narrow screen the menu is in sight, and the page does not scroll sideways", async () => {
  const page = await enter(browser, server, "ana");
  for (const width of [320, 390, 520, 700, 760, 820, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    const { x, width: wide } = await page.locator(".menu > summary").boundingBox();
    assert.ok(x >= 0 && x + wide <= width, `${width}: ${x} + ${wide}`);
    assert.ok(await page.evaluate(() => document.querySelector(".top").scrollWidth <= document.documentElement.clientWidth), `${width}`);
    await page.locator(".menu > summary").click();
    const out = await page.getByRole("button", { name: "Sign out" }).boundingBox();
    assert.ok(out.x >= 0 && out.x + out.width <= width, `${width}: ${out.x}`);
  }
  await page.context().close();
});

test("the agent's own words stand below the subject, once", async () => {
  await server.clear();
  const named = await server.ask(approval({ command: "kubectl apply -f prod/" }, { source: "approval", title: "Deploy", prompt: "Version 2.4.0" }));
  const described = await server.ask(approval({ tool: "Bash", input: { command: "make", description: "Build it" } }, { source: "approval", prompt: "Build it" }));
  const page = await enter(browser, server, "ana");
  await page.goto(`/d/${named.id}`);
  assert.deepEqual(await page.locator(".agent > *").allInnerTexts(), ["Deploy", "Version 2.4.0"]);
  assert.ok(await page.evaluate(() => document.querySelector("#subject").compareDocumentPosition(document.querySelector(".agent")) & Node.DOCUMENT_POSITION_FOLLOWING));
  // For a screen reader the title is still the page's heading.
  await page.getByRole("heading", { level: 1, name: "Deploy" }).waitFor();
  await page.goto(`/d/${described.id}`);
  await page.locator("#subject .parts", { hasText: "Build it" }).waitFor();
  assert.equal(await page.locator(".agent").count(), 0);
  await page.context().close();
});

test("a row names the file of a change that is too long for lists", async () => {
  await server.clear();
  await server.ask(approval({ tool: "Write", input: { file_path: "/srv/app/rates.json", content: "{}\n".repeat(40000) }, cwd: "/srv/app" }, { title: "Write" }));
  const page = await enter(browser, server, "ana");
  await page.goto("/");
  await page.locator("#list .what", { hasText: "Write rates.json, 40000 lines" }).waitFor();
  await page.context().close();
});

test("where nothing is answered, a row says what was done, without the rest of the call", async () => {
  await server.clear();
  const { id, digest } = await server.ask(approval({ tool: "Bash", input: { command: "make sparkle", description: "" }, cwd: "/srv/app" }));
  await server.api("POST", `/v1/decisions/${id}/answer`, { choice: "no", digest });
  const page = await enter(browser, server, "ana");
  await page.goto("/history");
  assert.equal(await page.locator(".rows .what", { hasText: "make sparkle" }).innerText(), "make sparkle");
  await page.goto(`/d/${id}`);
  await page.getByRole("heading", { name: "Refused" }).waitFor();
  await page.context().close();
});

test("on a phone, a message is one tap away, beside the request for changes", async () => {
  await server.clear();
  const { id } = await server.ask(approval({ command: "make" }, { source: "approval" }));
  const page = await enter(browser, server, "ana", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto(`/d/${id}`);
  await page.locator("html[data-keys=answer]").waitFor();
  const [changes, message] = await Promise.all(["Request changes", "Message"].map((name) => page.locator(".acts-foot").getByRole("button", { name }).boundingBox()));
  assert.equal(changes.y, message.y);
  await page.locator(".acts-foot").getByRole("button", { name: "Message" }).tap();
  await page.waitForFunction(() => document.activeElement.id === "message");
  await page.context().close();
});

test("answered together, each is shown with the folder where it runs", async () => {
  await server.clear();
  const ask = (command, cwd) => server.ask(approval({ tool: "Bash", input: { command }, cwd }));
  await ask("make one", "/srv/first");
  await ask("make two", "/srv/second");
  const page = await enter(browser, server, "ana");
  await page.goto("/");
  for (const what of ["make one", "make two"]) await page.getByLabel(`Mark: ${what}`).check();
  await page.getByRole("button", { name: "Answer together" }).click();
  await page.getByRole("heading", { name: "Answer 2 decisions" }).waitFor();
  assert.deepEqual(await page.locator(".subject .place code").allInnerTexts(), ["Bash", "/srv/first", "Bash", "/srv/second"]);
  await page.context().close();
});
