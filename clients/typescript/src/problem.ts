/** What goes wrong: refusals of the server, and servers that are not there. */

import type { Decision } from "./decision.js";

/** The root of all that this package throws, but for `RangeError`, `TypeError` and what a signal gives as reason. */
export class HoldpointError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Nothing says where the server is. */
export class NotConfigured extends HoldpointError {}

/** The server cannot be reached, or what answers there is none. */
export class Unreachable extends HoldpointError {}

/** One thing that is wrong with what was sent, and where. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The server refused; nothing was written. */
export class Problem extends HoldpointError {
  /** The HTTP status. */
  readonly status: number;
  /** The kind of problem: what programs match on. */
  readonly code: string;
  /** What is wrong here. */
  readonly detail: string;
  /** What to do about it. */
  readonly hint: string | null;
  /** What is wrong, field by field. */
  readonly errors: readonly FieldError[];
  /** The decision as it stands, where that is why. */
  readonly decision: Decision | null;
  /** The decisions that could be meant, where several could. */
  readonly candidates: readonly Decision[];

  constructor(body: ProblemBody) {
    super(`${body.detail} (${body.code}, ${body.status})${body.hint ? `\nhint: ${body.hint}` : ""}`);
    this.status = body.status;
    this.code = body.code;
    this.detail = body.detail;
    this.hint = body.hint ?? null;
    this.errors = body.errors ?? [];
    this.decision = body.decision ?? null;
    this.candidates = body.candidates ?? [];
  }
}

/** A problem as it comes over the wire. */
export interface ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly errors?: readonly FieldError[];
  readonly decision?: Decision;
  readonly candidates?: readonly Decision[];
}

/** Returns whether something read from the wire is a problem. */
export function isProblem(body: unknown): body is ProblemBody {
  if (typeof body !== "object" || body === null) return false;
  const { status, code, detail } = body as Record<string, unknown>;
  return typeof status === "number" && typeof code === "string" && typeof detail === "string";
}
