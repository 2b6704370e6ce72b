// A stand-in for the model behind Claude Code: it uses the tools that a script says, one step after the other, and then
// repeats what the last of them came to. Nothing of it leaves this machine.
import { createServer } from "node:http";

/** Serves scripts by the word that a conversation begins with; every step is one use of a tool or several at once. */
export async function model(scripts) {
  const seen = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (!/^\/v1\/messages(\?|$)/.test(request.url)) {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end("{}");
    }
    const asked = JSON.parse(body);
    const blocks = asked.messages.flatMap(({ content }) => (Array.isArray(content) ? content : [{ type: "text", text: content }]));
    const begin = JSON.stringify(asked.messages[0]);
    const word = Object.keys(scripts).find((word) => begin.includes(word));
    const done = blocks.filter(({ type }) => type === "tool_use").length;
    const results = blocks.filter(({ type }) => type === "tool_result");
    let count = 0;
    const step = (scripts[word] ?? []).find((step) => (count += [step].flat().length) > done);
    const uses = asked.tools?.length && step ? [step].flat() : [];
    seen.push({ word, tools: asked.tools?.map(({ name }) => name) ?? [], results, texts: blocks.filter(({ type }) => type === "text").map(({ text }) => text) });
    const content = uses.length
      ? uses.map((use, at) => ({ type: "tool_use", id: `toolu_${word}_${done + at}`, ...use }))
      : [{ type: "text", text: `${word} heard: ${JSON.stringify(results.at(-1)?.content ?? null)}` }];
    answer(response, asked, content);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}`, seen, close: () => server.close() };
}

function answer(response, asked, content) {
  const stop_reason = content[0].type === "tool_use" ? "tool_use" : "end_turn";
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: asked.model, content: [], stop_reason: null, stop_sequence: null, usage };
  if (!asked.stream) {
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ ...message, content, stop_reason }));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type, rest) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
  send("message_start", { message });
  content.forEach((block, index) => {
    const text = block.type === "text";
    send("content_block_start", { index, content_block: text ? { type: "text", text: "" } : { ...block, input: {} } });
    const delta = text ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  });
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  send("message_stop", {});
  response.end();
}
