/**
 * The Vercel AI SDK: tool calls that need approval wait for a person, also through a restart of the process.
 * The decision's key is the run's id and the tool call's, so that a process that was killed comes back to the same decision.
 */

import { Client } from "./client.js";
import type { Decision } from "./decision.js";
import { Problem } from "./problem.js";
import type { Question } from "./question.js";
import { keyOf } from "./runtime.js";
import { Cancelled, Refined, Refused, TimedOut, Withheld } from "./withheld.js";

/** A message of the SDK, as far as it is looked at. */
export interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** What `generateText` and an agent's `generate` return, as far as it is looked at. */
export interface Generated {
  readonly responseMessages: readonly Message[];
}

/** Where messages are kept while people are asked. */
export interface State<M> {
  /** Returns what was kept; undefined if nothing was. */
  load(): Promise<readonly M[] | undefined>;
  save(messages: readonly M[]): Promise<void>;
  clear(): Promise<void>;
}

/** How to run. */
export interface RunOptions<M> extends Omit<Question, "prompt" | "title" | "fields" | "kind" | "options" | "subject"> {
  /** Names the run, also after a restart. */
  readonly id: string;
  /** Keeps the messages; without it a process that is killed begins anew. */
  readonly state?: State<M> | undefined;
  readonly client?: Client | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Generates until nothing waits for approval, and asks about every tool call that does. `generate` is given the messages and
 * passes them on to the SDK. Where the state has messages of before, they are gone on with, and `messages` are not used.
 * What is not approved is told to the model, with the reason: a no, guidance, silence until the deadline.
 */
export async function run<M extends Message, R extends Generated>(
  generate: (messages: M[]) => Promise<R>,
  messages: readonly M[],
  { id, state, client = new Client(), signal, ...asking }: RunOptions<M>,
): Promise<R> {
  let history = [...((await state?.load()) ?? messages)];
  for (;;) {
    const waiting = pendingApprovals(history);
    if (waiting.length > 0) {
      // A yes is used up once all are answered: a process that is killed meanwhile finds all of them as they were given.
      await Promise.all(waiting.map((call) => decided(client, id, call, asking, signal)));
      const content = await Promise.all(waiting.map((call) => answered(client, id, call, asking, signal)));
      history.push({ role: "tool", content } as unknown as M);
    }
    const result = await generate(history);
    history = [...history, ...(result.responseMessages as readonly M[])];
    if (pendingApprovals(history).length === 0) {
      await state?.clear();
      return result;
    }
    await state?.save(history);
  }
}

/** A tool call that waits for approval. */
export interface PendingApproval {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** Returns the tool calls in messages that wait for approval. */
export function pendingApprovals(messages: readonly Message[]): PendingApproval[] {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Record<string, unknown>[]) : []));
  const done = new Set(parts.filter(({ type }) => type === "tool-approval-response").map(({ approvalId }) => approvalId));
  const calls = new Map(parts.filter(({ type }) => type === "tool-call").map((part) => [part["toolCallId"], part]));
  return parts.flatMap((part) => {
    const call = calls.get(part["toolCallId"]);
    if (part["type"] !== "tool-approval-request" || done.has(part["approvalId"]) || call === undefined) return [];
    const { toolCallId, toolName, input } = call;
    return [{ approvalId: String(part["approvalId"]), toolCallId: String(toolCallId), toolName: String(toolName), input }];
  });
}

/** Keeps messages in a file of this machine; for Node and what is like it. */
export function inFile<M>(path: string): State<M> {
  const files = () => import("node:fs/promises" as string) as Promise<Files>;
  return {
    async load() {
      try {
        return JSON.parse(await (await files()).readFile(path, "utf8")) as M[];
      } catch (why) {
        if ((why as { code?: string }).code === "ENOENT") return undefined;
        throw why;
      }
    },
    async save(messages) {
      const { rename, writeFile } = await files();
      await writeFile(`${path}.new`, JSON.stringify(messages), { mode: 0o600, flush: true });
      await rename(`${path}.new`, path);
    },
    async clear() {
      await (await files()).rm(path, { force: true });
    },
  };
}

interface Files {
  readFile(path: string, encoding: "utf8"): Promise<string>;
  writeFile(path: string, text: string, options: { mode: number; flush: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** Asks whether a tool may be called, and waits until somebody has decided. */
async function decided(client: Client, run: string, call: PendingApproval, asking: Question, signal: AbortSignal | undefined): Promise<void> {
  const base = `ai-${await keyOf(run, call.toolCallId)}`;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const yes = await client.ask(question(call, asking), { key: numbered(base, attempt), signal });
      if (yes.consumed_at === null) return;
    }
  } catch (no) {
    if (!(no instanceof Withheld)) throw no;
  }
}

function question({ toolName, input }: PendingApproval, asking: Question): Question {
  return { title: `Call ${toolName}?`, ...asking, subject: { tool: toolName, arguments: input } };
}

function numbered(key: string, attempt: number): string {
  return attempt === 1 ? key : `${key}-${attempt}`;
}

/** Asks whether a tool may be called, uses the yes up for exactly this call, and returns the response for the SDK. */
async function answered(
  client: Client,
  run: string,
  call: PendingApproval,
  asking: Question,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  const { approvalId, toolCallId, toolName, input } = call;
  const base = `ai-${await keyOf(run, toolCallId)}`;
  const subject = { tool: toolName, arguments: input };
  const response = (approved: boolean, reason?: string | null) => ({
    type: "tool-approval-response",
    approvalId,
    approved,
    ...(reason ? { reason } : {}),
  });
  try {
    // A yes that was used already, by a process that was killed after it or by another call of the same id, is no yes to this.
    for (let attempt = 1; ; attempt += 1) {
      const yes = await client.ask(question(call, asking), { key: numbered(base, attempt), signal });
      if (yes.consumed_at === null && (await usedUp(client, yes, subject, signal))) return response(true, yes.answer?.message);
    }
  } catch (no) {
    if (no instanceof Refused) return response(false, no.decision.answer?.message);
    if (no instanceof TimedOut) return response(false, "Nobody answered in time, so this was not approved.");
    if (no instanceof Cancelled) return response(false, no.decision.reason ?? "The question was taken back, so this was not approved.");
    if (!(no instanceof Refined)) throw no;
    await takeBack(client, no.next);
    return response(false, no.guidance);
  }
}

/** Uses a yes up; false if somebody else did. */
async function usedUp(client: Client, yes: Decision, subject: unknown, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await client.consume(yes, subject, { signal });
    return true;
  } catch (why) {
    if (!(why instanceof Problem) || why.status !== 409 || (await client.get(yes, { signal })).consumed_at === null) throw why;
    return false;
  }
}

/** Takes back the round that guidance opened: the guidance goes to the model, which asks anew if it tries again. */
async function takeBack(client: Client, next: string | null): Promise<void> {
  if (next === null) return;
  try {
    await client.cancel(next, "the guidance was passed on to the agent");
  } catch (why) {
    if (!(why instanceof Problem) || why.code !== "already_settled") throw why;
  }
}
