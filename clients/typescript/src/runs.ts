/** Everything that can be done with runs on a server. */

import { milliseconds, type Duration } from "./duration.js";
import { isUnderWay, type Run, type TaskState, type Verdict } from "./run.js";
import { now, segment, sleep, type CallOptions, type Request, type Transport } from "./transport.js";

/** What a run is begun with: on a repository of the server's machine, by its whole path. */
export interface StartRun {
  /** A title, or the id of a task that was attempted before. */
  readonly task: string;
  readonly repo: string;
  readonly description?: string | undefined;
  readonly intent?: string | undefined;
  readonly base?: string | undefined;
  readonly branch?: string | undefined;
  readonly project?: string | undefined;
}

/** What a tool found; the caller has run it. */
export interface NewEvidence {
  /** `test`, `lint`, `build` or another word. */
  readonly kind: string;
  readonly tool: string;
  readonly command?: string | undefined;
  readonly exit_code?: number | undefined;
  readonly took_ms?: number | undefined;
  readonly patchset?: string | undefined;
  readonly log?: string | undefined;
}

/** Something that is said about a line; the patch set by number, the last if none. */
export interface NewComment {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly patchset?: number | undefined;
  readonly before?: boolean | undefined;
}

/** How a run is finished: a person is asked, or the verdict is given where the project allows that. */
export interface FinishRun {
  readonly message?: string | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly verdict?: "ask" | "auto" | "agent" | undefined;
  readonly choose?: Verdict | undefined;
  readonly patchset?: string | undefined;
  readonly parameters?: string | undefined;
}

/** Which runs to list. */
export interface RunQuery {
  readonly project?: string | undefined;
  readonly task?: string | undefined;
  readonly oldestFirst?: boolean | undefined;
  /** How many are fetched at a time. */
  readonly page?: number | undefined;
}

/** How many milliseconds one request holds: fewer than what proxies cut off. */
const HOLD = 50_000;

/**
 * Runs on one server: `client.runs`. A run is named by its id, the start or end of one, or the run itself.
 *
 * Whatever adds something is sent once: if the reply got lost it rejects with `Unreachable`, and `get` says what is there.
 */
export class Runs {
  readonly #transport: Transport;
  readonly #project: string | undefined;

  constructor(transport: Transport, project: string | undefined) {
    this.#transport = transport;
    this.#project = project;
  }

  /** Begins an attempt at a task. */
  async start(start: StartRun, options: CallOptions = {}): Promise<Run> {
    return this.#post("/v1/runs", { project: this.#project, ...start }, options);
  }

  /** Returns a run, with where it and its task stand. */
  async get(run: string | Run, options: CallOptions = {}): Promise<Run> {
    return (await this.#get(pathOf(run), {}, options)) as Run;
  }

  /** Yields runs, newest first, page by page as they are needed. */
  async *list(query: RunQuery = {}, options: CallOptions = {}): AsyncGenerator<Run, void, undefined> {
    const { oldestFirst, page = 100, ...rest } = query;
    const order = oldestFirst === true ? "oldest_first" : undefined;
    let cursor: string | undefined;
    do {
      const listed = await this.#get("/v1/runs", { ...rest, order, limit: page, cursor }, options);
      const { items, next } = listed as { items: Run[]; next: string | null };
      yield* items;
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }

  /** Returns all attempts at a run's task, the oldest first, and where the task stands. */
  async log(run: string | Run, options: CallOptions = {}): Promise<{ readonly items: readonly Run[]; readonly state: TaskState }> {
    return (await this.#get(pathOf(run, "log"), {}, options)) as { items: Run[]; state: TaskState };
  }

  /** Proposes a change: a diff against the commit that the run starts from. */
  async patch(run: string | Run, diff: string, options: CallOptions & { readonly rationale?: string | undefined } = {}): Promise<Run> {
    return this.#post(pathOf(run, "patch"), { diff, rationale: options.rationale }, options);
  }

  /** Adds what a tool found. */
  async evidence(run: string | Run, found: NewEvidence, options: CallOptions = {}): Promise<Run> {
    return this.#post(pathOf(run, "evidence"), found, options);
  }

  /** Adds to what the run used up; the cost is in millionths of a US dollar. */
  async usage(run: string | Run, used: Partial<Run["usage"]>, options: CallOptions = {}): Promise<Run> {
    return this.#post(pathOf(run, "usage"), used, options);
  }

  /** Keeps an object with the run: a plan, a tool call, context. Returns it as it is kept. */
  async record(run: string | Run, object: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<Record<string, unknown>> {
    return this.#post(pathOf(run, "objects"), object, options);
  }

  /** Returns every object of a run as git-internal writes them. */
  async objects(run: string | Run, options: CallOptions = {}): Promise<readonly Record<string, unknown>[]> {
    return ((await this.#get(pathOf(run, "objects"), {}, options)) as { items: Record<string, unknown>[] }).items;
  }

  /** Says something about a line of a patch set; it goes with the guidance of a retry. */
  async comment(run: string | Run, comment: NewComment, options: CallOptions = {}): Promise<Run> {
    return this.#post(pathOf(run, "comments"), comment, options);
  }

  /** Returns the diff of a patch set (by number, the last if none); or what changed from `RUN:NUMBER` to it. */
  async diff(
    run: string | Run,
    options: CallOptions & { readonly patchset?: number | undefined; readonly against?: string | undefined } = {},
  ): Promise<string> {
    const { patchset, against } = options;
    return (await this.#get(pathOf(run, "diff"), { patchset, against }, options)) as string;
  }

  /** Returns all that a piece of evidence said, by number from 1, as text. */
  async output(run: string | Run, evidence: number, options: CallOptions = {}): Promise<string> {
    return (await this.#get(pathOf(run, "output"), { evidence }, options)) as string;
  }

  /** Ends the work and asks for the verdict (`decision` names the question), or gives it. */
  async finish(run: string | Run, finish: FinishRun = {}, options: CallOptions = {}): Promise<Run> {
    return this.#post(pathOf(run, "finish"), finish, options);
  }

  /**
   * Holds until the verdict on a run was carried out, or nobody is asked for one any more, or the time is up; through
   * reconnects and restarts of the server.
   *
   * Returns it as it stands then: call `requireVerdict` before going on. With `follow`, a run that is tried again is left
   * for the next attempt.
   */
  async wait(
    run: string | Run,
    options: CallOptions & { readonly timeout?: Duration | undefined; readonly follow?: boolean | undefined } = {},
  ): Promise<Run> {
    const giveUp = options.timeout === undefined ? Infinity : now() + milliseconds(options.timeout);
    for (let named = run; ; ) {
      const ended = await this.#wait(named, giveUp, options.signal);
      const next = ended.verdict?.next ?? null;
      if (options.follow !== true || next === null) return ended;
      named = next;
    }
  }

  /** Has the verdict on a run carried out now, if the process that should have done so has not. */
  async carry(run: string | Run, options: CallOptions = {}): Promise<Run> {
    return this.#post(pathOf(run, "carry"), {}, options);
  }

  /** Begins a run that goes on from the checkpoint that this one saved. */
  async resume(run: string | Run, options: CallOptions = {}): Promise<Run> {
    return this.#post(pathOf(run, "resume"), {}, options);
  }

  /** Begins a run that takes back what this one committed, and asks for its verdict. */
  async rollback(run: string | Run, options: CallOptions = {}): Promise<Run> {
    return this.#post(pathOf(run, "rollback"), {}, options);
  }

  /** Writes all attempts at the run's task to its repository, for others to read. */
  async export(run: string | Run, options: CallOptions = {}): Promise<{ readonly ref: string; readonly commit: string; readonly objects: number }> {
    return this.#post(pathOf(run, "export"), {}, options);
  }

  /** Brings runs here that others wrote to a repository, all or none. */
  async takeOver(
    from: { readonly repo: string; readonly ref?: string | undefined; readonly project?: string | undefined },
    options: CallOptions = {},
  ): Promise<{ readonly runs: readonly string[]; readonly known: number; readonly objects: number }> {
    return this.#post("/v1/imports", { project: this.#project, ...from }, options);
  }

  async #wait(run: string | Run, giveUp: number, signal: AbortSignal | undefined): Promise<Run> {
    const path = pathOf(run, "wait");
    for (;;) {
      const began = now();
      const hold = Math.round(Math.max(0, Math.min(HOLD, giveUp - began)));
      const limit = hold + (giveUp === Infinity ? 10_000 : 2000);
      const request: Request = { method: "GET", path, query: { timeout: `${hold}ms` }, limit, signal };
      const current = (await this.#transport.call(request, { giveUp: Math.max(giveUp, began + 1000) })) as Run;
      if (!isUnderWay(current) || now() >= giveUp) return current;
      // The server ends held requests when it is told to stop.
      if (now() - began < hold / 2) await sleep(100, signal);
    }
  }

  async #get(path: string, query: NonNullable<Request["query"]>, options: CallOptions): Promise<unknown> {
    return this.#transport.call({ method: "GET", path, query, headers: { accept: "*/*" }, signal: options.signal });
  }

  async #post<T>(path: string, body: unknown, options: CallOptions): Promise<T> {
    return (await this.#transport.call({ method: "POST", path, body, once: true, signal: options.signal })) as T;
  }
}

function pathOf(run: string | Run, verb?: string): string {
  return `/v1/runs/${segment(typeof run === "string" ? run : run.id)}${verb === undefined ? "" : `/${verb}`}`;
}
