// Runs the test files, two at a time, and says how many passed.
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { readdirSync } from "node:fs";

// What measures how fast a person can go has the machine to itself.
const ALONE = ["pace.test.js"];

const here = new URL(".", import.meta.url).pathname;
const only = process.argv.slice(2);
const names = readdirSync(`${here}tests`).filter((name) => name.endsWith(".test.js") && (!only.length || only.some((part) => name.includes(part))));
let passed = 0, failed = 0;
const isTest = (event) => event.details?.type !== "suite" && !event.skip && !event.todo && !event.file?.endsWith(event.name);

function runAll(chosen, concurrency) {
  if (!chosen.length) return;
  const stream = run({ files: chosen.map((name) => `${here}tests/${name}`), concurrency, timeout: 1800000 });
  stream.on("test:pass", (event) => { if (isTest(event)) passed += 1; });
  // A file that ends badly is a failure too, whatever passed in it before.
  stream.on("test:fail", (event) => { if (isTest(event) || event.details?.error?.failureType !== "subtestsFailed") failed += 1; });
  stream.compose(new spec()).pipe(process.stdout, { end: false });
  return new Promise((ended) => stream.on("end", () => setImmediate(ended)));
}

await runAll(names.filter((name) => !ALONE.includes(name)), 2);
await runAll(names.filter((name) => ALONE.includes(name)), 1);
process.exitCode = failed ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
