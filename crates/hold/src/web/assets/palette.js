// The palette: type a word or two to open a decision, go to a page, or run a key's command.
import { $, $$, parse } from "./dom.js";

const made = (tag, given) => Object.assign(document.createElement(tag), given);
const text = (node) => node.textContent.trim().replace(/\s+/g, " ");

/** Returns the keys that do something on this page, as listed in the help. */
export const fitting = () => $$("#help [data-fits]").filter((row) => $(row.dataset.fits));

const entries = (acts, visit) => {
  const keys = fitting().map((row) => ({ key: text($("kbd", row)), words: text($("dd", row)) }))
    .filter(({ key }) => acts[key]).map(({ key, words }) => ({ key, words, run: acts[key] }));
  const options = $$("#answer [data-number], #batch [data-number]").filter((control) => !control.disabled && control.checkVisibility()).map((control) => ({
    key: control.dataset.number, words: text($(".label", control.closest("label") ?? control) ?? control), run: () => acts.pick(control.dataset.number),
  }));
  const pages = $$("header nav a, header .menu-items a").map((link) => ({ key: "", words: `Go to ${text(link)}`, run: () => visit(link.href) }));
  return [...options, ...keys, ...pages];
};

/** Returns the links to saved views: from the list, or fetched if the page has none. */
const views = async () => {
  if ($(".views")) return $$(".views nav a");
  const reply = await fetch("/views", { headers: { accept: "text/html" } }).catch(() => null);
  return reply?.ok ? $$("a", parse(await reply.text())) : [];
};

// How long to wait after typing before asking the server, and how many decisions to offer.
const PAUSE = 120, MOST = 8;

/** Returns commands that open the pending decisions with these words, as the inbox's search finds them. */
const decisions = async (words, visit, signal) => {
  const reply = await fetch(`/rows?q=${encodeURIComponent(words)}`, { headers: { accept: "text/html" }, signal }).catch(() => null);
  const rows = reply?.ok ? $$("li[data-id]", parse(await reply.text())).slice(0, MOST) : [];
  for (const row of rows) $(".facts", row)?.remove();
  return rows.map((row) => ({ key: "", words: `Open ${text($(".what, .title", row))}`, run: () => visit(`/d/${row.dataset.id}`) }));
};

/** Opens the palette. */
export const open = (acts, visit) => {
  $("#palette")?.remove();
  const dialog = made("dialog", { id: "palette" }), box = made("input", { type: "text", id: "palette-box", autocomplete: "off", placeholder: "Find a decision, a page or a command" });
  const list = made("ul", { id: "palette-list" }), all = entries(acts, visit);
  dialog.setAttribute("aria-label", "Find a decision, a page or a command");
  for (const [name, value] of [["role", "combobox"], ["aria-expanded", "true"], ["aria-controls", list.id], ["aria-label", "Find a decision, a page or a command"]]) box.setAttribute(name, value);
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "What fits");
  let found = [], at = 0, waiting = [], sought = new AbortController(), pause;
  const choose = (to) => {
    at = Math.max(0, Math.min(found.length - 1, to));
    for (const [place, row] of [...list.children].entries()) row.setAttribute("aria-selected", place === at);
    list.children[at]?.scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", list.children[at]?.id ?? "");
  };
  const run = (entry) => { dialog.close(); entry?.run(); };
  const draw = (to = 0) => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = all.filter((entry) => words.every((word) => entry.words.toLowerCase().includes(word)));
    if (words.length) found.push(...waiting);
    if (words.length) found.push({ key: "", words: `Search the inbox for “${box.value.trim()}”`, run: () => visit(`/?q=${encodeURIComponent(box.value.trim())}`) });
    list.replaceChildren(...found.map((entry, place) => {
      const row = made("li", { id: `palette-${place}` });
      row.setAttribute("role", "option");
      row.append(made("span", { textContent: entry.words, dir: "auto" }));
      if (entry.key) row.append(made("kbd", { textContent: entry.key }));
      row.addEventListener("click", () => run(entry));
      return row;
    }));
    choose(to);
  };
  const seek = () => {
    sought.abort();
    sought = new AbortController();
    clearTimeout(pause);
    waiting = [];
    const words = box.value.trim(), { signal } = sought;
    if (words) pause = setTimeout(async () => {
      const rows = await decisions(words, visit, signal).catch(() => []);
      if (signal.aborted || !dialog.isConnected) return;
      waiting = rows;
      draw(at);
    }, PAUSE);
  };
  box.addEventListener("input", () => { seek(); draw(); });
  box.addEventListener("keydown", (event) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to !== undefined) choose(to);
    else if (event.key === "Enter") run(found[at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  dialog.addEventListener("close", () => { sought.abort(); dialog.remove(); });
  dialog.append(box, list);
  document.body.append(dialog);
  dialog.showModal();
  draw();
  views().then((links) => {
    all.push(...links.map((link) => ({ key: "", words: `Show ${text(link)}`, run: () => visit(link.href) })));
    if (links.length && dialog.isConnected) draw(at);
  });
};
