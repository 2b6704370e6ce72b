// `hold acp` between an editor and an agent that are both made with the official SDK: this program is the editor, and with
// `agent` as its argument the agent. HOLD names the program, HOLD_HOME its data.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import { agent, client, methods, ndJsonStream } from "@agentclientprotocol/sdk";

const stream = (output, input) => ndJsonStream(Writable.toWeb(output), Readable.toWeb(input));
const text = (words) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });

/** An agent that asks whether it may run a command, and repeats whatever it is prompted with. */
function beAgent() {
  agent({ name: "asks" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s-1" }))
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const say = (words) => client.notify(methods.client.session.update, { sessionId: "s-1", update: text(words) });
      const words = params.prompt[0].text;
      await say(`heard: ${words}`);
      if (words === "migrate") {
        const { outcome } = await client.request(methods.client.session.requestPermission, {
          sessionId: "s-1",
          toolCall: { toolCallId: "c-1", title: "Migrate", kind: "execute", rawInput: { command: "make migrate" } },
          options: [
            { optionId: "x1", name: "Go", kind: "allow_once" },
            { optionId: "x2", name: "Stop", kind: "reject_once" },
          ],
        });
        await say(`outcome: ${outcome.optionId ?? outcome.outcome}`);
      }
      return { stopReason: "end_turn" };
    })
    .connect(stream(process.stdout, process.stdin));
}

const hold = (...words) => execFileSync(process.env.HOLD, words, { encoding: "utf8" });
const all = () => JSON.parse(hold("list", "--status", "all", "--json"));

async function pending() {
  for (;;) {
    const [found] = JSON.parse(hold("list", "--json"));
    if (found) return found;
    await new Promise((later) => setTimeout(later, 50));
  }
}

async function beEditor() {
  const child = spawn(process.env.HOLD, ["acp", "--", process.execPath, fileURLToPath(import.meta.url), "agent"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const heard = [];
  let answers; // what the person at the editor does: given the signal, returns an option or waits until it is called off
  const editor = client({ name: "editor" })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => answers(params, signal))
    .onNotification(methods.client.session.update, ({ params }) => void heard.push(params.update.content.text));
  const waits = (_, signal) => new Promise((_, calledOff) => signal.addEventListener("abort", () => calledOff(signal.reason)));
  await editor.connectWith(stream(child.stdin, child.stdout), async (context) => {
    const request = (method, params) => context.request(method, params);
    await request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
    const prompt = (words) => {
      heard.length = 0;
      return request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: words }] });
    };

    answers = waits;
    let turn = prompt("migrate");
    let asked = await pending();
    hold("answer", asked.id, "approve", "--digest", asked.digest);
    await turn;
    assert.deepEqual(heard, ["heard: migrate", "outcome: x1"]);

    turn = prompt("migrate");
    asked = await pending();
    hold("answer", asked.id, "deny", "-m", "use the copy", "--digest", asked.digest);
    await turn;
    assert.deepEqual(heard.slice(0, 2), ["heard: migrate", "outcome: x2"]);
    assert.match(heard[2], /use the copy/, "the reason came within the turn");

    answers = async () => {
      await pending();
      return { outcome: { outcome: "selected", optionId: "x1" } };
    };
    await prompt("migrate");
    assert.deepEqual(heard, ["heard: migrate", "outcome: x1"]);
    const [last] = all().slice(-1);
    assert.deepEqual([last.status, last.reason], ["cancelled", "answered in the editor"]);
  });
  child.stdin.end();
  const code = await new Promise((ended) => child.on("exit", ended));
  assert.equal(code, 0);
  console.log("acp: answered here, refused here with a reason, answered in the editor");
}

await (process.argv[2] === "agent" ? beAgent() : beEditor());
