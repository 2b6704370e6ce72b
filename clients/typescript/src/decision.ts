/** The decision as a server shows it: the same JSON as from `hold show --json`. */

/** Where a decision stands. */
export type Status = "pending" | "answered" | "refined" | "timed_out" | "cancelled" | "superseded";
/** Why a decision is asked. */
export type Source =
  | "question" | "approval" | "plan" | "gate" | "idle" | "dead" | "error" | "request" | "form" | "verdict";
/** What silence until the deadline means. It is never consent. */
export type OnTimeout = "expire" | "default" | "deny" | "cancel";
/** How urgent a decision is. */
export type Priority = "low" | "normal" | "high" | "urgent";
/** How surely it is known who answered, from least to most. */
export type Auth = "system" | "claimed" | "rule" | "local" | "link" | "channel" | "token" | "session";
/** The kind of a field: which values answer it. */
export type Kind =
  | "choice" | "choices" | "confirm" | "products" | "text" | "multiline" | "email" | "tel" | "url"
  | "number" | "integer" | "boolean" | "date" | "time" | "datetime" | "location";
/** What choosing an option does to the owner of the decision. */
export type Effect =
  | "resume" | "restart" | "advance" | "cancel" | "dismiss" | "approve" | "deny" | "accept_clear" | "accept_auto"
  | "accept_manual" | "revise" | "commit" | "checkpoint" | "abandon" | "retry" | "rollback";
/** Values by field id. */
export type Values = { readonly [field: string]: unknown };

/** Something that can be chosen; also an out, which is chosen instead of answering. */
export interface Option {
  readonly id: string;
  readonly label: string;
  readonly short?: string;
  readonly description?: string;
  readonly image_url?: string;
  readonly url?: string;
  readonly recommended?: boolean;
  readonly refuses?: boolean;
  readonly rating?: number;
  readonly reviews_count?: number;
  readonly quote?: unknown;
  readonly variants?: readonly Option[];
  readonly effect?: Effect;
  readonly extra?: Values;
}

/** One thing that is asked. */
export interface Field {
  readonly id: string;
  readonly kind: Kind;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  readonly options?: readonly Option[];
  readonly custom?: boolean;
  readonly visible_if?: unknown;
  readonly default?: unknown;
  readonly options_from?: { readonly tool: string; readonly args?: Values; readonly path?: string };
  readonly min?: unknown;
  readonly max?: unknown;
  /** Whether a number must be greater than `min`, or less than `max`, and not equal to it. */
  readonly exclusive_min?: boolean;
  readonly exclusive_max?: boolean;
  readonly extra?: Values;
}

/** What was answered, by whom, and how surely that is known. */
export interface Answer {
  readonly values: Values;
  readonly out: string | null;
  readonly message: string | null;
  readonly by: string;
  /** Whose answer it is, where a standing rule gave it; absent otherwise. */
  readonly for?: string;
  readonly via: string;
  /** What it came by, where `via` is Telegram or Slack; absent otherwise, and for agents. */
  readonly channel?: { readonly account: string; readonly message?: string };
  readonly auth: Auth;
  readonly at: string;
  /** For a consent to a subject: whether the whole subject was on the answerer's screen; absent if nobody said. */
  readonly seen?: boolean;
  /** The digest of the decision as it was when this was answered; absent in answers from before this was recorded. */
  readonly digest?: string;
}

/** How many people must consent, and which. */
export interface Needs {
  /** How many people must give the same consenting answer. */
  readonly approvals?: number;
  /** Whose votes count: people, and groups as `group:NAME`. */
  readonly from?: readonly string[];
  /** How many of those who consent must be of a group. */
  readonly each?: Readonly<Record<string, number>>;
  /** How many must refuse to settle it with a no. */
  readonly refusals?: number;
  /** Whether the person who owns the token that asked may not vote. */
  readonly not_requester?: boolean;
}

/** What one person says to a decision that takes several. */
export interface Vote {
  readonly by: string;
  readonly values: Values;
  readonly out?: string;
  readonly message: string | null;
  /** Which of those who are needed they are: their name, or groups that they were in when they voted. */
  readonly counts_for?: readonly string[];
  readonly via: string;
  readonly auth: Auth;
  readonly at: string;
}

/** A question asked of someone, and its outcome. Times are RFC 3339 in UTC. */
export interface Decision {
  readonly id: string;
  readonly project: string;
  readonly status: Status;
  readonly source: Source;
  readonly title: string | null;
  readonly prompt: string | null;
  readonly fields: readonly Field[];
  readonly outs: readonly Option[];
  readonly owner: string | null;
  /** What the asker calls itself; nobody checks it. */
  readonly requested_by: string | null;
  /** The name of the credential that asked; null where nobody was checked. */
  readonly asked_by: string | null;
  readonly assignees: readonly string[];
  readonly priority: Priority;
  readonly iteration: number;
  readonly max_iterations: number;
  readonly prior: string | null;
  readonly next: string | null;
  readonly guidance: string | null;
  readonly default: Values | null;
  readonly deadline: string | null;
  readonly on_timeout: OnTimeout;
  readonly draft: Values;
  readonly subject: unknown;
  readonly subject_digest: string | null;
  readonly digest: string;
  readonly origin: unknown;
  /** Texts of the asker's own, by name; absent where there are none. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly settled_at: string | null;
  readonly superseded_by: string | null;
  readonly consumed_at: string | null;
  readonly reason: string | null;
  readonly answer: Answer | null;
  /** How many people must consent, and which; absent where one is enough. */
  readonly needs?: Needs;
  /** Whether only a signed-in person, or one with a token of their own, may answer. */
  readonly needs_person?: boolean;
  /** What people have said so far, where it takes several; absent while nobody has. */
  readonly votes?: readonly Vote[];
  /** Who is on it, and for how long that counts; absent if nobody said so. */
  readonly taken?: { readonly by: string; readonly until: string };
  /** Who has put it aside, and until when; absent if nobody has. */
  readonly snoozed?: Readonly<Record<string, string>>;
}

/** Returns whether a field of a kind is answered by picking from options. */
export function picks(kind: Kind): boolean {
  return kind === "choice" || kind === "choices" || kind === "confirm" || kind === "products";
}
