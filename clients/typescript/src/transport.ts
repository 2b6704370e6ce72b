/** Requests that outlive broken connections and restarts, and are never made twice where that would matter. */

import type { Place } from "./discovery.js";
import { HoldpointError, isProblem, Problem, Unreachable } from "./problem.js";

/** How many milliseconds to wait before asking again, at first and at most. */
export const PAUSES = [50, 2000] as const;

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What is sent. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it must not be sent again if it may have arrived. */
  readonly once?: boolean;
  /** How many milliseconds without an answer are borne. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/** When to stop trying, by `now()`; and whom to tell, once, that the connection is lost. */
export interface Persistence {
  readonly giveUp?: number;
  readonly lost?: ((why: string) => void) | undefined;
}

/** A request that got no answer. */
export class Broken extends Error {
  constructor(
    readonly error: HoldpointError,
    /** Whether the server cannot have seen it. */
    readonly unsent: boolean,
  ) {
    super(error.message);
  }
}

/** Speaks HTTP with one server. */
export class Transport {
  place: Promise<Place>;

  /** `find` says where the server is, again whenever it cannot be reached: it may have come back at another address. */
  constructor(
    private readonly find: () => Promise<Place>,
    readonly patience: number,
    private readonly fetch: typeof globalThis.fetch,
  ) {
    this.place = find();
    // The caller of the first request hears of it.
    this.place.catch(() => undefined);
  }

  /** Sends a request until the server answers or it is time to give up. Returns the JSON that came back, or text that is none. */
  async call(request: Request, { giveUp = now() + this.patience, lost }: Persistence = {}): Promise<unknown> {
    const { base } = await this.place;
    let tell = lost;
    for (let pause: number = PAUSES[0]; ; pause = Math.min(pause * 2, PAUSES[1])) {
      let failure: HoldpointError;
      try {
        const { response, text } = await this.#exchange(request);
        if (response.ok) return read(base, response, text);
        failure = failureOf(base, response.status, text);
        if (!isPassing(response.status) || (request.once === true && response.status !== 429)) throw failure;
        pause = Math.max(pause, retryAfter(response));
      } catch (why) {
        if (!(why instanceof Broken)) throw why;
        failure = why.error;
        if (request.once === true && !why.unsent) throw failure;
      }
      if (now() + pause > giveUp) throw failure;
      tell?.(failure.message);
      tell = undefined;
      await sleep(pause * (0.5 + Math.random() / 2), request.signal);
    }
  }

  /** Opens a stream; throws `Broken` if that may pass, `Problem` if the server refuses. */
  async open(request: Request, control: AbortController): Promise<ReadableStream<Uint8Array>> {
    const { base } = await this.place;
    const response = await this.#send(request, control.signal);
    if (response.ok && kind(response) === "text/event-stream" && response.body !== null) return response.body;
    const failure = failureOf(base, response.status, await response.text().catch(() => ""));
    throw isPassing(response.status) ? new Broken(failure, false) : failure;
  }

  /** Sends once and reads the whole answer, within the request's limit. */
  async #exchange(request: Request): Promise<{ response: Response; text: string }> {
    const control = new AbortController();
    const limit = request.limit ?? 30_000;
    const timer = setTimeout(() => control.abort(new Error(`no answer within ${limit} ms`)), limit);
    const unlink = link(request.signal, control);
    try {
      const response = await this.#send(request, control.signal);
      try {
        return { response, text: await response.text() };
      } catch (why) {
        throw await this.#broken(why, control.signal);
      }
    } catch (why) {
      request.signal?.throwIfAborted();
      throw why;
    } finally {
      clearTimeout(timer);
      unlink();
    }
  }

  async #send(request: Request, signal: AbortSignal): Promise<Response> {
    const { base, token } = await this.place;
    const pairs = Object.entries(request.query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
    const query = new URLSearchParams(pairs).toString();
    const headers: Record<string, string> = { accept: "application/json", ...request.headers };
    if (token !== null) headers["authorization"] = `Bearer ${token}`;
    if (request.body !== undefined) headers["content-type"] = "application/json";
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const url = `${base}${request.path}${query === "" ? "" : `?${query}`}`;
    try {
      // Nothing that a proxy says may send the token elsewhere.
      return await this.fetch(url, { method: request.method, headers, body, signal, redirect: "manual" });
    } catch (why) {
      throw await this.#broken(why, signal);
    }
  }

  async #broken(why: unknown, signal: AbortSignal): Promise<Broken> {
    const known = await this.place;
    const { base } = known;
    // Where none runs now, it may come back where it was.
    this.place = this.find().catch(() => known);
    const cause = signal.aborted ? (signal.reason as unknown) : ((why as { cause?: unknown }).cause ?? why);
    const { code, message } = (cause ?? {}) as { code?: string; message?: string };
    const error = new Unreachable(`the server at ${base} cannot be reached: ${message || code || "no connection"}`, { cause: why });
    return new Broken(error, code === "ECONNREFUSED");
  }
}

/** Returns milliseconds on a clock that only goes forward. */
export function now(): number {
  return performance.now();
}

/** Escapes a path segment. */
export function segment(text: string): string {
  if (text === "" || text === "." || text === "..") throw new TypeError(`${JSON.stringify(text)} is not an id`);
  return encodeURIComponent(text);
}

/** Waits; throws the signal's reason once that is aborted. */
export function sleep(duration: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, duration);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Passes an abort on; returns how to let go of the signal. */
export function link(signal: AbortSignal | undefined, control: AbortController): () => void {
  const stop = (): void => control.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return () => signal?.removeEventListener("abort", stop);
}

function read(base: string, response: Response, text: string): unknown {
  // What is no JSON by its own word is text.
  if (kind(response) === "application/octet-stream") return text;
  try {
    if (kind(response) !== "application/jsonl") return JSON.parse(text) as unknown;
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
  } catch {
    throw stranger(base, response.status);
  }
}

function failureOf(base: string, status: number, text: string): HoldpointError {
  try {
    const body: unknown = JSON.parse(text);
    if (isProblem(body)) return new Problem(body);
  } catch {
    // What is no JSON is no problem of ours.
  }
  return stranger(base, status);
}

function stranger(base: string, status: number): Unreachable {
  return new Unreachable(`what answers at ${base} is not a Holdpoint server (status ${status})`);
}

function isPassing(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

function kind(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("retry-after") ?? 0);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 30) * 1000 : 0;
}
