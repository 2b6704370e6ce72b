// Runs every test file in turn and says how many passed.
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { readdirSync } from "node:fs";

const here = new URL(".", import.meta.url).pathname;
const only = process.argv.slice(2);
const files = readdirSync(`${here}tests`).filter((name) => name.endsWith(".test.js") && (!only.length || only.some((part) => name.includes(part)))).map((name) => `${here}tests/${name}`);
let passed = 0, failed = 0;
const isTest = (event) => event.details?.type !== "suite" && !event.skip && !event.todo && !event.file?.endsWith(event.name);
const stream = run({ files, concurrency: 1, timeout: 120000 });
stream.on("test:pass", (event) => { if (isTest(event)) passed += 1; });
stream.on("test:fail", (event) => { if (isTest(event)) failed += 1; });
stream.compose(new spec()).pipe(process.stdout);
stream.on("end", () => setImmediate(() => {
  process.exitCode = failed ? 1 : 0;
  console.log(`${passed} passed, ${failed} failed`);
}));
