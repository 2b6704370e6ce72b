// Agent text is hostile: it is shown, inert and bounded, and cannot pass for the interface.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, staged } from "../stage.js";

let server, browser, page;
const alarms = [];
staged(async (one, other) => {
  [server, browser] = [one, other];
  page = await enter(browser, server, "ana");
  page.on("dialog", (dialog) => { alarms.push(dialog.message()); dialog.dismiss(); });
  page.on("console", (message) => { if (/Content Security Policy/.test(message.text())) alarms.push(message.text()); });
  page.on("request", (request) => { if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) alarms.push(request.url()); });
});

const choice = { id: "choice", kind: "choice", label: "Which?", options: [{ id: "a", label: "First" }, { id: "b", label: "Second" }] };
const attacks = {
  "script and HTML": '<script>alert(1)</script><img src=x onerror=alert(2)><iframe src="https://evil.example"></iframe><svg onload=alert(3)><style>body{display:none}</style>',
  "links that act": "[a](javascript:alert(1)) [b](data:text/html,<script>alert(1)</script>) [c](vbscript:x) <javascript:alert(1)> [d](  JAVAscript:alert(1)) [e](//evil.example)",
  "pictures": "![track](https://evil.example/pixel.png) ![x](http://evil.example/y)",
  "a fake form": '<form action="https://evil.example"><button name="v:choice" value="a">Send answer</button></form>\n\n- [x] Approve\n\n<button autofocus>Approve</button>',
  "headings and rules": "# Inbox\n\n## Answered by ana\n\n---\n\n| Approve | Deny |\n|---|---|\n| **[Approve](https://evil.example)** | x |",
  "bidi and zero width": "safe\u202Eevil\u202C \u200Bhid\u200Bden\u2066x\u2069",
  "a huge word": "W".repeat(200000),
  "a megabyte": "word ".repeat(200000),
  "terminal escapes": "\u001b]0;title\u0007\u001b[31mred\u001b[0m\u0000",
  "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &#x202E; &#60;b&#62;",
};

for (const [name, prompt] of Object.entries(attacks)) {
  test(name, async () => {
    const { id } = await server.ask({ title: `Attack: ${name} <b>${prompt.slice(0, 200)}`, prompt, requested_by: "<i>agent</i>", fields: [{ ...choice, description: prompt.slice(0, 2000) }] });
    for (const width of [1200, 320]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of ["/", `/d/${id}`]) {
        await page.goto(path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wide <= 1, `${path} is ${wide}px too wide at ${width}px`);
      }
    }
    const found = await page.evaluate(() => {
      // A heading in agent text is a paragraph of one of three classes, and nothing else.
      const prose = [...document.querySelectorAll(".prose")];
      const bad = "script, iframe, style, svg, img, form, button, input, select, object, embed, h1, h2, h3, [onclick], [onerror], [style], [autofocus], [id], [class]:not(p[class=h1], p[class=h2], p[class=h3])";
      return {
        bad: prose.flatMap((one) => [...one.querySelectorAll(bad)].map((node) => node.outerHTML.slice(0, 100))),
        links: prose.flatMap((one) => [...one.querySelectorAll("a")].map((link) => [link.protocol, link.rel, link.nextSibling?.textContent ?? ""])),
        text: document.body.innerText,
      };
    });
    assert.deepEqual(found.bad, []);
    for (const [protocol, rel, after] of found.links) {
      assert.match(protocol, /^https?:$/);
      assert.match(rel, /noopener.*nofollow/);
      assert.match(after, /^ \((http:\/\/)?evil\.example/);
    }
    assert.doesNotMatch(found.text, /[\u202A-\u202E\u2066-\u2069\u200B\u001B]/);
    assert.deepEqual(alarms, []);
    await page.getByLabel("First").check();
    await page.getByRole("button", { name: "Send answer" }).click();
    await server.settled(id);
  });
}

test("a title of 20,000 characters is bounded, and there in full", async () => {
  const { id } = await server.ask({ title: `Long ${"title ".repeat(3332)}`, fields: [choice] });
  await page.goto("/");
  assert.ok((await page.locator(".row").first().boundingBox()).height < 250);
  await page.goto(`/d/${id}`);
  assert.ok((await page.locator("h1").boundingBox()).height < 600);
  assert.ok((await page.locator("#card .pre").first().innerText()).length > 19000);
});

test("a megabyte is there, and the form is near", async () => {
  const { id } = await server.ask({ title: "Long", prompt: `${"line of words\n\n".repeat(69000)}the end`, fields: [choice] });
  await page.goto(`/d/${id}`);
  assert.ok((await page.locator("#answer .option").first().boundingBox()).y < 4000, "the form is near");
  const whole = page.getByLabel("The whole text");
  assert.ok(await whole.isVisible());
  assert.match(await whole.textContent(), /the end$/);
});

test("hostile labels, ids and options", async () => {
  const options = [{ id: "<x>\"'&", label: "<script>alert(1)</script>", description: "<b onclick=alert(1)>x</b>", url: "javascript:alert(1)", image_url: "javascript:alert(1)" }, { id: "b", label: "\u202Eevil" }];
  const { id } = await server.ask({ title: "Labels", fields: [{ id: "f\"><script>", kind: "choice", label: "</legend><script>alert(1)</script>", options }], outs: [{ id: "o<", label: "<img src=x>" }] });
  await page.goto(`/d/${id}`);
  assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
  await page.locator("input[type=radio]").first().check();
  await page.getByRole("button", { name: "Send answer" }).click();
  assert.deepEqual((await server.settled(id)).answer.values, { "f\"><script>": "<x>\"'&" });
  assert.deepEqual(alarms, []);
});
