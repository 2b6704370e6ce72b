// The live list of pending decisions. Nothing moves under the pointer: rows that would appear above others wait
// behind "3 new".
import { $, $$, adopt, parse, say } from "./dom.js";
import { filter } from "./live.js";
import { tick } from "./time.js";
import { ids } from "./underway.js";

const rows = (root = $("#list")) => (root ? $$("li[data-id]", root) : []);
const id = (row) => row.dataset.id;
// The row that a key would act on.
const target = () => (document.activeElement?.closest?.("#list li[data-id]") ?? rows()[0])?.dataset.id;

// Marks decisions whose answers are being sent: to the server they are still pending.
const mark = () => {
  const underWay = ids();
  for (const row of rows()) row.classList.toggle("under-way", underWay.has(id(row)));
  head();
};
// The number of decisions in each section, including those not shown.
const counts = new Map();
const countSections = (there) => { for (const { dataset } of rows(there)) if (dataset.section) counts.set(dataset.section, dataset.count); };
// The first row of each section carries its heading; when it goes, the next row does.
const head = () => {
  let last;
  for (const row of rows()) {
    const name = row.dataset.in;
    if (name && name !== last) Object.assign(row.dataset, { section: name, count: counts.get(name) ?? rows().filter((one) => one.dataset.in === name).length });
    else { delete row.dataset.section; delete row.dataset.count; }
    last = name;
  }
};
// The number of pending decisions is in the page's title, whatever it shows.
const count = () => {
  const title = $("#list")?.dataset.title;
  if (title === undefined) return;
  const many = /^\([^)]*\) /.exec(title)?.[0] ?? "", name = document.title.replace(/^\([^)]*\) /, "");
  document.title = $("#main #card") ? many + name : `${title} · Holdpoint`;
};

// Replaces the whole list.
const replace = (there) => {
  countSections(there);
  const list = $("#list"), focused = document.activeElement?.closest?.("#list li[data-id]");
  const place = focused ? rows().indexOf(focused) : -1, known = new Set(rows().map(id)), acted = target();
  adopt(list, there);
  list.dataset.title = there.dataset.title;
  for (const row of rows()) if (!known.has(id(row))) row.classList.add("fresh");
  if (place >= 0) $("a", rows().find((row) => id(row) === id(focused)) ?? rows()[Math.min(place, rows().length - 1)] ?? list)?.focus({ preventScroll: true });
  if (!$("#answer") && target() !== acted) document.dispatchEvent(new Event("appeared"));
};

// Updates rows in place, removes those that are gone, and adds new ones below; returns those that would be inserted
// between.
const merge = (there) => {
  countSections(there);
  // Headings are not added to a visible list with a single section: they would move its rows.
  const isSectioned = Boolean(rows()[0]?.dataset.in);
  const list = $("#list"), fresh = new Map(rows(there).map((row) => [id(row), row])), hovered = list.matches(":hover"), acted = target();
  for (const row of rows()) {
    const now = fresh.get(id(row));
    if (!now && hovered) row.classList.add("gone");
    else if (!now) {
      const next = row.contains(document.activeElement) && (row.nextElementSibling ?? row.previousElementSibling);
      row.remove();
      if (next) $("a", next)?.focus({ preventScroll: true });
    } else {
      if (isSectioned && now.dataset.in) row.dataset.in = now.dataset.in;
    }
    if (now && now.innerHTML !== row.innerHTML) {
      const link = $("a", row);
      link.href = $("a", now).href;
      adopt(link, $("a", now));
    }
    fresh.delete(id(row));
  }
  const last = rows(there).findLastIndex((row) => !fresh.has(id(row)));
  const waiting = rows(there).slice(0, last + 1).filter((row) => fresh.has(id(row)));
  const below = rows(there).slice(last + 1).filter((row) => fresh.has(id(row)));
  for (const row of below) { if (!isSectioned) delete row.dataset.in; row.classList.add("fresh"); $(".rows", list).append(row); }
  const words = $(".count", there);
  if (words) $(".count", list)?.replaceChildren(...words.childNodes);
  if (!$("#answer") && target() !== acted) document.dispatchEvent(new Event("appeared"));
  return waiting;
};

const offer = (waiting, there) => {
  const line = $("#list .count");
  if (!waiting.length || !line) return;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "new", textContent: `${waiting.length} new` });
  button.addEventListener("click", () => { replace(there); settle(); $("#list .row")?.focus(); });
  line.append(" ", button);
};
const settle = () => {
  mark();
  tick();
  document.dispatchEvent(new Event("listed"));
};

const renew = ({ text, asked }) => {
  const there = $("#list", parse(text)), whole = $("#list", parse(text));
  if (!there) return;
  const known = new Set(rows().map(id));
  // A row that only moved up into the visible part is not new.
  const added = rows(there).filter((row) => asked.has(id(row)) && !known.has(id(row)));
  if (!rows().length || !rows(there).length) replace(there);
  else offer(merge(there), whole);
  $("#list").dataset.title = whole.dataset.title;
  if (added.length) say(added.length === 1 ? `New decision: ${$(".what, .title", added[0]).textContent}` : `${added.length} new decisions`);
  settle();
};

/** Shows another list after a search. */
export const show = (text) => {
  const there = $("#list", parse(text));
  if (!there) return;
  replace(there);
  for (const row of rows()) row.classList.remove("fresh");
  settle();
};

// Rows that went while the pointer was over the list are removed when the pointer leaves.
document.addEventListener("pointerover", ({ target: over }) => { if (!over.closest?.("#list")) for (const row of $$("#list .gone")) row.remove(); });

// Also received on a card: the list drawn next may have been fetched earlier.
let latest = null;
document.addEventListener("news", ({ detail }) => {
  latest = detail;
  if ($("#list") && detail.filter === filter()) renew(detail);
});

/** Returns the ids of the list in order, if known for the current filter. */
export const order = () => (latest?.filter === filter() ? latest.ids : null);

/** Updates a list that was fetched when the log was at `seq`. */
export const catchUp = (seq) => { if (latest?.filter === filter() && latest.seq > Number(seq)) renew({ ...latest, asked: new Set() }); };

/** Keeps the list up to date. */
export const start = (signal) => {
  count();
  document.addEventListener("listed", count, { signal });
  if (!$("#list")) return;
  countSections($("#list"));
  mark();
  if ($("#main #list")) catchUp(document.body.dataset.seq);
  document.addEventListener("underway", mark, { signal });
  document.addEventListener("listed", mark, { signal });
  // After an answer, the next decision gets the focus.
  if (!$("#answer") && new URLSearchParams(location.search).has("done")) $("#list .row")?.focus({ preventScroll: true });
};
