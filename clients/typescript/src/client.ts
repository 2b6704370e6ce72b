/** The client: everything that can be done with decisions on a server, and the way to runs. */

import type { Auth, Decision, Source, Status, Values } from "./decision.js";
import { find } from "./discovery.js";
import { milliseconds, type Duration } from "./duration.js";
import { followLog, readLog, type Event } from "./event.js";
import { isPending, requireAnswer } from "./outcome.js";
import { Problem } from "./problem.js";
import { newDecision, type Question, type Revision } from "./question.js";
import { Runs } from "./runs.js";
import { randomKey, say, variable } from "./runtime.js";
import { now, segment, sleep, Transport, type CallOptions, type Request } from "./transport.js";
import { fieldsOf, into, type Schema } from "./schema.js";
import { Views, type View } from "./views.js";
import { Removed } from "./withheld.js";

/** How a client is made; all of it can be left out. */
export interface ClientOptions {
  /** The server's address; `HOLD_URL`, else the server on this machine. */
  readonly url?: string | undefined;
  /** The token; `HOLD_TOKEN`, or the local token if the server is the one on this machine. */
  readonly token?: string | undefined;
  /** Where questions belong; `HOLD_PROJECT`. */
  readonly project?: string | undefined;
  /** How long a server that cannot be reached is tried; 10 seconds. */
  readonly patience?: Duration | undefined;
  /** Where `ask` says what it waits for; standard error, or the console. */
  readonly log?: ((line: string) => void) | undefined;
  /** What sends requests, if not the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** How to ask. */
export interface AskOptions extends CallOptions {
  /** How long to wait; as long as it takes if not given. */
  readonly wait?: Duration | undefined;
  /** The options that count as a go-ahead; every one that is no refusal if not given. */
  readonly expect?: readonly string[] | undefined;
  /** Called with the next round when guidance came; what it returns is changed there, then that round is waited for. */
  readonly onGuidance?: ((next: Decision) => Revision | undefined | void | Promise<Revision | undefined | void>) | undefined;
  /** Asks only once under this key. */
  readonly key?: string | undefined;
}

/** Which decisions to list; the pending ones if no status is given. */
export interface ListQuery {
  readonly status?: Status | readonly Status[] | "all" | undefined;
  readonly project?: string | undefined;
  readonly owner?: string | undefined;
  readonly source?: Source | undefined;
  readonly requested_by?: string | undefined;
  /** What to look for in them: words, and filters such as `project=web`. */
  readonly q?: string | undefined;
  /** A saved view, which stands for `q` and `status`. */
  readonly view?: View | undefined;
  readonly newestFirst?: boolean | undefined;
  /** How many are fetched at a time. */
  readonly page?: number | undefined;
}

/** An answer: the option of the only field that takes one, several, values by field id, or an out. */
export interface AnswerInput {
  readonly choice?: unknown;
  readonly choices?: readonly unknown[] | undefined;
  readonly values?: Values | undefined;
  readonly out?: string | undefined;
  readonly message?: string | undefined;
  /** The digest of what was shown; that of the decision if one is given instead of an id. */
  readonly digest?: string | undefined;
  readonly by?: string | undefined;
  /** Whether the whole subject was on the answerer's screen; `false` if they consent unread. */
  readonly seen?: boolean | undefined;
  /** Ids of others that were shown as the same ask; each is answered too, if it still is. */
  readonly same?: readonly string[] | undefined;
}

/** What became of one of several answers. */
export interface Answered {
  readonly id: string;
  /** How the decision stands now; absent if it was not answered. */
  readonly status?: Decision["status"];
  /** Why it was not answered; absent if it was. */
  readonly refused?: { readonly code: string; readonly detail: string };
}

/** Which events to read. */
export interface EventQuery extends CallOptions {
  /** After which sequence number; from now on if not given. */
  readonly after?: number | undefined;
  readonly decision?: string | Decision | undefined;
  readonly project?: string | undefined;
  /** Whether to go on as the log grows; true if not given. */
  readonly follow?: boolean | undefined;
}

/** How many milliseconds one request holds: fewer than what proxies cut off. */
const HOLD = 50_000;

/** A client of one server. */
export class Client {
  readonly #transport: Transport;
  readonly #project: string | undefined;
  readonly #log: (line: string) => void;
  /** Attempts at a task on a repository, and the verdict that ends each. */
  readonly runs: Runs;
  /** Searches that the person this acts for gave names to. */
  readonly views: Views;

  constructor(options: ClientOptions = {}) {
    const fetch = options.fetch ?? ((...given: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...given));
    this.#transport = new Transport(() => find(options.url, options.token), milliseconds(options.patience ?? "10s"), fetch);
    this.#project = options.project ?? variable("HOLD_PROJECT");
    this.#log = options.log ?? say;
    this.runs = new Runs(this.#transport, this.#project);
    this.views = new Views(this.#transport);
  }

  /** Returns the address of a decision for people. */
  async link(decision: string | Decision): Promise<string> {
    return `${(await this.#transport.place).base}/d/${segment(idOf(decision))}`;
  }

  /**
   * Asks, without waiting. Under a key that was used before, returns what was asked the first time.
   * Without a key one is made up, so that a request whose answer got lost can be sent again.
   */
  async create(question: string | Question, options: CallOptions & { readonly key?: string | undefined } = {}): Promise<Decision> {
    only(options, ["key", "signal"]);
    const headers = await keyed(options.key);
    const body = newDecision(typeof question === "string" ? { prompt: question } : question, this.#project);
    return this.#decision({ method: "POST", path: "/v1/decisions", body, headers, signal: options.signal });
  }

  /** Returns the decision that an id or a unique start of one names. */
  async get(decision: string | Decision, options: CallOptions = {}): Promise<Decision> {
    return this.#decision({ method: "GET", path: pathOf(decision), signal: options.signal });
  }

  /** Yields decisions, oldest first, page by page as they are needed. */
  async *list(query: ListQuery = {}, options: CallOptions = {}): AsyncGenerator<Decision, void, undefined> {
    const { status, q, view, newestFirst, page = 100, ...rest } = query;
    if (view !== undefined && (q ?? status) !== undefined) throw new TypeError("a view says what to look for; leave out q and status");
    const order = newestFirst === true ? "newest_first" : undefined;
    const statuses = view?.status ?? (typeof status === "object" ? status.join(",") : status);
    const words = (view?.q ?? q) || undefined;
    let cursor: string | undefined;
    do {
      const request = { ...rest, status: statuses, q: words, order, limit: page, cursor };
      const listed = await this.#transport.call({ method: "GET", path: "/v1/decisions", query: request, signal: options.signal });
      const { items, next } = listed as { items: Decision[]; next: string | null };
      yield* items;
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }

  /**
   * Holds until the decision is settled or the time is up, through reconnects and restarts of the server.
   *
   * Returns it as it stands then, in whatever status: ask `isApproved` or call `requireAnswer` before going on.
   * Without `timeout` it holds for as long as it takes, also while the server cannot be reached.
   */
  async wait(decision: string | Decision, options: CallOptions & { readonly timeout?: Duration | undefined } = {}): Promise<Decision> {
    const giveUp = options.timeout === undefined ? Infinity : now() + milliseconds(options.timeout);
    return this.#wait(decision, giveUp, options.signal);
  }

  /**
   * Asks and holds, through reconnects and restarts. Resolves only if someone answered, and not with a no.
   *
   * Everything else is a `Withheld`: `Refused`, `Refined`, `TimedOut`, `Cancelled`, `Superseded`, `Removed`, and
   * `StillPending` once `wait` is over.
   */
  ask(question: string | Question, options?: AskOptions): Promise<Decision>;
  /** Asks with the form that a schema makes, and returns what was answered as the schema's output. */
  ask<Output>(question: string | Question, options: AskOptions & { readonly result: Schema<Output> }): Promise<Output>;
  async ask(question: string | Question, options: AskOptions & { readonly result?: Schema } = {}): Promise<unknown> {
    only(options, ["expect", "key", "onGuidance", "result", "signal", "wait"]);
    const { result } = options;
    if (result === undefined) return this.#ask(question, options);
    const asked = typeof question === "string" ? { prompt: question } : question;
    for (const given of ["fields", "kind", "options"] as const) {
      if (asked[given] !== undefined) throw new TypeError(`the form is made from the schema; leave out ${given}`);
    }
    return into(await this.#ask({ ...asked, fields: fieldsOf(result) }, options), result);
  }

  async #ask(question: string | Question, options: AskOptions): Promise<Decision> {
    const giveUp = options.wait === undefined ? Infinity : now() + milliseconds(options.wait);
    const { signal, onGuidance } = options;
    for (let decision = await this.create(question, { key: options.key, signal: options.signal }); ; ) {
      if (isPending(decision)) await this.#announce(decision);
      const { id } = decision;
      try {
        decision = await this.#wait(decision, giveUp, signal, this.#log);
      } catch (why) {
        if (signal?.aborted) this.#log(`Stopped waiting; ${id} is still pending. Go on with: hold wait ${id}`);
        const gone = why instanceof Problem && (why.code === "removed" || why.code === "not_found");
        throw gone ? new Removed(decision, `${id} has been removed`, { cause: why }) : why;
      }
      if (decision.status !== "refined" || decision.next === null || onGuidance === undefined) {
        return requireAnswer(decision, ...(options.expect ?? []));
      }
      decision = await this.#revised(await this.get(decision.next, { signal }), onGuidance, signal);
    }
  }

  /** Changes what is asked, while it is pending. */
  async revise(decision: string | Decision, revision: Revision, options: CallOptions = {}): Promise<Decision> {
    return this.#decision({ method: "PATCH", path: pathOf(decision), body: revision, signal: options.signal });
  }

  /**
   * Answers. Given a whole decision, its digest is sent, and the answer is refused as stale if the question has changed
   * since that was read. What has a subject is answered so, or with `digest`; with an id alone it is refused.
   */
  async answer(decision: string | Decision, answer: string | AnswerInput, options: CallOptions = {}): Promise<Decision> {
    const given = typeof answer === "string" ? { choice: answer } : answer;
    const body = { digest: digestOf(decision), ...given };
    return this.#decision({ method: "POST", path: pathOf(decision, "answer"), body, signal: options.signal });
  }

  /**
   * Answers up to a hundred decisions, each by itself, and says what became of each: what was settled or changed meanwhile
   * is refused, the rest is answered.
   */
  async answerMany(
    answers: readonly (readonly [decision: string | Decision, answer: string | AnswerInput])[],
    options: CallOptions = {},
  ): Promise<Answered[]> {
    const items = answers.map(([decision, answer]) => ({
      id: idOf(decision),
      answer: { digest: digestOf(decision), ...(typeof answer === "string" ? { choice: answer } : answer) },
    }));
    const reply = await this.#transport.call({ method: "POST", path: "/v1/answers", body: { items }, signal: options.signal });
    return (reply as { items: Answered[] }).items;
  }

  /** Gives guidance instead of an answer. Returns the decision it closed; `next` names the round it opened, if any. */
  async guide(
    decision: string | Decision,
    guidance: string,
    options: CallOptions & Pick<AnswerInput, "digest" | "by"> = {},
  ): Promise<Decision> {
    const body = { guidance, digest: options.digest ?? digestOf(decision), by: options.by };
    try {
      return await this.#decision({ method: "POST", path: pathOf(decision, "answer"), body, signal: options.signal });
    } catch (why) {
      // The first reply may have been lost; then this refusal is of our own second try.
      const settled = why instanceof Problem ? why.decision : null;
      if (settled?.status === "refined" && settled.answer?.message === guidance.trim()) return settled;
      throw why;
    }
  }

  /** Keeps values for the person who finishes the answer. */
  async draft(decision: string | Decision, values: Values, options: CallOptions = {}): Promise<Decision> {
    return this.#decision({ method: "PUT", path: pathOf(decision, "draft"), body: { values }, signal: options.signal });
  }

  /** Takes a question back. */
  async cancel(decision: string | Decision, reason?: string, options: CallOptions = {}): Promise<Decision> {
    return this.#decision({ method: "POST", path: pathOf(decision, "cancel"), body: { reason }, signal: options.signal });
  }

  /** Says that one is on it, for half an hour; others see it and may still answer. Only for people, as are the next three. */
  async take(decision: string | Decision, options: CallOptions & Pick<AnswerInput, "by"> = {}): Promise<Decision> {
    return this.#decision({ method: "PUT", path: pathOf(decision, "take"), body: { by: options.by }, signal: options.signal });
  }

  /** Says that one is not on it any more. */
  async release(decision: string | Decision, options: CallOptions = {}): Promise<Decision> {
    return this.#decision({ method: "DELETE", path: pathOf(decision, "take"), signal: options.signal });
  }

  /**
   * Puts a decision aside until a time, or for a while: it is out of one's own list until then, until it is revised, or until
   * shortly before its deadline.
   */
  async snooze(
    decision: string | Decision,
    until: Date | Duration,
    options: CallOptions & Pick<AnswerInput, "by"> = {},
  ): Promise<Decision> {
    const time = until instanceof Date ? until : new Date(Date.now() + milliseconds(until));
    const body = { until: time.toISOString(), by: options.by };
    return this.#decision({ method: "PUT", path: pathOf(decision, "snooze"), body, signal: options.signal });
  }

  /** Has a decision in one's list again. */
  async wake(decision: string | Decision, options: CallOptions = {}): Promise<Decision> {
    return this.#decision({ method: "DELETE", path: pathOf(decision, "snooze"), signal: options.signal });
  }

  /**
   * Uses an approval of exactly this subject, once; with `seen`, only if the answer says that the whole subject was seen.
   * Rejects with a `Problem` (`not_consumable`) otherwise. Under the key it was used with (kept for seven days), the same
   * call succeeds again: a process that crashed calls it with its old key. Without a key one is made up, so that a request
   * whose answer got lost can be sent again.
   */
  async consume(
    decision: string | Decision,
    subject: unknown,
    options: CallOptions & {
      readonly min?: Auth | undefined;
      readonly seen?: boolean | undefined;
      readonly key?: string | undefined;
    } = {},
  ): Promise<Decision> {
    const body = { subject, min: options.min, seen: options.seen };
    const headers = await keyed(options.key);
    return this.#decision({ method: "POST", path: pathOf(decision, "consume"), body, headers, signal: options.signal });
  }

  /** Yields events and goes on as they happen, through reconnects and restarts, each once. */
  events(query: EventQuery = {}): AsyncGenerator<Event, void, undefined> {
    const { after, decision, project, follow = true, signal } = query;
    const selection = { decision: decision === undefined ? undefined : idOf(decision), project };
    if (follow) return followLog(this.#transport, after, selection, signal);
    return readLog(this.#transport, after ?? 0, selection, signal);
  }

  async #wait(
    decision: string | Decision,
    giveUp: number,
    signal: AbortSignal | undefined,
    log?: (line: string) => void,
  ): Promise<Decision> {
    const path = pathOf(decision, "wait");
    const lost = log && ((why: string) => log(`${why}; trying again until it is back`));
    for (;;) {
      const began = now();
      const hold = Math.round(Math.max(0, Math.min(HOLD, giveUp - began)));
      // With a bound, a server that says nothing at all is not waited for much longer than that.
      const limit = hold + (giveUp === Infinity ? 10_000 : 2000);
      const request: Request = { method: "GET", path, query: { timeout: `${hold}ms` }, limit, signal };
      const current = await this.#decision(request, { giveUp: Math.max(giveUp, began + 1000), lost });
      if (!isPending(current) || now() >= giveUp) return current;
      // The server ends held requests when it is told to stop.
      if (now() - began < hold / 2) await sleep(100, signal);
    }
  }

  async #announce(decision: Decision): Promise<void> {
    const until = decision.deadline === null ? "" : ` until ${decision.deadline}, then: ${decision.on_timeout}`;
    this.#log(
      `Holding on ${decision.id}${until}\n` +
        `  answer it at ${await this.link(decision)}\n` +
        `  Ctrl-C stops waiting and leaves it pending; to take it back: hold cancel ${decision.id}`,
    );
  }

  async #revised(next: Decision, onGuidance: NonNullable<AskOptions["onGuidance"]>, signal: AbortSignal | undefined): Promise<Decision> {
    const revision = await onGuidance(next);
    if (!revision) return next;
    try {
      return await this.revise(next, revision, { signal });
    } catch (why) {
      // Someone was quicker and answered the round as it stood.
      if (why instanceof Problem && why.code === "already_settled") return next;
      throw why;
    }
  }

  async #decision(request: Request, persistence?: Parameters<Transport["call"]>[1]): Promise<Decision> {
    return (await this.#transport.call(request, persistence)) as Decision;
  }
}

function idOf(decision: string | Decision): string {
  return typeof decision === "string" ? decision : decision.id;
}

function pathOf(decision: string | Decision, verb?: string): string {
  return `/v1/decisions/${segment(idOf(decision))}${verb === undefined ? "" : `/${verb}`}`;
}

function digestOf(decision: string | Decision): string | undefined {
  return typeof decision === "string" ? undefined : decision.digest;
}

/** Returns the header that makes a request repeatable. */
/** Refuses what belongs into the question: dropped, it would ask something else. */
function only(options: object, known: readonly string[]): void {
  const other = Object.keys(options).find((name) => !known.includes(name));
  if (other !== undefined) throw new TypeError(`${other} is no option of this call; what is asked goes first: ask({ prompt, ${other} })`);
}

async function keyed(given: string | undefined): Promise<{ "idempotency-key": string }> {
  const key = given ?? (await randomKey());
  if (!/^[\x20-\x7e]+$/.test(key)) throw new TypeError("a key must be plain ASCII text");
  return { "idempotency-key": key };
}
