/** What differs between Node, Deno, Bun and browsers. */

interface Process {
  readonly env?: Record<string, string | undefined>;
  readonly platform?: string;
  readonly versions?: { readonly node?: string };
  readonly stderr?: { write(text: string): unknown };
  geteuid?(): number;
  kill?(pid: number, signal: number): unknown;
}

/** The process this runs in; undefined in browsers. */
export const process: Process | undefined = (globalThis as { process?: Process }).process;

/** Reads an environment variable; an empty one counts as not set. */
export function variable(name: string): string | undefined {
  try {
    return process?.env?.[name] || undefined;
  } catch {
    // Deno asks its user, who may have said no.
    return undefined;
  }
}

/** Says something to the person at the terminal. */
export function say(line: string): void {
  if (process?.stderr !== undefined) process.stderr.write(`${line}\n`);
  else console.error(line);
}

/** Makes up a key that nobody else has. */
export async function randomKey(): Promise<string> {
  return hex((await webCrypto()).getRandomValues(new Uint8Array(16)));
}

/** Makes a key from words: the same from the same ones, whatever characters they have. */
export async function keyOf(...words: readonly string[]): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(words));
  return hex(new Uint8Array(await (await webCrypto()).subtle.digest("SHA-256", text)));
}

/** Returns HMAC-SHA-256 of a message. */
export async function hmacSha256(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const { subtle } = await webCrypto();
  const imported = await subtle.importKey("raw", key as BufferSource, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, message as BufferSource));
}

async function webCrypto(): Promise<Crypto> {
  const name = "node:crypto";
  // Node 18 has it, but not in the open.
  return globalThis.crypto ?? ((await import(name)) as { webcrypto: Crypto }).webcrypto;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface FileHandle {
  stat(): Promise<{ isFile(): boolean; mode: number; uid: number }>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

const LONGEST = 4096;

/** Reads a file that nobody but its owner can have written or read; null otherwise, and where there are no files. */
export async function readPrivate(path: string): Promise<string | null> {
  if (process?.versions?.node === undefined || process.geteuid === undefined) return null;
  let file: FileHandle | undefined;
  try {
    // The name is no literal, so that bundlers for browsers leave it alone.
    const name = "node:fs";
    const fs = (await import(name)) as {
      constants: Record<"O_RDONLY" | "O_NOFOLLOW" | "O_NONBLOCK", number>;
      promises: { open(path: string, flags: number): Promise<FileHandle> };
    };
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    file = await fs.promises.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const about = await file.stat();
    const ours = about.uid === process.geteuid() || about.uid === 0;
    if (!about.isFile() || (about.mode & 0o077) !== 0 || !ours) return null;
    const buffer = new Uint8Array(LONGEST);
    const { bytesRead } = await file.read(buffer, 0, LONGEST, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } catch {
    return null;
  } finally {
    await file?.close();
  }
}

/** Returns whether a process of this machine is there. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || process?.kill === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (why) {
    return (why as { code?: string }).code === "EPERM";
  }
}
