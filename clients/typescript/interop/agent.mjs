/** An agent on the AI SDK that is killed while it waits for the approval of a tool call. */

import { generateText, isStepCount, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { inFile, run } from "holdpoint/ai";
import { z } from "zod";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** Calls the tool once, then says what came of it. */
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const last = prompt.at(-1);
    if (last.role === "tool") {
      const said = JSON.stringify(last.content.filter(({ type }) => type === "tool-result").map(({ output }) => output));
      return { content: [{ type: "text", text: `It says: ${said}` }], finishReason: { unified: "stop" }, usage, warnings: [] };
    }
    const call = { type: "tool-call", toolCallId: "call-1", toolName: "deploy", input: '{"target":"production"}' };
    return { content: [call], finishReason: { unified: "tool-calls" }, usage, warnings: [] };
  },
});

const deploy = tool({
  description: "Deploys.",
  inputSchema: z.object({ target: z.string() }),
  execute: async ({ target }) => {
    console.log("deployed", target);
    return "done";
  },
});

const generate = (messages) =>
  generateText({ model, tools: { deploy }, toolApproval: { deploy: "user-approval" }, stopWhen: isStepCount(5), messages });
const result = await run(generate, [{ role: "user", content: "Deploy!" }], { id: "run-7", state: inFile(process.argv[2]) });
console.log(result.text);
