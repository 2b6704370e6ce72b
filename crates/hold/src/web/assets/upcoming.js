// The cards beside the one on the screen are fetched while it is read, so that they are there when they are asked for.
import { $, $$, later } from "./dom.js";
import { order } from "./list.js";
import { ids } from "./underway.js";
import { load, visit } from "./view.js";

const OLD = 60000;
// By direction: which card it is beside, and what was fetched.
const fetched = new Map();

const current = () => $("#card")?.dataset.decision;
// Those whose answers are under way still wait as far as the server knows.
const address = (by) => {
  // As the list shows them, where it is on the screen.
  const rows = $$("#beside li[data-id]"), here = rows.findIndex((row) => row.dataset.id === current());
  const open = (row) => !ids().has(row.dataset.id) && !row.classList.contains("gone");
  const row = here < 0 ? null : by > 0 ? rows.slice(here + 1).find(open) : rows.slice(0, here).reverse().find(open);
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
    // Nothing is shown for it, but a program that drives a browser can wait for it.
    if (by > 0 && isWanted()) document.documentElement.dataset.beside = "ready";
  }, () => { if (isWanted()) fetched.delete(by); });
  return entry;
};
// Which card is beside this one: none, or unknown, as far as the list says.
const beside = (by) => {
  const shown = $$("#beside li[data-id]:not(.gone)").map((row) => row.dataset.id), known = shown.length ? shown : order() ?? [];
  const here = known.indexOf(current()), isOpen = (id) => !ids().has(id);
  if (here < 0) return undefined;
  return (by > 0 ? [...known.slice(here + 1), ...known.slice(0, here)] : known.slice(0, here).reverse()).find(isOpen) ?? null;
};
// What was fetched is fetched again where another card is beside this one now, or the same has changed.
const stale = new Set();
const isGood = (by) => {
  const entry = fetched.get(by), next = beside(by);
  if (entry?.of !== current() || Date.now() - entry.at > OLD) return false;
  // It is on its way.
  if (entry.id === undefined) return true;
  return !stale.has(entry.id) && (next === undefined ? entry.id !== null : next === entry.id);
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

/** Goes to the card after or before the one on the screen. */
export const go = (by) => {
  const ready = fetched.get(by), isReady = ready?.of === current() && !ids().has(ready.id) && Date.now() - ready.at < OLD;
  fetched.delete(by);
  const entry = isReady ? ready : fetchBeside(by);
  if (entry) visit(address(by), "push", entry.page);
};

/** Fetches what is beside the card on the screen. */
export const start = (signal) => {
  fetched.clear();
  delete document.documentElement.dataset.beside;
  if (!current() || !$("[data-next]")) return;
  [1, -1].forEach(fetchBeside);
  document.addEventListener("news", heard, { signal });
  document.addEventListener("listed", renew, { signal });
};
