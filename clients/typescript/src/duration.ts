/** How long: text such as `"30m"` or `"1h30m"`, or a number of milliseconds. */
export type Duration = string | number;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns a span in milliseconds. */
export function milliseconds(span: Duration): number {
  const length = typeof span === "number" ? span : parse(span);
  if (!Number.isFinite(length) || length < 0) throw new RangeError(`${span} is not a length of time`);
  return length;
}

/** Returns a span as the server reads it. */
export function wire(span: Duration): string {
  return typeof span === "string" ? span : `${Math.round(milliseconds(span))}ms`;
}

function parse(text: string): number {
  if (!/^\s*([0-9]+(ms|s|m|h|d))+\s*$/.test(text)) {
    throw new RangeError(`${JSON.stringify(text)} is not a duration; use a number and ms, s, m, h or d, e.g. 30m or 1h30m`);
  }
  const parts = [...text.matchAll(/([0-9]+)(ms|s|m|h|d)/g)];
  return parts.reduce((total, [, number, unit]) => total + Number(number) * (UNITS[unit ?? ""] ?? 0), 0);
}
