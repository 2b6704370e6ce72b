// The cards beside the one on the screen are fetched while it is read, so that they are there when they are asked for.
import { $, $$, later } from "./dom.js";
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
    entry.id = $("#card", page)?.dataset.decision;
    // Nothing is shown for it, but a program that drives a browser can wait for it.
    if (by > 0 && isWanted()) document.documentElement.dataset.beside = "ready";
  }, () => { if (isWanted()) fetched.delete(by); });
  return entry;
};
const renew = later(500, () => { if (current() && !document.hidden) [1, -1].forEach(fetchBeside); });

/** Goes to the card after or before the one on the screen. */
export const go = (by) => {
  const ready = fetched.get(by), isGood = ready?.of === current() && !ids().has(ready.id) && Date.now() - ready.at < OLD;
  fetched.delete(by);
  const entry = isGood ? ready : fetchBeside(by);
  if (entry) visit(address(by), "push", entry.page);
};

/** Fetches what is beside the card on the screen. */
export const start = (signal) => {
  fetched.clear();
  delete document.documentElement.dataset.beside;
  if (!current() || !$("[data-next]")) return;
  [1, -1].forEach(fetchBeside);
  document.addEventListener("news", renew, { signal });
  document.addEventListener("listed", renew, { signal });
};
