/** What the compiler must make of the real zod and the real AI SDK. It is never run. */

import { openai } from "@ai-sdk/openai";
import { generateText, isStepCount, tool, ToolLoopAgent, type ModelMessage } from "ai";
import { Client, into, fieldsOf } from "holdpoint";
import { inFile, run } from "holdpoint/ai";
import { z } from "zod";

const deploy = tool({ description: "d", inputSchema: z.object({ target: z.string() }), execute: async ({ target }) => target });
const generate = (messages: ModelMessage[]) =>
  generateText({ model: openai("gpt-5"), tools: { deploy }, toolApproval: { deploy: "user-approval" }, stopWhen: isStepCount(20), messages });
const result = await run(generate, [{ role: "user", content: "Deploy" }], { id: "r", state: inFile("x"), timeout: "3m" });
const text: string = result.text;
const agent = new ToolLoopAgent({ model: openai("gpt-5"), tools: { deploy } });
const r2 = await run((messages: ModelMessage[]) => agent.generate({ messages }), [{ role: "user", content: "x" }], { id: "r" });
const t2: string = r2.text;
const Order = z.object({ name: z.string().max(40), size: z.enum(["s", "m"]).default("m"), needed: z.iso.date().optional() });
const order = await new Client().ask("What?", { result: Order });
const size: "s" | "m" = order.size;
const needed: string | undefined = order.needed;
const d = await new Client().ask("?");
const o2: { name: string } = await into(d, Order);
fieldsOf(Order);
export { text, t2, size, needed, o2 };
