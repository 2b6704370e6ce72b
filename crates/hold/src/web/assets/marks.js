// Marks: several rows of the list get one answer, on a page that shows each of them in full.
import { $, $$, say } from "./dom.js";

const MOST = 100;
// By id, so that marks survive when the list is redrawn.
const marked = new Set();
let last = null;

const boxes = () => $$("#list .tick input");
const count = () => boxes().filter((box) => box.checked).length;
const tell = () => {
  const many = count(), bar = $("#many");
  if (!bar) return;
  bar.hidden = !many;
  const words = $("[data-marked]", bar);
  if (words) words.textContent = many > MOST ? `${many} marked; the first ${MOST} are answered` : `${many} marked`;
};
const keep = (box) => { box.checked ? marked.add(box.value) : marked.delete(box.value); };
// The row that a key marks: the focused one, or the one whose card is shown.
const here = () => document.activeElement?.closest?.("#list li") ?? $("#list [aria-current]")?.closest("li") ?? $("#list li");
const set = (box, on) => { if (box) { box.checked = on; keep(box); } };

/** Returns whether any row is marked. */
export const any = () => count() > 0;

/** Marks the current row, or removes its mark. */
export const mark = () => {
  const row = here(), box = row && $(".tick input", row);
  if (!box) { if (row) say("Answer this one separately."); return Boolean(row); }
  set(box, !box.checked);
  last = box.value;
  $(".row", row).focus({ preventScroll: true });
  tell();
  say(box.checked ? `Marked, ${count()} in all` : `No longer marked, ${count()} in all`);
  return true;
};

/** Marks all rows from the last marked one to the current one. */
export const markTo = () => {
  const all = $$("#list li"), to = all.indexOf(here()), from = all.findIndex((row) => row.dataset.id === last);
  if (to < 0) return false;
  for (const row of all.slice(Math.min(to, from < 0 ? 0 : from), Math.max(to, from) + 1)) set($(".tick input", row), true);
  last = all[to].dataset.id;
  $(".row", all[to]).focus({ preventScroll: true });
  tell();
  say(`${count()} marked`);
  return true;
};

/** Marks all rows of the list, or unmarks them if all are marked. */
export const markAll = () => {
  const all = boxes(), on = all.some((box) => !box.checked);
  if (!all.length) return false;
  for (const box of all) set(box, on);
  $(".row", here())?.focus({ preventScroll: true });
  tell();
  say(`${count()} marked`);
  return true;
};

/** Opens the page that shows all marked decisions. */
export const answer = () => { $("#many")?.requestSubmit(); };

const restore = () => {
  if (!$("#list")) return;
  for (const box of boxes()) box.checked = marked.has(box.value);
  const known = new Set(boxes().map((box) => box.value));
  for (const id of marked) if (!known.has(id)) marked.delete(id);
  tell();
};

document.addEventListener("change", ({ target }) => {
  if (!target.matches?.("#list .tick input")) return;
  keep(target);
  last = target.value;
  tell();
});

/** Restores the marks of a list. */
export const start = (signal) => {
  restore();
  document.addEventListener("listed", restore, { signal });
};
