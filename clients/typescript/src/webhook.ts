/** What the server sends to a webhook: whether it is genuine, and what it says. */

import type { Answer, Auth, Decision, Status, Values } from "./decision.js";
import { milliseconds, type Duration } from "./duration.js";
import type { Event } from "./event.js";
import { HoldpointError } from "./problem.js";
import { hmacSha256 } from "./runtime.js";

/** A request that the server did not send, or sent too long ago. */
export class NotGenuine extends HoldpointError {}

/** How a decision ended, as a callback is told that asked for the body `answer` or `data`. */
export interface Outcome {
  readonly id: string;
  readonly status: Status;
  readonly refused: boolean;
  readonly values: Values | null;
  readonly out: string | null;
  readonly message: string | null;
  readonly by: Answer["by"] | null;
  readonly auth: Auth | null;
  readonly at: string | null;
  readonly reason: string | null;
  readonly superseded_by: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What a webhook or a callback is told. It may be told twice: `id` is the same then. */
export class Notice {
  readonly id: string;
  /** The body, as it was sent. */
  readonly said: Readonly<Record<string, unknown>>;

  constructor(id: string, said: Readonly<Record<string, unknown>>) {
    this.id = id;
    this.said = said;
  }

  /** What happened; a callback that is sent only the answer has none. */
  get event(): Event {
    return this.#part("event") as Event;
  }

  /** As it was when this was sent; a callback that is sent only the answer has none. */
  get decision(): Decision {
    return this.#part("decision") as Decision;
  }

  /** The address of the decision for people, where the server has one. */
  get url(): string | null {
    return typeof this.said["url"] === "string" ? this.said["url"] : null;
  }

  /** How the decision ended, where a callback asked for the body `answer` or `data`. */
  get answer(): Outcome {
    const said = "data" in this.said ? this.said["data"] : this.said;
    if (!isObject(said) || !("status" in said)) {
      throw new TypeError("the body has no answer: it is one of a webhook; see event and decision");
    }
    return said as unknown as Outcome;
  }

  #part(name: string): unknown {
    if (!isObject(this.said[name])) throw new TypeError(`the body has no ${name}: it is one of a callback; see answer`);
    return this.said[name];
  }
}

/** Headers of a request: those of `fetch`, or an object as Node has them. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns what a request to a webhook, or a signed callback, says if the server sent it, and not longer ago than `tolerance`;
 * throws `NotGenuine` otherwise. `body` is the body exactly as it came.
 */
export async function verify(
  secret: string | Uint8Array,
  headers: HeadersLike,
  body: string | Uint8Array,
  options: { readonly tolerance?: Duration } = {},
): Promise<Notice> {
  const [id, at, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
  if (id === undefined || at === undefined || signatures === undefined || !/^\d{1,15}$/.test(at)) {
    throw new NotGenuine("the request is not signed: webhook-id, webhook-timestamp or webhook-signature is missing");
  }
  const raw = bytes(body);
  const mac = await hmacSha256(keyOf(secret), joined(bytes(`${id}.${at}.`), raw));
  const ours = `v1,${btoa(String.fromCharCode(...mac))}`;
  if (!signatures.split(" ").some((each) => isSame(ours, each))) {
    throw new NotGenuine("the signature is not of this body and this secret");
  }
  const age = Math.abs(Date.now() - Number(at) * 1000);
  if (age > milliseconds(options.tolerance ?? "5m")) {
    throw new NotGenuine(`it was sent ${Math.round(age / 1000)} s ago or ahead, which is more than the tolerance`);
  }
  const said = parsed(raw);
  if (!isObject(said)) throw new NotGenuine("the body is signed and not one that the server sends");
  return new Notice(id, said);
}

function header(headers: HeadersLike, name: string): string | undefined {
  if (typeof (headers as Headers).get === "function") return (headers as Headers).get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : undefined;
}

function keyOf(secret: string | Uint8Array): Uint8Array {
  const text = (typeof secret === "string" ? secret : new TextDecoder("latin1").decode(secret)).trim();
  if (!text.startsWith("whsec_")) return typeof secret === "string" ? bytes(text) : secret;
  try {
    return Uint8Array.from(atob(text.slice("whsec_".length)), (char) => char.charCodeAt(0));
  } catch {
    throw new TypeError("what follows whsec_ in the secret is not base64");
  }
}

/** Takes as long whatever differs. */
function isSame(ours: string, theirs: string): boolean {
  let differs = ours.length ^ theirs.length;
  for (let at = 0; at < ours.length; at++) differs |= ours.charCodeAt(at) ^ theirs.charCodeAt(at);
  return differs === 0;
}

function parsed(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(raw));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bytes(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? new TextEncoder().encode(text) : text;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
