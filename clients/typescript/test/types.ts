/** What the compiler must take and must refuse. It is never run. */

import { Client, into, requireAnswer, type Schema, requireVerdict, type Decision, type Run, type Status } from "holdpoint";

const client = new Client({ url: "http://127.0.0.1:4653", token: undefined });

export async function taken(signal: AbortSignal | undefined): Promise<Status> {
  const decision: Decision = await client.ask({ prompt: "?", options: ["a", ["b", "B"], { id: "c", refuses: true }] }, { signal });
  for await (const each of client.list({ status: ["pending", "refined"] })) await client.cancel(each);
  for await (const event of client.events({ after: 0, signal })) console.log(event.seq, event["prompt"]);
  await client.ask("?", { onGuidance: (next) => ({ prompt: next.guidance ?? "" }), wait: "5m", expect: ["a"] });
  for (const view of await client.views.list()) for await (const each of client.list({ view })) await client.snooze(each, "2h");
  const run: Run = await client.runs.start({ task: "t", repo: "/r" }, { signal });
  requireVerdict(await client.runs.wait(await client.runs.finish(run, { verdict: "agent", choose: "commit" })), "commit");
  const order: { name: string } = await client.ask("?", { result: schema, key: "k" });
  console.log(order.name, (await into(decision, schema)).name);
  return requireAnswer(decision).status;
}

declare const schema: Schema<{ name: string }>;

export async function refused(): Promise<void> {
  // @ts-expect-error There is no such kind.
  await client.create({ prompt: "?", kind: "maybe" });
  // @ts-expect-error The schema has no such property.
  (await client.ask("?", { result: schema })).colour;
  // @ts-expect-error There is no such key.
  await client.create({ prompt: "?", colour: "red" });
  // @ts-expect-error There is no such status.
  client.list({ status: "open" });
  // @ts-expect-error There is no such verdict.
  await client.runs.finish("x", { choose: "merge" });
  // @ts-expect-error A decision is read, not written.
  (await client.get("x")).status = "answered";
}
