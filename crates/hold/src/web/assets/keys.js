// Keys: they move, pick and send.
import { $, $$, isTyping, reveal } from "./dom.js";
import * as marks from "./marks.js";
import * as palette from "./palette.js";
import { undo } from "./sending.js";
import { go } from "./upcoming.js";
import { visit } from "./view.js";

/** Picks the option, or makes the button ready, that has a number; returns whether there is one. */
export const pick = (number) => {
  const control = $(`[data-number="${number}"]`);
  if (!control || control.disabled || control.closest("[hidden]")) return false;
  if (control.getAttribute("aria-disabled") === "true") { document.dispatchEvent(new Event("unread")); return true; }
  control.focus();
  // A button is only made ready: Enter sends it.
  if (control.type === "radio" || control.type === "checkbox") control.click();
  return true;
};

/** Picks what was answered to the same a while ago; nothing is sent. */
const again = () => {
  const offered = $("#again");
  if (!offered || chosen()) return false;
  const { numbers, text } = offered.dataset;
  if (!numbers) return false;
  for (const number of numbers.split(" ")) if (!$(`#answer [data-number="${number}"]`)?.checked) pick(number);
  const box = text !== undefined && $("#answer [data-own], #fields .field > :is(input, textarea)");
  if (box) { box.value = text; box.dispatchEvent(new Event("input", { bubbles: true })); box.focus(); }
  return true;
};

const rows = () => $$(".rows .row");
const move = (by) => {
  const all = rows(), here = all.indexOf(document.activeElement);
  const row = all[Math.max(0, Math.min(all.length - 1, here < 0 ? 0 : here + by))];
  row?.focus({ preventScroll: true });
  if (row) reveal(row);
};
// The row that has the focus, if it is another decision's than the card's beside it: keys are meant for it, and not for the card.
const chosen = () => {
  const row = document.activeElement?.closest?.(".rows .row");
  return row && row.closest("li").dataset.id !== $("#card")?.dataset.decision ? row : null;
};
// While rows are being marked, or one is chosen, one moves in the list.
const beside = (by) => ($("#main #card") && !marks.any() && !chosen() ? go(by) : move(by));
const focus = (query) => {
  const box = $(query), fold = box?.closest("details");
  if (fold) fold.open = true;
  box?.focus();
  return Boolean(box);
};
// Sends from wherever one is in the form; a focused button is pressed by the browser.
const send = () => {
  if (marks.any() && !document.activeElement?.closest("#answer, #many, .bar, header")) { marks.answer(); return true; }
  const at = document.activeElement, button = $("#answer [data-send]");
  if (!button || button.disabled || (at && /^(BUTTON|A|SUMMARY)$/.test(at.tagName))) return false;
  button.click();
  return true;
};
// Whether all of a subject is seen in its row: what consents to any other is picked where the subject is read.
const isWhole = (row) => {
  const what = $(".what", row), facts = $(".facts", row);
  return "whole" in row.dataset && what && what.scrollWidth <= what.clientWidth && (!facts || facts.checkVisibility());
};
// What was asked for by a key in the list is picked on the card. No address says so: anybody could write it into a link.
let wanted = null;
const digit = (key) => {
  if ($("#answer, #batch") && !chosen()) return pick(key);
  const row = chosen() ?? rows()[0];
  if (!row || !$("#list")) return false;
  const may = !("refusing" in row.dataset) || row.dataset.refusing.split(" ").includes(key) || isWhole(row);
  wanted = may ? { id: row.closest("li").dataset.id, key } : null;
  visit(row.href);
  return true;
};
// Goes to where the next file of a change begins, or the one before; below what stays at the top of the page.
const file = (by) => {
  const all = $$(".diff .file td"), base = Math.max(0, $(".diff")?.getBoundingClientRect().top ?? 0);
  const tops = all.map((one) => one.getBoundingClientRect().top - base);
  const at = by > 0 ? tops.findIndex((top) => top > 72) : tops.findLastIndex((top) => top < 56);
  all[at]?.scrollIntoView({ block: "start" });
  return all.length > 0;
};
// The keys that do something here.
const help = () => {
  const fits = new Set(palette.fitting());
  for (const row of $$("#help [data-fits]")) row.hidden = !fits.has(row);
  $("#help")?.showModal();
};
const find = () => palette.open({ ...acts, pick }, visit);
const acts = {
  j: () => beside(1),
  k: () => beside(-1),
  "/": () => { if (!focus("[data-find]") && !focus("#search")) visit("/"); },
  "?": () => help(),
  u: () => { const back = $("[data-back]"); if (back) visit(back.href); },
  U: undo,
  a: () => { const rules = $("[data-rules]"); if (rules) visit(rules.href); },
  "]": () => file(1),
  "[": () => file(-1),
  i: () => { const details = $("#details"); if (details) { details.open = !details.open; if (details.open) reveal(details); } return Boolean(details); },
  o: () => { const folds = $$(".subject .unfold"); for (const fold of folds) fold.open = true; return folds.length > 0; },
  0: () => again(),
  t: () => { const button = $("[data-take]"); button?.click(); return Boolean(button); },
  z: () => focus("[data-snooze]"),
  x: marks.mark,
  X: marks.markTo,
  "*": marks.markAll,
  g: () => focus("#guidance"),
  m: () => focus("#message"),
  Enter: send,
};

// Ctrl Enter sends from inside a box.
const sendFromBox = (event) => {
  const at = document.activeElement, form = $("#answer");
  const button = form && at?.form === form ? $(at.id === "guidance" ? "[data-guide]" : "[data-send]", form)
    : at?.tagName === "TEXTAREA" && at.form && $("[data-send-here]", at.form);
  if (form && at?.form === form) event.preventDefault();
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.repeat || $("dialog[open]")) return;
  const at = document.activeElement;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === "Enter") sendFromBox(event);
    if (event.key === "k") { event.preventDefault(); find(); }
    return;
  }
  if (isTyping(at)) { if (event.key === "Escape") at.blur(); return; }
  const act = acts[event.key] ?? (/^[1-9]$/.test(event.key) ? () => digit(event.key) : null);
  if (act && act() !== false) event.preventDefault();
});

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#again button")) again();
  acts[target.closest?.("[data-key]")?.dataset.key]?.();
  const menu = $("details.menu[open]");
  if (menu && !menu.contains(target)) menu.open = false;
});
for (const [query, act] of [["#keys", help], ["#find", find]]) {
  const button = $(query);
  if (button) { button.hidden = false; button.addEventListener("click", act); }
}

/** Puts what one most likely does first at hand; the page stays where the subject begins. */
export const start = () => {
  if (document.activeElement?.matches("#search")) return;
  if (!$("[autofocus]")) $("[data-focus]")?.focus({ preventScroll: true });
  // From the list straight to an option: it is picked, and Enter sends it.
  if (wanted && $("#card")?.dataset.decision === wanted.id) pick(wanted.key);
  wanted = null;
};
