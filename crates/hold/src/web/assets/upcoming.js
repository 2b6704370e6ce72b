// Fetches the neighbouring cards while one is read, so that they appear at once.
import { $, $$, later } from "./dom.js";
import { order } from "./list.js";
import { ids } from "./underway.js";
import { load, visit } from "./view.js";

const OLD = 60000;
// By direction: the card it is a neighbour of, and the fetched page.
const fetched = new Map();

const current = () => $("#card")?.dataset.decision;
// Decisions whose answers are under way are still pending to the server, and are skipped.
const address = (by) => {
  // In the order of the list, if that is on the screen.
  const rows = $$("#beside li[data-id]"), here = rows.findIndex((row) => row.dataset.id === current());
  const open = (row) => !ids().has(row.dataset.id) && !row.classList.contains("gone");
  // A card that a search has taken off the list is followed by the first match.
  const row = by > 0 ? rows.slice(here + 1).find(open) : rows.slice(0, Math.max(0, here)).reverse().find(open);
  if (row) return $("a", row).href;
  const link = $(by > 0 ? "[data-next]" : "[data-previous]");
  return link && `${link.href}&skip=${[...ids(), current()].join("+")}`;
};
const fetchBeside = (by) => {
  const href = address(by), of = current();
  if (!href) return null;
  const entry = { of, at: Date.now(), page: load(href) }, isWanted = () => fetched.get(by) === entry;
  fetched.set(by, entry);
  entry.page.then(({ page }) => {
    entry.id = $("#card", page)?.dataset.decision ?? null;
    // Invisible, but a program that drives a browser can wait for it.
    if (by > 0 && isWanted()) document.documentElement.dataset.beside = "ready";
  }, () => { if (isWanted()) fetched.delete(by); });
  return entry;
};
// The id of the neighbour; null if there is none, undefined if unknown.
const beside = (by) => {
  const shown = $$("#beside li[data-id]:not(.gone)").map((row) => row.dataset.id), known = shown.length ? shown : order() ?? [];
  const here = known.indexOf(current()), isOpen = (id) => !ids().has(id);
  if (here < 0) return by > 0 && shown.length ? known.find(isOpen) ?? null : undefined;
  return (by > 0 ? [...known.slice(here + 1), ...known.slice(0, here)] : known.slice(0, here).reverse()).find(isOpen) ?? null;
};
const isFresh = (entry) => entry?.of === current() && Date.now() - entry.at < OLD;
// Whether the card that was fetched is the one that the list shows beside this one now; one that is on its way is taken to be.
const isBeside = (by, { id }) => { const next = beside(by); return id === undefined || next === undefined || next === id; };
// What was fetched is fetched again where another card is beside this one now, or the same has changed.
const stale = new Set();
const isGood = (by) => {
  const entry = fetched.get(by);
  if (!isFresh(entry)) return false;
  const isEmpty = entry.id === null && beside(by) === undefined;
  return isBeside(by, entry) && !stale.has(entry.id) && !isEmpty;
};
const renew = later(500, () => {
  if (!current() || document.hidden) return;
  for (const by of [1, -1]) if (!isGood(by)) fetchBeside(by);
  stale.clear();
});
const heard = ({ detail }) => {
  for (const id of detail?.changed ?? []) stale.add(id);
  renew();
};

/** Goes to the next or previous card. */
export const go = (by) => {
  const ready = fetched.get(by), isReady = isFresh(ready) && !ids().has(ready.id) && isBeside(by, ready);
  fetched.delete(by);
  const entry = isReady ? ready : fetchBeside(by);
  if (entry) visit(address(by), "push", entry.page);
};

/** Fetches the neighbours of the card on the screen. */
export const start = (signal) => {
  fetched.clear();
  delete document.documentElement.dataset.beside;
  if (!current() || !$("[data-next]")) return;
  [1, -1].forEach(fetchBeside);
  document.addEventListener("news", heard, { signal });
  document.addEventListener("listed", renew, { signal });
};
