/** The run as a server shows it: the same JSON as from `hold run show --json`. */

import type { Auth, Values } from "./decision.js";
import { HoldpointError } from "./problem.js";

/** What ends a run. */
export type Verdict = "commit" | "checkpoint" | "retry" | "abandon" | "rollback";

/** Where a run stands, with what became of the question about it. */
export interface Standing {
  readonly is:
    | "running" | "waiting" | "carrying" | "withdrawn" | "unanswered"
    | "committed" | "checkpointed" | "retried" | "abandoned" | "rolled_back";
  readonly decision?: string;
  readonly verdict?: Verdict;
  readonly by?: string;
  readonly trouble?: string;
  readonly at_work?: string;
  readonly reason?: string;
}

/** Bytes that are kept in the repository. */
export interface Artifact {
  readonly blob: string;
  readonly sha256: string;
  readonly size: number;
}

/** A file that a patch set touches. */
export interface Touched {
  readonly path: string;
  readonly change: "add" | "modify" | "delete" | "rename" | "copy";
  readonly added: number;
  readonly deleted: number;
  readonly from?: string;
  readonly mode?: string;
}

/** A change that a run proposes. */
export interface PatchSet {
  readonly id: string;
  /** The number that people call it by, from 1. */
  readonly number: number;
  readonly base: string;
  readonly artifact: Artifact;
  readonly touched: readonly Touched[];
  readonly rationale: string | null;
  readonly created_by: string;
  readonly created_at: string;
}

/** What a tool found about a run. */
export interface Evidence {
  readonly id: string;
  readonly patchset: string | null;
  readonly kind: string;
  readonly tool: string;
  readonly command: string | null;
  readonly exit_code: number | null;
  readonly took_ms: number | null;
  readonly summary: string | null;
  readonly log: Artifact | null;
  readonly created_by: string;
  readonly created_at: string;
}

/** The verdict that ended a run, once it was carried out. */
export interface RunVerdict {
  readonly id: string;
  readonly verdict: Verdict;
  readonly patchset: string | null;
  readonly commit: string | null;
  readonly checkpoint: string | null;
  readonly rationale: string | null;
  readonly parameters: string | null;
  readonly decision: string | null;
  readonly notes: readonly string[];
  readonly next: string | null;
  readonly by: string;
  readonly auth: Auth;
  readonly at: string;
}

/** Where a task stands: worked out from all attempts at it. */
export interface TaskState {
  readonly status: "open" | "done" | "failed";
  readonly thread: {
    readonly intents: readonly string[];
    readonly heads: readonly { readonly id: string; readonly prompt: string; readonly status: string }[];
    readonly latest: string | null;
  };
  readonly plan: {
    readonly heads: readonly string[];
    readonly selected: { readonly id: string; readonly run: string; readonly steps: number; readonly completed: number } | null;
  };
  readonly release: {
    readonly status: "none" | "committed" | "rolled_back";
    readonly commit?: string | null;
    readonly branch?: string;
    readonly run?: string;
    readonly at?: string | null;
  };
  readonly ui: { readonly run: string | null; readonly waits_for: string | null };
}

/** An attempt at a task on a repository. */
export interface Run {
  readonly id: string;
  readonly project: string;
  readonly status: "running" | "finished" | "decided";
  readonly standing: Standing;
  readonly task: { readonly id: string; readonly title: string; readonly description: string | null };
  readonly intent: { readonly id: string; readonly prompt: string } | null;
  readonly repo: string;
  readonly base: string;
  readonly branch: string;
  readonly origin: { readonly kind: "retry" | "resume" | "rollback"; readonly run: string } | null;
  /** The job that works on it. */
  readonly job?: string;
  readonly guidance: string | null;
  readonly parameters: string | null;
  readonly patchsets: readonly PatchSet[];
  readonly evidence: readonly Evidence[];
  readonly comments?: readonly Values[];
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly cost_micros: number };
  readonly decision: string | null;
  readonly trouble: string | null;
  readonly verdict: RunVerdict | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly decided_at: string | null;
  /** Where its task stands; where one run was asked for. */
  readonly state?: TaskState;
}

/** A run did not end as it was to; `run` says how it stands. */
export class NotAccepted extends HoldpointError {
  override readonly name = "NotAccepted";

  constructor(
    readonly run: Run,
    detail: string,
  ) {
    super(detail);
  }
}

/** Returns whether something more becomes of a run by itself: it is worked on, asked about, or carried out. */
export function isUnderWay(run: Run): boolean {
  return run.standing.is === "running" || run.standing.is === "waiting" || run.standing.is === "carrying";
}

/**
 * Returns the run if its verdict was carried out and is no retry and no abandon; throws `NotAccepted` otherwise. With
 * verdicts, only one of those will do.
 */
export function requireVerdict(run: Run, ...expect: readonly Verdict[]): Run {
  const given = run.verdict;
  if (given === null) throw new NotAccepted(run, `run ${run.id} has no verdict: it is ${run.standing.is}`);
  const no = expect.length > 0 ? !expect.includes(given.verdict) : given.verdict === "retry" || given.verdict === "abandon";
  if (no) throw new NotAccepted(run, `the verdict on run ${run.id} is ${given.verdict}${given.rationale ? `: ${given.rationale}` : ""}`);
  return run;
}
