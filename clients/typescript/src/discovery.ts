/** Where the server is, and with which token it is spoken to. */

import { NotConfigured } from "./problem.js";
import { isAlive, readPrivate, variable } from "./runtime.js";

/** An address and the token for it. */
export interface Place {
  readonly base: string;
  readonly token: string | null;
}

/**
 * Returns the server's address and the token for it: as given, else `HOLD_URL` and `HOLD_TOKEN`, else the server that
 * runs on this machine for this data folder.
 */
export async function find(url: string | undefined, token: string | undefined): Promise<Place> {
  const configured = variable("HOLD_URL");
  const local = await findLocal();
  const address = url || configured || local?.base;
  if (!address) throw new NotConfigured("no server is known: set HOLD_URL, or start `hold serve` on this machine");
  const here = origin(address);
  if (here === null) {
    throw new NotConfigured(`${JSON.stringify(address)} is not the address of a server; it must start with http:// or https://`);
  }
  const base = address.replace(/\/+$/, "");
  if (token !== undefined) return { base, token: token || null };
  // HOLD_TOKEN belongs to HOLD_URL; another server must not get to see it.
  const known = variable("HOLD_TOKEN");
  if (known && (!configured || origin(configured) === here)) return { base, token: known };
  return { base, token: local !== null && origin(local.base) === here ? local.token : null };
}

/** Returns scheme, host and port; null if two readers could take it for different hosts. */
export function origin(url: string): string | null {
  const match = /^(https?):\/\/([A-Za-z0-9.\-:[\]]+)(?=[/?#]|$)/.exec(url);
  return match?.[2] === undefined ? null : `${match[1]}://${match[2].toLowerCase()}`;
}

/** Finds the server of the data folder, if it runs, and its token. */
async function findLocal(): Promise<Place | null> {
  const home = dataFolder();
  const text = home === null ? null : await readPrivate(`${home}/server.json`);
  if (text === null) return null;
  let server: unknown;
  try {
    server = JSON.parse(text);
  } catch {
    return null;
  }
  const { address, pid } = (server ?? {}) as Record<string, unknown>;
  if (typeof address !== "string" || typeof pid !== "number" || !isAlive(pid)) return null;
  return { base: address, token: (await readPrivate(`${home}/local.token`))?.trim() || null };
}

function dataFolder(): string | null {
  const home = variable("HOLD_HOME");
  if (home) return home;
  const state = variable("XDG_STATE_HOME");
  if (state?.startsWith("/")) return `${state}/holdpoint`;
  const user = variable("HOME");
  return user ? `${user}/.local/state/holdpoint` : null;
}
