/** What an answer amounts to. A decision object is always truthy: ask these, not the object. */

import { picks, type Decision, type Option } from "./decision.js";
import { Refused, withheld } from "./withheld.js";

/** Returns whether it still waits for someone. */
export function isPending(decision: Decision): boolean {
  return decision.status === "pending";
}

/** Returns whether someone answered, with a yes or a no. Never true for silence, guidance or a cancellation. */
export function isAnswered(decision: Decision): boolean {
  return decision.status === "answered" && decision.answer !== null;
}

/** Returns whether someone answered with a no: a refusing option, an out, or words without any value. */
export function isRefused(decision: Decision): boolean {
  const answer = isAnswered(decision) ? decision.answer : null;
  if (answer === null) return false;
  const empty = Object.keys(answer.values).length === 0;
  return answer.out !== null || empty || picked(decision).some((option) => option.refuses === true);
}

/** Returns whether someone chose at least one option, and none of those chosen is a no. */
export function isApproved(decision: Decision): boolean {
  return isAnswered(decision) && !isRefused(decision) && picked(decision).length > 0;
}

/** Returns the ids of the options that the answer picks, an out included. A deadline's default counts as well. */
export function chosen(decision: Decision): string[] {
  const out = decision.answer?.out ?? null;
  return [...picked(decision).map((option) => option.id), ...(out === null ? [] : [out])];
}

/** Returns the answer's only value; undefined if there is none or there are several. */
export function onlyValue(decision: Decision): unknown {
  const values = Object.values(decision.answer?.values ?? {});
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Returns the decision if someone answered and not with a no; throws a `Withheld` otherwise.
 * With option ids, only an answer that chose nothing else will do.
 */
export function requireAnswer(decision: Decision, ...expect: readonly string[]): Decision {
  const why = withheld(decision, isAnswered(decision), isRefused(decision));
  if (why !== null) throw why;
  const ids = chosen(decision);
  if (expect.length > 0 && !(ids.length > 0 && ids.every((id) => expect.includes(id)))) {
    throw new Refused(decision, `${decision.id} was answered, but not with ${expect.join(" or ")}`);
  }
  return decision;
}

function picked(decision: Decision): Option[] {
  const values = decision.answer?.values ?? {};
  return decision.fields.flatMap((field) => {
    if (!picks(field.kind) || !Object.hasOwn(values, field.id)) return [];
    const value = values[field.id];
    const options = withVariants(field.options ?? []);
    return (Array.isArray(value) ? value : [value]).flatMap((item: unknown) => {
      const id = typeof item === "object" && item !== null && "id" in item ? item.id : item;
      return options.filter((option) => option.id === id);
    });
  });
}

function withVariants(options: readonly Option[]): Option[] {
  return options.flatMap((option) => [option, ...withVariants(option.variants ?? [])]);
}
