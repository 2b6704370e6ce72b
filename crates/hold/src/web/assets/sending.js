// Sending an answer: the next card is drawn at once, and the answer is held back for a few seconds, during which it
// can be undone. A refused answer comes back with the input and the reason.
import { $, $$, isTyping, parse, say } from "./dom.js";
import { forget } from "./drafts.js";
import { body } from "./form.js";
import * as tray from "./tray.js";
import { add, all, remove } from "./underway.js";
import { go } from "./upcoming.js";
import { draw, isDrawn, kept } from "./view.js";

// The most that browsers still send for a page that is being left.
const SMALL = 60000;
// An answer to a decision with a deadline this near is sent at once.
const SOON = 30000;

const isPick = ({ type }) => type === "radio" || type === "checkbox";
// Whether the input is certainly valid. Otherwise the card is left only after the server has checked it.
const isSure = (form, submitter) => {
  const guides = $("#guidance", form)?.value.trim();
  if (submitter?.value === "guide") return Boolean(guides);
  if (guides) return false;
  const sends = submitter?.name.startsWith("v:"), pressed = sends ? submitter : $("#fields :checked", form);
  if (pressed && "needsWords" in pressed.dataset && !$("#message", form)?.value.trim()) return false;
  if (submitter?.name === "out") return true;
  const isEmpty = (field) => "optional" in field.dataset && $$("input, textarea, select", field).every((one) => (isPick(one) ? !one.checked : !one.value.trim()));
  const isPicked = (field) => {
    const picked = $(":checked", field), own = $("textarea[data-own]", field);
    return /^(choice|confirm|boolean)$/.test(field.dataset.kind) && picked && (!own || picked.id !== `${own.id}-pick` || own.value.trim());
  };
  const others = $$("#fields > [data-field]", form).filter((field) => !sends || submitter.name !== `v:${field.dataset.field}`);
  // Whether a field is asked may depend on the pick; where picking sends, all possible fields are shown.
  return (sends || !("conditional" in form.dataset)) && others.every((field) => isEmpty(field) || isPicked(field));
};

// The answer in the words on the card.
const inWords = (form, submitter) => {
  const label = (at) => ($(".label", at) ?? at.closest?.("label")?.querySelector(".label") ?? $("span", at) ?? at).textContent.trim();
  if (submitter?.value === "guide") return "Changes requested";
  if (submitter && !submitter.hasAttribute("data-send") && submitter.name !== "verb") return label(submitter);
  const picked = $$("#fields :checked", form).map(label).filter(Boolean);
  return picked.length ? picked.join(", ") : "Answered";
};

const entryOf = (form, submitter) => {
  const data = body(form), card = $("#card");
  if (submitter?.name) data.append(submitter.name, submitter.value);
  const same = data.get("alone") === "true" ? "" : data.get("same") ?? "";
  return { id: card.dataset.decision, same: same.split(" ").filter(Boolean), action: form.action, data, card,
    words: inWords(form, submitter), title: card.dataset.headline ?? "", kept: kept(), form, isSure: isSure(form, submitter) };
};

// Whether showing another card would disturb the person.
const isBusy = () => isTyping(document.activeElement) || "touched" in ($("#answer")?.dataset ?? {}) || Boolean($("dialog[open]"));
const size = (entry) => entry.data.toString().length;
// How long an answer is held back, in milliseconds. All answers that are held back must be sent if the page is left.
const holdFor = (entry) => {
  const { due, undo } = entry.card.dataset, together = all().reduce((sum, one) => sum + size(one), 0);
  return (due && Date.parse(due) - Date.now() < SOON) || together >= SMALL ? 0 : Number(undo) * 1000;
};
const isOnScreen = (entry) => document.contains(entry.form);
const drop = (entry) => { remove(entry); entry.line?.remove(); };

const show = (entry) => {
  const how = isOnScreen(entry) ? "replace" : "push";
  drop(entry);
  delete entry.form.dataset.sent;
  draw(entry.back, how);
};

// A server that does not know the person names the input by ids: the card has the labels.
const name = (form, page) => {
  for (const term of $$(".typed dt[data-name]", page)) {
    const value = term.nextElementSibling, all = [...form.elements].filter((one) => one.name === term.dataset.name);
    const one = all.find((one) => one.value === value.textContent) ?? all[0], field = one?.closest(".field");
    if (!one) continue;
    const words = field && ($("legend > span, .field > label > span", field) ?? $("label", field));
    const option = one.tagName === "SELECT" ? one.selectedOptions[0] : one.tagName === "BUTTON" ? $(".label", one) : isPick(one) && $(".label", one.closest("label"));
    if (words) term.textContent = words.textContent.trim();
    if (option) value.textContent = option.textContent.trim();
  }
};

// Brings the card back with the input and the reason: at once, or, if that would disturb the person, as the next
// card.
const bringBack = (entry, back, why) => {
  entry.back = back;
  if (isOnScreen(entry) || !isBusy()) { show(entry); return; }
  entry.line ??= tray.line();
  entry.line.classList.add("bad");
  tray.fill(entry.line, { words: "Not sent:", title: entry.title, rest: why, act: { label: "Show it", run: () => show(entry) } });
  say(`Not sent: ${entry.title}. ${why}`);
};

// The outcome is unknown: the card comes back as it was left, and says so.
const unsent = (entry) => {
  const words = "Not confirmed. Send again; it counts only once.";
  const banner = Object.assign(document.createElement("p"), { className: "banner bad", textContent: words });
  banner.setAttribute("role", "alert");
  const nodes = entry.kept.nodes.filter((node) => !node.classList?.contains("banner"));
  nodes.splice(1, 0, banner);
  bringBack(entry, { ...entry.kept, nodes }, "the server could not be reached.");
};

const taken = (entry, page) => {
  drop(entry);
  forget(entry.id);
  tray.tell($$("#told > *", page));
  const here = new URL(location);
  here.searchParams.set("done", entry.id);
  if (isDrawn(here)) history.replaceState(history.state, "", here);
};

const why = (page) => $("#main .banner.bad, #main h1", page)?.textContent.trim() ?? "";
const post = async (entry, more = {}) => {
  const data = new URLSearchParams(entry.data);
  for (const [name, value] of Object.entries(more)) data.append(name, value);
  const reply = await fetch(entry.action, { method: "POST", body: data, keepalive: size(entry) < SMALL });
  const page = parse(await reply.text());
  name(entry.form, page);
  return { reply, page };
};

const deliver = async (entry) => {
  clearTimeout(entry.timer);
  delete entry.until;
  if (!isOnScreen(entry)) {
    entry.line ??= tray.line();
    tray.fill(entry.line, { words: entry.words, title: entry.title, rest: "sending" });
  }
  try {
    const { page } = await post(entry, { script: "true" });
    if (!$("#told", page)) {
      bringBack(entry, { url: entry.kept.url, page }, why(page));
      return;
    }
    const stayed = isOnScreen(entry);
    taken(entry, page);
    if (stayed) moveOn();
  } catch { unsent(entry); }
};

const held = () => all().filter((entry) => entry.until);
const left = (entry) => `sending in ${Math.max(1, Math.ceil((entry.until - Date.now()) / 1000))} s`;
setInterval(() => { for (const entry of held()) $(".rest", entry.line).textContent = left(entry); }, 250);

const takeBack = (entry) => {
  clearTimeout(entry.timer);
  entry.back ??= entry.kept;
  show(entry);
  say(`Not sent: ${entry.title}`);
};
const hold = (entry, time) => {
  entry.until = Date.now() + time;
  entry.timer = setTimeout(deliver, time, entry);
  entry.line = tray.line();
  tray.fill(entry.line, { words: entry.words, title: entry.title, rest: left(entry), act: { label: "Undo", key: "U", run: () => takeBack(entry) } });
};

/** Undoes the last answer that has not been sent, or shows the one that was refused. */
export const undo = () => {
  const entry = all().filter((one) => one.until || one.back).pop();
  if (entry) takeBack(entry);
  else say("There is nothing to undo.");
};

// Leaving the page sends everything, because nothing can be undone any more.
const flush = () => held().forEach(deliver);
addEventListener("pagehide", flush);
document.addEventListener("visibilitychange", () => { if (document.hidden) flush(); });

const moveOn = () => {
  const back = all().find((entry) => entry.back);
  if (back) show(back);
  else go(1);
};

const send = async (entry) => {
  add(entry);
  const time = holdFor(entry);
  if (!entry.isSure) {
    document.dispatchEvent(new Event("leaving"));
    if (!time) { deliver(entry); return; }
    // Errors are shown while the card is still there, not seconds after it was left.
    try {
      const { reply, page } = await post(entry, { check: "true" });
      if (reply.status !== 204) { bringBack(entry, { url: entry.kept.url, page }, why(page)); return; }
    } catch { unsent(entry); return; }
  }
  moveOn();
  if (time) hold(entry, time);
  else deliver(entry);
};

// A card whose answer is under way cannot be answered again.
const isUnderWay = (form) => {
  const entry = all().find((one) => one.id === $("#card")?.dataset.decision && one.form !== form);
  if (!entry) return false;
  const words = Object.assign(document.createElement("p"), { className: "banner", textContent: `Your answer is on its way: ${entry.words}. ` });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Undo" });
  button.addEventListener("click", () => takeBack(entry));
  if (entry.until) words.append(button);
  $("#changed")?.replaceChildren(words);
  form.classList.add("blocked");
  for (const one of $$("button", form)) one.disabled = true;
  return true;
};

/** Enhances sending the answer of the card on the page. */
export const start = (signal) => {
  const form = $("#answer");
  if (!form) return;
  delete form.dataset.sent;
  if (isUnderWay(form)) return;
  form.addEventListener("input", () => { form.dataset.touched = ""; }, { signal });
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if (form.classList.contains("blocked") || "sent" in form.dataset) { event.preventDefault(); return; }
    const { submitter } = event, goesOn = submitter?.value === "continue";
    if (!goesOn) form.dataset.sent = "";
    // A conversation and a signed link have no next card.
    if (goesOn || submitter?.hasAttribute("formaction") || !isDrawn(location)) { document.dispatchEvent(new Event("leaving")); return; }
    event.preventDefault();
    send(entryOf(form, submitter));
  }, { signal });
  // After going back in the browser's history, the form can be sent again.
  addEventListener("pageshow", () => { delete form.dataset.sent; }, { signal });
};
