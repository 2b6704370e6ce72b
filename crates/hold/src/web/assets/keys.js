// Keyboard commands: moving, picking and sending.
import { $, $$, isTyping, reveal } from "./dom.js";
import * as marks from "./marks.js";
import * as palette from "./palette.js";
import { undo } from "./sending.js";
import { go } from "./upcoming.js";
import { visit } from "./view.js";

/** Picks the option, or focuses the button, with a number; returns whether there is one. */
export const pick = (number) => {
  const control = $(`[data-number="${number}"]`);
  if (!control || control.disabled || control.closest("[hidden]")) return false;
  if (control.getAttribute("aria-disabled") === "true") { document.dispatchEvent(new Event("unread")); return true; }
  // The bar at the foot shows the pick: the page stays where it is read.
  control.focus({ preventScroll: Boolean($(`#choices:not([hidden]) [data-picks="${number}"]`)) });
  // A button is only made ready: Enter sends it.
  if (control.type === "radio" || control.type === "checkbox") control.click();
  return true;
};

/** Picks the person's recent answer to the same question; sends nothing. */
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
// The focused row, unless the card beside it is the same decision's: keys then apply to the row, not to the card.
const chosen = () => {
  const row = document.activeElement?.closest?.(".rows .row");
  return row && row.closest("li").dataset.id !== $("#card")?.dataset.decision ? row : null;
};
// While marking, or with a row focused, keys move in the list.
const beside = (by) => ($("#main #card") && !marks.any() && !chosen() ? go(by) : move(by));
const focus = (query) => {
  const box = $(query), fold = box?.closest("details");
  if (fold) fold.open = true;
  box?.focus();
  return Boolean(box);
};
// Sends from anywhere in the form; a focused button is pressed by the browser.
const send = () => {
  if (marks.any() && !document.activeElement?.closest("#answer, #many, .bar, header")) { marks.answer(); return true; }
  const at = document.activeElement, button = $("#answer [data-send]");
  if (!button || button.disabled || (at && /^(BUTTON|A|SUMMARY)$/.test(at.tagName))) return false;
  button.click();
  return true;
};
// Whether a row shows its whole subject: consent to any other is picked where the subject is read.
const isWhole = (row) => {
  const what = $(".what", row), facts = $(".facts", row);
  return "whole" in row.dataset && what && what.scrollWidth <= what.clientWidth && (!facts || facts.checkVisibility());
};
// A pick made by a key in the list, to be applied on the card. It is not in the address, because anybody could write
// such a link.
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
// Scrolls to the next or previous file of a change, below the sticky parts of the page. The cell of a file's head is
// sticky, its row is not.
const file = (by) => {
  const all = $$(".diff tr.file"), edge = (row) => row.getBoundingClientRect().top - parseFloat(getComputedStyle(row).scrollMarginTop);
  const at = by > 0 ? all.findIndex((row) => edge(row) > 4) : all.findLastIndex((row) => edge(row) < -4);
  all[at]?.scrollIntoView({ block: "start" });
  return all.length > 0;
};
// The box of a card whose only question is a text.
const onlyBox = () => {
  const fields = $$("#answer #fields .field"), box = fields.length === 1 && $("input, textarea", fields[0]);
  return box && isTyping(box) && $$("input, textarea, select", fields[0]).length === 1 && !box.disabled && !$("#answer [data-focus]") ? box : null;
};
// Whether the person moves from card to card by keys, or left the box on purpose: then letters are commands.
let walks = false, isLeft = false, before = null;
// On a card whose only question is a text, a letter starts that text. A digit does not, because it picks on other
// cards.
const begins = (event) => {
  const at = document.activeElement, isFree = !at || at === document.body || at.id === "main" || at.closest?.("#card, #beside") && !/^(INPUT|BUTTON|A|SUMMARY)$/.test(at.tagName);
  const box = !isLeft && isFree && /^\p{L}$/u.test(event.key) && !((walks || location.pathname === "/") && /^[jk]$/.test(event.key)) && onlyBox();
  box?.focus?.();
  return Boolean(box);
};
// Shows the keys that do something here.
const help = () => {
  const fits = new Set(palette.fitting());
  for (const row of $$("#help [data-fits]")) row.hidden = !fits.has(row);
  $("#help")?.showModal();
};
const find = () => palette.open({ ...acts, pick }, visit);
const acts = {
  j: () => { walks = true; return beside(1); },
  k: () => { walks = true; return beside(-1); },
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

// Ctrl+Enter sends from inside a box.
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
  if (isTyping(at)) { if (event.key === "Escape") { at.blur(); isLeft = true; } return; }
  if (begins(event)) return;
  const act = acts[event.key] ?? (/^[1-9]$/.test(event.key) ? () => digit(event.key) : null);
  if (act && act() !== false) event.preventDefault();
});

// Opening a fold with a box focuses the box, so that letters are typed.
const fill = (fold) => {
  if (fold?.open) $$("input, textarea", fold).find((one) => isTyping(one) && one.type !== "hidden")?.focus();
};
document.addEventListener("click", ({ target }) => {
  const fold = target.closest?.("summary")?.parentElement;
  if (fold) setTimeout(() => fill(fold));
  if (target.closest?.("#again button")) again();
  acts[target.closest?.("[data-key]")?.dataset.key]?.();
  const menu = $("details.menu[open]");
  if (menu && !menu.contains(target)) menu.open = false;
});
for (const [query, act] of [["#keys", help], ["#find", find]]) {
  const button = $(query);
  if (button) { button.hidden = false; button.addEventListener("click", act); }
}

/** Focuses the most likely control; the page stays at the beginning of the subject. */
export const start = () => {
  if (document.activeElement?.matches("#search")) return;
  const card = $("#main #card")?.dataset.decision ?? null, comes = card !== before && before !== null;
  if (card !== before) isLeft = false;
  if (card === null) walks = false;
  if (!$("[autofocus]")) $("[data-focus]")?.focus({ preventScroll: true });
  // Focuses the box at once, unless a key was pressed for another card before.
  if (card && !comes && !walks && location.pathname.startsWith("/d/") && !$("[autofocus]")) onlyBox()?.focus({ preventScroll: true });
  before = card;
  // Coming from the list with a pick: it is applied, and Enter sends it.
  if (wanted && $("#card")?.dataset.decision === wanted.id) pick(wanted.key);
  wanted = null;
};
