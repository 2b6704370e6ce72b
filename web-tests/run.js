// Runs the test files, two at a time, and prints how many tests passed.
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { readdirSync } from "node:fs";

// Tests that measure a person's pace run alone on the machine.
const ALONE = ["pace.test.js"];
// The timeout of a file; none takes longer, even on a busy machine.
const LONGEST = 900000;

const tests = new URL("tests/", import.meta.url).pathname;
const only = process.argv.slice(2);
const names = readdirSync(tests).filter((name) => name.endsWith(".test.js") && (!only.length || only.some((part) => name.includes(part))));
const isTest = (event) => event.details?.type !== "suite" && !event.skip && !event.todo && !event.file?.endsWith(event.name);
// A file that exits with an error is a failure too, even if its tests passed.
const isFailure = (event) => isTest(event) || event.details?.error?.failureType !== "subtestsFailed";

/** Runs files, and returns how many tests of each passed and failed. */
async function runFiles(chosen, concurrency) {
  const results = new Map(chosen.map((name) => [tests + name, { name, passed: 0, failed: 0 }]));
  if (!chosen.length) return results;
  const stream = run({ files: [...results.keys()], concurrency, timeout: LONGEST });
  const of = (event) => results.get(event.file) ?? results.get(event.name) ?? results.values().next().value;
  stream.on("test:pass", (event) => { if (isTest(event)) of(event).passed += 1; });
  stream.on("test:fail", (event) => { if (isFailure(event)) of(event).failed += 1; });
  stream.compose(new spec()).pipe(process.stdout, { end: false });
  await new Promise((ended) => stream.on("end", () => setImmediate(ended)));
  return results;
}

const results = await runFiles(names.filter((name) => !ALONE.includes(name)), 2);
for (const [file, result] of await runFiles(names.filter((name) => ALONE.includes(name)), 1)) results.set(file, result);

// A developer sees a flaky test as a failure; in CI its file is run once more, alone, and reported.
if (process.env.CI === "true") {
  for (const { name, failed } of [...results.values()]) {
    if (!failed) continue;
    for (const [file, result] of await runFiles([name], 1)) results.set(file, result);
    console.log(`${name} failed and was run once more`);
  }
}
const sum = (key) => [...results.values()].reduce((total, result) => total + result[key], 0);
process.exitCode = sum("failed") ? 1 : 0;
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
