// Several people decide: the card shows the progress, each votes once, and the last vote settles.
import { test } from "node:test";
import assert from "node:assert/strict";
import { enter, PASSWORD, staged } from "../stage.js";

let server, browser;
staged((one, other) => { [server, browser] = [one, other]; });

test("a card shows the votes, and the second person's settles it", async () => {
  await server.person("ben");
  await server.api("PATCH", "/v1/groups/release", { add: ["ana", "ben"] });
  await server.api("POST", "/v1/policies", { when: { source: "approval" }, needs: { approvals: 2, from: ["group:release"] } });
  const { secret } = await server.api("POST", "/v1/tokens", { name: "ci", role: "agent", owner: "ana" });
  const asked = await server.api("POST", "/v1/decisions", { title: "Deploy?", subject: { command: "make deploy" },
    fields: [{ id: "go", kind: "confirm", label: "Deploy?", options: [{ id: "yes", label: "Yes" }, { id: "no", label: "No", refuses: true }] }] }, secret);
  const ana = await enter(browser, server, "ana");
  await ana.goto(`/d/${asked.id}`);
  await ana.getByText("Votes: 0 of 2; still needed: group:release.").waitFor();
  await ana.getByRole("button", { name: "Yes" }).click();
  await ana.getByText("Your vote is in: 1 of 2: ana; still needed: group:release").waitFor();
  assert.equal((await server.get(asked.id)).status, "pending");
  await ana.goto(`/d/${asked.id}`);
  await ana.getByText("You voted: Yes.").waitFor();

  const ben = await enter(browser, server, "ben");
  await ben.goto("/");
  await ben.locator("#list .votes", { hasText: /^1\/2 votes$/ }).waitFor();
  await ben.goto(`/d/${asked.id}`);
  await ben.getByRole("button", { name: "Yes" }).click();
  await ben.getByText(/Answered: /).waitFor();
  const settled = await server.get(asked.id);
  assert.deepEqual([settled.status, settled.votes.map((vote) => vote.by)], ["answered", ["ana", "ben"]]);
  await ben.goto(`/d/${asked.id}`);
  await ben.getByText("Votes: 2 of 2: ana, ben.").waitFor();
  assert.equal(await ben.locator(".timeline li", { hasText: "Voted" }).count(), 2);
  await ana.context().close();
  await ben.context().close();
});

test("what one person typed is not there for the next in the same browser", async () => {
  await server.person("cy");
  const { id } = await server.ask({ title: "Which name?", fields: [{ id: "name", kind: "text", label: "A name" }] });
  const page = await enter(browser, server, "ana");
  const type = async () => {
    await page.goto(`/d/${id}`);
    return page.getByLabel("Message");
  };
  const signIn = async (name) => {
    await page.getByLabel("Menu").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto("/sign-in");
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  };
  await (await type()).fill("a secret of ana's");
  await signIn("cy");
  assert.equal(await (await type()).inputValue(), "");
  await signIn("ana");
  assert.equal(await (await type()).inputValue(), "a secret of ana's");
  await page.context().close();
});
