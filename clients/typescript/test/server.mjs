/** The real server, in a folder of its own. */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Client } from "../dist/index.js";

const BINARY = process.env.HOLD_BIN || fileURLToPath(new URL("../../../target/debug/hold", import.meta.url));
const PATIENCE = 30_000;

for (const name of Object.keys(process.env)) {
  if (name.startsWith("HOLD_") && name !== "HOLD_BIN") delete process.env[name];
}

/** A server that can be killed and started again on the same port. */
export class Server {
  port = 0;

  /** Starts a server that takes callers at their word; with other flags, one that does not. */
  static async start(flags = ["--no-auth"]) {
    const server = new Server();
    server.flags = flags;
    server.home = mkdtempSync(join(tmpdir(), "holdpoint-"));
    writeFileSync(join(server.home, "config.toml"), "[hooks]\ndesktop = false\n");
    await server.start();
    return server;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async start() {
    const listen = `127.0.0.1:${this.port}`;
    const env = { ...process.env, HOLD_HOME: this.home };
    this.process = spawn(BINARY, ["serve", ...this.flags, "--listen", listen], { env, stdio: ["ignore", "ignore", "pipe"] });
    this.ended = new Promise((resolve) => this.process.once("close", resolve));
    let said = "";
    this.port = await new Promise((resolve, reject) => {
      this.process.once("error", reject);
      createInterface(this.process.stderr)
        .on("line", (line) => {
          said += `${line}\n`;
          const match = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
          if (match) resolve(Number(match[1]));
        })
        .on("close", () => reject(new Error(`${BINARY} did not start: ${said}`)));
    });
  }

  /** Makes a token and returns its secret. */
  async token(name, role) {
    const headers = { authorization: `Bearer ${readFileSync(join(this.home, "local.token"), "utf8")}`, "content-type": "application/json" };
    const made = await fetch(`${this.url}/v1/tokens`, { method: "POST", headers, body: JSON.stringify({ name, role }) });
    return (await made.json()).secret;
  }

  /** Ends it as a power cut would. */
  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }

  /** Asks it to end and waits until it has. */
  async stop() {
    this.process.kill("SIGTERM");
    await this.ended;
  }

  async close() {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  client(options = {}) {
    return new Client({ url: this.url, log: () => undefined, ...options });
  }

  /** Holds until a request holds on a decision. */
  async parked() {
    await until(async () => {
      const text = await (await fetch(`${this.url}/metrics`)).text();
      return Number(/^hold_waiters (\d+)/m.exec(text)?.[1] ?? 0) > 0;
    });
  }
}

/** Looks until something holds. */
export async function until(holds) {
  const giveUp = Date.now() + PATIENCE;
  while (!(await holds())) {
    if (Date.now() > giveUp) throw new Error("it did not come to that");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Collects what an iterator yields. */
export async function all(iterable) {
  const found = [];
  for await (const each of iterable) found.push(each);
  return found;
}

/** Makes a promise to be settled from outside. */
export function signal() {
  let set;
  const promise = new Promise((resolve) => (set = resolve));
  return { set, promise };
}
