/** Saved views: searches that a person gave names to. */

import type { Status } from "./decision.js";
import { segment, type CallOptions, type Transport } from "./transport.js";

/** A search with a name: `client.list({ view })` lists what it finds. */
export interface View {
  readonly name: string;
  /** What is looked for: words, and filters such as `project=web` or `older=10m`. */
  readonly q: string;
  /** In which status: one, several with commas between, or `all`. */
  readonly status: string;
}

/** What is saved under a name. */
export interface NewView {
  readonly q?: string | undefined;
  /** The pending ones if not given. */
  readonly status?: string | readonly Status[] | undefined;
}

/** The views of the person that a client acts for: `client.views`. An agent has none. */
export class Views {
  constructor(private readonly transport: Transport) {}

  /** Returns one's own views, by name. */
  async list(options: CallOptions = {}): Promise<View[]> {
    const listed = await this.transport.call({ method: "GET", path: "/v1/views", signal: options.signal });
    return (listed as { items: View[] }).items;
  }

  /** Saves a view, in the place of one that has the name. */
  async save(name: string, view: NewView = {}, options: CallOptions = {}): Promise<View> {
    const { q, status } = view;
    const body = { q, status: typeof status === "object" ? status.join(",") : status };
    return (await this.transport.call({ method: "PUT", path: pathOf(name), body, signal: options.signal })) as View;
  }

  /** Removes a view. Rejects with a `Problem` (`not_found`) if there is none of that name. */
  async remove(name: string, options: CallOptions = {}): Promise<void> {
    // A second try would be told that there is none.
    await this.transport.call({ method: "DELETE", path: pathOf(name), once: true, signal: options.signal });
  }
}

function pathOf(name: string): string {
  return `/v1/views/${segment(name)}`;
}
