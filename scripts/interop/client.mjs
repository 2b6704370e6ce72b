// The published TypeScript client against the real binary, on standard streams and over HTTP.
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { HOLD, HOLD_URL, ...rest } = process.env;
const which = { prompt: "Which?", options: ["a:First", "b:Second"] };

const hold = (words, url) =>
  execFileSync(HOLD, words, { env: url ? { ...rest, HOLD_URL: url } : rest, encoding: "utf8" });

async function asks(name, transport, url) {
  const client = new Client({ name: "interop", version: "1.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 6);
  let waiting;
  const onprogress = ({ message }) => {
    if (waiting) return;
    waiting = message.split("decision ")[1].split(" ")[0];
    hold(["answer", waiting, "b"], url);
  };
  const result = await client.callTool({ name: "ask", arguments: which }, undefined, { onprogress });
  assert.deepEqual(result.structuredContent.values, { choice: "b" });
  await assert.rejects(client.callTool({ name: "sudo", arguments: {} }), /there is no tool/);
  const { structuredContent } = await client.callTool({ name: "ask", arguments: { ...which, wait: "0s" } });
  const { resources } = await client.listResources();
  assert.equal(resources[0].uri, `hold://decisions/${structuredContent.decision_id}`);
  hold(["answer", structuredContent.decision_id, "a"], url);
  const waited = await client.callTool({ name: "wait", arguments: { id: structuredContent.decision_id } });
  assert.equal(waited.structuredContent.accepted, true);
  // As a task of 2025-11-25: made at once, settled elsewhere, its result held for.
  let task;
  for await (const message of client.experimental.tasks.callToolStream({ name: "ask", arguments: which }, undefined, { task: { ttl: 60_000 } })) {
    if (message.type === "taskCreated") {
      task = message.task;
      hold(["answer", task.taskId, "a"], url);
    }
    assert.notEqual(message.type, "error", message.error?.message);
    if (message.type === "result") assert.deepEqual(message.result.structuredContent.values, { choice: "a" });
  }
  assert.equal((await client.experimental.tasks.getTask(task.taskId)).status, "completed");
  await client.close();
  console.log(`typescript: ${name}`);
}

/** The person at the client is asked there, by a request of the server's own. */
async function elicits() {
  const client = new Client({ name: "interop", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    assert.equal(params.requestedSchema.properties.choice.oneOf[1].title, "Second");
    return { action: "accept", content: { choice: "b" } };
  });
  await client.connect(new StdioClientTransport({ command: HOLD, args: ["mcp", "--in-client"], env: rest }));
  const result = await client.callTool({ name: "ask", arguments: which });
  assert.deepEqual(result.structuredContent.values, { choice: "b" });
  await client.close();
  console.log("typescript: asks the person at the client");
}

await asks("stdio", new StdioClientTransport({ command: HOLD, args: ["mcp"], env: rest }));
await asks("HTTP", new StreamableHTTPClientTransport(new URL(`${HOLD_URL}/mcp`)), HOLD_URL);
await elicits();
