/** What is sent to ask and to revise. */

import { picks, type Field, type Kind, type OnTimeout, type Option, type Priority, type Source, type Values } from "./decision.js";
import { wire, type Duration } from "./duration.js";

/** An option as it is sent; without a label the id is shown. */
export type OptionInput = Omit<Option, "label" | "variants"> & {
  readonly label?: string;
  readonly variants?: readonly OptionInput[];
};
/** An option: whole, an id alone, or an id and a label. */
export type OptionLike = OptionInput | string | readonly [id: string, label: string];
/** A field as it is sent; without a label the id is shown, and it is required unless it says otherwise. */
export type FieldInput = Omit<Field, "label" | "required" | "options"> & {
  readonly label?: string;
  readonly required?: boolean;
  readonly options?: readonly OptionInput[];
};

/** Where the server POSTs the outcome once the decision is settled; the server's settings must list the address. */
export interface Callback {
  readonly url: string;
  /** The `[[callback]]` of the server's settings whose secret goes with it. */
  readonly auth?: string | undefined;
  /** What is sent: `webhook` (event and decision) unless it says otherwise. */
  readonly body?: "webhook" | "data" | "answer" | undefined;
}

/** All that a question may say. Either `fields`, or `kind` and `options` for a question with one field. */
export interface Question {
  readonly prompt?: string | undefined;
  readonly title?: string | undefined;
  readonly kind?: Kind | undefined;
  readonly options?: readonly OptionLike[] | undefined;
  readonly fields?: readonly FieldInput[] | undefined;
  readonly outs?: readonly OptionLike[] | undefined;
  readonly source?: Source | undefined;
  readonly project?: string | undefined;
  readonly owner?: string | undefined;
  readonly requested_by?: string | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly priority?: Priority | undefined;
  readonly timeout?: Duration | undefined;
  readonly deadline?: Date | string | undefined;
  readonly on_timeout?: OnTimeout | undefined;
  /** The values that silence gives; or the id of an option or out. */
  readonly default?: string | Values | undefined;
  readonly max_iterations?: number | undefined;
  readonly subject?: unknown;
  readonly origin?: Values | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly callback?: Callback | undefined;
  readonly exclusive?: boolean | undefined;
}

/** What can be changed in a question that waits; what is left out stays. */
export interface Revision {
  readonly title?: string | undefined;
  readonly prompt?: string | undefined;
  readonly fields?: readonly FieldInput[] | undefined;
  readonly subject?: unknown;
  readonly default?: Values | undefined;
}

const LONGEST_LABEL = 200;

/** Puts together what is sent to ask. */
export function newDecision(question: Question, project: string | undefined): Record<string, unknown> {
  const { kind, options, outs, timeout, deadline, ...rest } = question;
  if (question.fields !== undefined && (kind !== undefined || options !== undefined)) {
    throw new TypeError("give either fields, or kind and options");
  }
  const fields = question.fields ?? [onlyField(question)];
  const out = outs?.map(toOption);
  return {
    ...rest,
    project: question.project ?? project,
    fields,
    outs: out,
    timeout: timeout === undefined ? undefined : wire(timeout),
    deadline: deadline instanceof Date ? deadline.toISOString() : deadline,
    default: typeof question.default === "string" ? onlyDefault(fields, out ?? [], question.default) : question.default,
  };
}

/** Makes the field of a question that has one, as `hold ask` does. */
function onlyField({ kind, options = [], source, subject, prompt, title }: Question): FieldInput {
  const approval = source === "approval" || (source === undefined && subject !== undefined);
  const chosen = kind ?? (options.length > 0 ? "choice" : approval ? "confirm" : "text");
  const line = (prompt ?? title ?? "").split("\n").map((each) => each.trim()).find((each) => each !== "") ?? "";
  const letters = [...line];
  const label = letters.length > LONGEST_LABEL ? `${letters.slice(0, LONGEST_LABEL).join("")}…` : line;
  const field = { id: picks(chosen) ? "choice" : chosen, kind: chosen, label };
  if (options.length > 0) return { ...field, options: options.map(toOption) };
  if (chosen !== "confirm") return field;
  return { ...field, options: [{ id: "yes", label: "Yes" }, { id: "no", label: "No", refuses: true }] };
}

function toOption(given: OptionLike): OptionInput {
  if (typeof given === "string") return { id: given, label: given };
  return isPair(given) ? { id: given[0], label: given[1] } : given;
}

function isPair(given: OptionLike): given is readonly [string, string] {
  return Array.isArray(given);
}

/** Reads a default that is an option's or an out's id. */
function onlyDefault(fields: readonly FieldInput[], outs: readonly OptionInput[], id: string): Values {
  if (outs.some((out) => out.id === id)) return { out: id };
  const [only, ...more] = fields;
  if (only === undefined || more.length > 0) {
    throw new TypeError("a default that is one id goes with one field; give the values by field id");
  }
  switch (only.kind) {
    case "choices":
      return { [only.id]: [id] };
    case "products":
      return { [only.id]: [{ id, quantity: 1 }] };
    default:
      return { [only.id]: id };
  }
}
