/** Where the server is looked for, and who gets to see which token. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import { find } from "../dist/discovery.js";
import { Client, NotConfigured } from "../dist/index.js";
import { Server } from "./server.mjs";

const [HERE, ELSEWHERE] = ["http://127.0.0.1:4653", "https://hold.example"];
const BEFORE = { ...process.env };
let home;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "holdpoint-"));
  process.env = { ...BEFORE, HOLD_HOME: home };
});
afterEach(() => {
  rmSync(home, { recursive: true });
  process.env = BEFORE;
});

function publish({ address = HERE, pid = process.pid, mode = 0o600, folder = home } = {}) {
  const files = { "server.json": JSON.stringify({ address, pid }), "local.token": "local\n" };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  }
}

const at = (base, token) => ({ base, token });
const unknown = (url) => assert.rejects(find(url), NotConfigured);

test("nothing known", async () => {
  await unknown();
  process.env = { HOLD_URL: "" };
  await unknown();
  await assert.rejects(new Client().get("x"), NotConfigured);
});

test("the server on this machine", async () => {
  publish();
  assert.deepEqual(await find(), at(HERE, "local"));
  assert.deepEqual(await find(undefined, "mine"), at(HERE, "mine"));
  process.env.HOLD_URL = HERE;
  assert.deepEqual(await find(), at(HERE, "local"));
  process.env.HOLD_URL = ELSEWHERE;
  assert.deepEqual(await find(`${HERE}/`), at(HERE, "local"));
});

test("the local token goes nowhere else", async () => {
  publish();
  for (const url of [ELSEWHERE, "http://127.0.0.1:4654", "https://127.0.0.1:4653", "http://127.0.0.1:46530"]) {
    assert.deepEqual(await find(url), at(url, null));
    process.env.HOLD_URL = url;
    assert.deepEqual(await find(), at(url, null));
  }
});

test("addresses that could be read in two ways", async () => {
  publish();
  for (const url of [`${HERE}@evil.example`, "http://evil@127.0.0.1:4653", `${HERE}\\@evil.example`, "ftp://x", "x:1"]) {
    await unknown(url);
  }
});

test("HOLD_TOKEN belongs to HOLD_URL", async () => {
  Object.assign(process.env, { HOLD_URL: ELSEWHERE, HOLD_TOKEN: "theirs" });
  assert.deepEqual(await find(), at(ELSEWHERE, "theirs"));
  assert.deepEqual(await find("https://other.example"), at("https://other.example", null));
  assert.deepEqual(await find(undefined, ""), at(ELSEWHERE, null));
  delete process.env.HOLD_URL;
  assert.deepEqual(await find("https://other.example"), at("https://other.example", "theirs"));
});

test("files that others can touch are not believed", async () => {
  publish({ mode: 0o644 });
  await unknown();
});

test("a server that is gone", async () => {
  publish({ pid: spawnSync("true").pid });
  await unknown();
});

test("broken files", async () => {
  for (const text of ["", "null", "[]", "{}", '{"address":1,"pid":1}', '{"address":"x","pid":-1}']) {
    publish();
    writeFileSync(join(home, "server.json"), text);
    await unknown();
  }
});

test("state folders", async () => {
  const folder = join(home, "holdpoint");
  mkdirSync(folder);
  publish({ folder });
  process.env = { XDG_STATE_HOME: home };
  assert.equal((await find()).base, HERE);
});

test("a client that is told nothing", async () => {
  const server = await Server.start();
  publish({ address: server.url, pid: server.process.pid });
  process.env.HOLD_PROJECT = "mine";
  assert.equal((await new Client().create("?")).project, "mine");
  await server.close();
});
