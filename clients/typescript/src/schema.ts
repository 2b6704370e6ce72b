/** Forms from schemas (zod and others that follow Standard Schema), and answers back into them. */

import type { Decision, Kind } from "./decision.js";
import { requireAnswer } from "./outcome.js";
import type { FieldInput, OptionInput } from "./question.js";
import { Unfit } from "./withheld.js";

/** A schema that can be read as JSON Schema and can check a value: zod 4.2 or newer, and others that follow the standard. */
export interface Schema<Output = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>;
    readonly jsonSchema?: { readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown> };
    readonly types?: { readonly output: Output } | undefined;
  };
}

type Result<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

interface Node {
  readonly type?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly kind?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly [bound: string]: unknown;
}

const TEXTS: readonly Kind[] = ["text", "multiline", "email", "tel", "url", "date", "time", "datetime"];
const FORMATS: Readonly<Record<string, Kind>> = {
  email: "email", uri: "url", url: "url", date: "date", time: "time", "date-time": "datetime",
};
const CAN = "texts, numbers, booleans, dates and times in ISO form, choices, lists of choices, and these where they are optional";

/**
 * Returns the form that asks for what a schema of an object has: one field for each property. Throws a `TypeError` if there
 * is one that a form cannot carry. `.meta({ kind: "multiline" })` makes a text another kind of text.
 */
export function fieldsOf(schema: Schema): FieldInput[] {
  const { properties, required = [] } = objectOf(schema);
  return Object.entries(properties).map(([id, node]) => fieldOf(id, node, required.includes(id)));
}

/** Returns what was answered as the schema's output; throws a `Withheld` if there is no answer to go on with. */
export async function into<Output>(decision: Decision, schema: Schema<Output>): Promise<Output> {
  const values = requireAnswer(decision).answer?.values ?? {};
  const { properties } = objectOf(schema);
  const given = Object.entries(properties).flatMap(([id, node]): [string, unknown][] => {
    if (Object.hasOwn(values, id)) return [[id, valueOf(withoutNull(node).inner, values[id])]];
    return withoutNull(node).nullable ? [[id, null]] : [];
  });
  const result = await schema["~standard"].validate(Object.fromEntries(given));
  if (result.issues === undefined) return result.value;
  const why = result.issues.map(({ path = [], message }) => `${path.join(".")}: ${message}`).join("; ");
  throw new Unfit(decision, `${decision.id} was answered, but the schema does not accept it: ${why}`, { cause: result.issues });
}

function objectOf(schema: Schema): { properties: Readonly<Record<string, Node>>; required?: readonly string[] } {
  const read = schema["~standard"]?.jsonSchema;
  if (read === undefined) throw new TypeError("the schema cannot be read as JSON Schema; use zod 4.2 or newer");
  const node = read.input({ target: "draft-2020-12" }) as Node;
  if (node.properties === undefined || Object.keys(node.properties).length === 0) {
    throw new TypeError("the schema is not one of an object with properties, so there is nothing to ask");
  }
  return node.required === undefined ? { properties: node.properties } : { properties: node.properties, required: node.required };
}

function fieldOf(id: string, whole: Node, required: boolean): FieldInput {
  const { inner, nullable } = withoutNull(whole);
  const several = inner.type === "array";
  const options = optionsOf(id, several ? (inner.items ?? {}) : inner);
  const kind = kindOf(id, { ...inner, kind: inner.kind ?? whole.kind }, several, options);
  const [min, max] = boundsOf(inner, kind);
  const excludes = (bound: unknown, name: string) => kind === "number" && bound !== undefined && inner[name] === bound;
  const words = id.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ").trim().toLowerCase();
  const description = describe(whole.description ?? inner.description, inner);
  const start = whole.default ?? inner.default;
  return {
    id,
    kind,
    label: whole.title ?? inner.title ?? words.charAt(0).toUpperCase() + words.slice(1),
    required: required && !nullable,
    ...(description === undefined ? {} : { description }),
    ...(options === null ? {} : { options: [...options.keys()].map((each): OptionInput => ({ id: each, label: each })) }),
    ...(start === undefined || start === null ? {} : { default: options === null ? start : asIds(start) }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(excludes(min, "exclusiveMinimum") ? { exclusive_min: true } : {}),
    ...(excludes(max, "exclusiveMaximum") ? { exclusive_max: true } : {}),
  };
}

function kindOf(id: string, node: Node, several: boolean, options: ReadonlyMap<string, unknown> | null): Kind {
  if (options !== null) return several ? "choices" : "choice";
  switch (node.type) {
    case "string": {
      const wanted = node.kind as Kind | undefined;
      if (wanted !== undefined && !TEXTS.includes(wanted)) {
        throw new TypeError(`${id}: a text can be asked as ${TEXTS.join(", ")}, not as ${String(wanted)}`);
      }
      return wanted ?? FORMATS[node.format ?? ""] ?? "text";
    }
    case "integer":
    case "number":
    case "boolean":
      return node.type;
    default:
      throw new TypeError(`${id}: a form cannot carry ${JSON.stringify(node).slice(0, 80)}; it can carry ${CAN}`);
  }
}

/** Returns what can be chosen, by the id it is chosen with; null if nothing is to be chosen. */
function optionsOf(id: string, node: Node): ReadonlyMap<string, unknown> | null {
  const constants = node.anyOf?.every((each) => each.const !== undefined) === true ? node.anyOf.map((each) => each.const) : undefined;
  const values = node.enum ?? constants ?? (node.const === undefined ? undefined : [node.const]);
  if (values === undefined) return null;
  const options = new Map(values.map((value) => [String(value), value]));
  if (options.size < values.length || !values.every((value) => typeof value === "string" || typeof value === "number")) {
    throw new TypeError(`${id}: only texts and numbers that differ in writing can be chosen, not ${JSON.stringify(values)}`);
  }
  return options;
}

function valueOf(node: Node, answered: unknown): unknown {
  if (Array.isArray(answered)) return answered.map((each) => valueOf(node.items ?? {}, each));
  return typeof answered === "string" ? (optionsOf("", node)?.get(answered) ?? answered) : answered;
}

function withoutNull(node: Node): { inner: Node; nullable: boolean } {
  const others = node.anyOf?.filter((each) => each.type !== "null");
  if (others === undefined || others.length === node.anyOf?.length) return { inner: node, nullable: false };
  const [only, ...more] = others;
  return { inner: only !== undefined && more.length === 0 ? only : { anyOf: others }, nullable: true };
}

function boundsOf(node: Node, kind: Kind): [unknown, unknown] {
  const step = kind === "integer" ? 1 : 0;
  const over = node["exclusiveMinimum"];
  const under = node["exclusiveMaximum"];
  const least = node["minimum"] ?? (typeof over === "number" ? over + step : undefined) ?? node["minLength"] ?? node["minItems"];
  const most = node["maximum"] ?? (typeof under === "number" ? under - step : undefined) ?? node["maxLength"] ?? node["maxItems"];
  // What a language can count to is no bound that somebody set.
  const set = (bound: unknown) => (typeof bound === "number" && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound);
  return [set(least), set(most)];
}

/** Adds the limits that a form has no place for, so that a person can keep to them. */
function describe(given: string | undefined, node: Node): string | undefined {
  // A format has a pattern as well, which says less to a person than its name.
  const pattern = node.format === undefined ? node["pattern"] : undefined;
  const parts = [
    given,
    typeof node["multipleOf"] === "number" ? `Must be a multiple of ${node["multipleOf"]}.` : undefined,
    typeof pattern === "string" ? `Must match the pattern ${pattern}` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(" ") || undefined;
}

function asIds(start: unknown): unknown {
  return Array.isArray(start) ? start.map(String) : String(start);
}
