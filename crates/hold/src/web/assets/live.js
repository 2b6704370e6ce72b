// One stream reports changes of the list: rows that came or changed, and the current order.
import { follow } from "./follow.js";

const FILTERS = ["q", "project", "source", "assignee", "owner", "snoozed", "shown"];
let life = null, query = null;

/** Returns the filter of the list, from the address of the page. */
export const filter = () => {
  const asked = new URLSearchParams(location.search);
  return new URLSearchParams(FILTERS.filter((name) => asked.get(name)).map((name) => [name, asked.get(name)])).toString();
};

const id = (part) => /^<li data-id="([^"]+)"/.exec(part)?.[1];

/** Listens to the list of this address, across pages that are drawn in place. */
export const listen = () => {
  const { seq } = document.body.dataset, wanted = filter();
  if (!seq || wanted === query) return;
  life?.abort();
  life = new AbortController();
  query = wanted;
  // The parts of the list that were sent on this stream; the server refers to them by index.
  let parts = [];
  const source = follow(`/live?${wanted}${wanted && "&"}rows=true&after=${encodeURIComponent(seq)}`, life.signal, () => null);
  source?.addEventListener("rows", (event) => {
    const { rows, new: asked, changed } = JSON.parse(event.data);
    parts = rows.flatMap((step) => (typeof step === "string" ? [step] : parts.slice(step[0], step[0] + step[1])));
    const detail = { seq: Number(event.lastEventId), filter: wanted, text: parts.join(""), ids: parts.map(id).filter(Boolean), asked: new Set(asked), changed };
    document.dispatchEvent(new CustomEvent("news", { detail }));
  });
};

export const start = listen;
