/** The log: as it stands, or as it grows. */

import { Broken, link, now, PAUSES, sleep, type Request, type Transport } from "./transport.js";

/** Something that happened, as the log has it; what else it says depends on its type. */
export interface Event {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly project: string | null;
  readonly stream: string;
  readonly id: string | null;
  readonly [key: string]: unknown;
}

/** Which events. */
export interface Selection {
  readonly decision: string | undefined;
  readonly project: string | undefined;
}

const PAGE = 500;
/** How many milliseconds without a sign of life end a connection; the server gives one every 15 seconds. */
const SILENCE = 45_000;

/** Yields the events after a sequence number, up to the last there is. */
export async function* readLog(
  transport: Transport,
  after: number,
  selection: Selection,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, void, undefined> {
  for (let last = after; ; ) {
    const query = { ...selection, after: last, limit: PAGE };
    const page = (await transport.call({ method: "GET", path: "/v1/events", query, signal })) as Event[];
    if (page.length === 0) return;
    for (const event of page) {
      last = event.seq;
      yield event;
    }
  }
}

/**
 * Yields events as they are recorded, each once and in order, through broken connections and restarts.
 *
 * A server that cannot be reached at first is given up on after the client's patience; one that was there is not.
 */
export async function* followLog(
  transport: Transport,
  after: number | undefined,
  selection: Selection,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, void, undefined> {
  let giveUp = now() + transport.patience;
  let last = after;
  for (let pause: number = PAUSES[0]; ; pause = Math.min(pause * 2, PAUSES[1])) {
    const control = new AbortController();
    const unlink = link(signal, control);
    try {
      const stream = await transport.open(request(selection, last), control);
      giveUp = Infinity;
      for await (const frame of frames(stream, control)) {
        pause = PAUSES[0];
        last = frame.id ?? last;
        if (frame.data !== "") yield JSON.parse(frame.data) as Event;
      }
    } catch (why) {
      signal?.throwIfAborted();
      if (!(why instanceof Broken)) throw why;
      if (now() + pause > giveUp) throw why.error;
    } finally {
      unlink();
      control.abort();
    }
    await sleep(pause * (0.5 + Math.random() / 2), signal);
  }
}

function request(selection: Selection, last: number | undefined): Request {
  const resume: Record<string, string> = last === undefined ? {} : { "last-event-id": String(last) };
  return { method: "GET", path: "/v1/events", query: { ...selection }, headers: { accept: "text/event-stream", ...resume } };
}

interface Frame {
  readonly id: number | undefined;
  readonly data: string;
}

/** Yields what a stream says, frame by frame, and ends where it breaks; a frame that was cut off is left out. */
async function* frames(stream: ReadableStream<Uint8Array>, control: AbortController): AsyncGenerator<Frame, void, undefined> {
  let id: number | undefined;
  let data: string[] = [];
  for await (const line of lines(stream, control)) {
    if (line === "") {
      if (id !== undefined || data.length > 0) yield { id, data: data.join("\n") };
      [id, data] = [undefined, []];
      continue;
    }
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "id" && /^[0-9]+$/.test(value)) id = Number(value);
    else if (name === "data") data.push(value);
  }
}

async function* lines(stream: ReadableStream<Uint8Array>, control: AbortController): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const timer = setTimeout(() => control.abort(), SILENCE);
    let chunk: Uint8Array | undefined;
    try {
      chunk = (await reader.read()).value;
    } catch {
      // The connection broke; the next one goes on after what was seen last.
    } finally {
      clearTimeout(timer);
    }
    if (chunk === undefined) return;
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield part.endsWith("\r") ? part.slice(0, -1) : part;
  }
}
