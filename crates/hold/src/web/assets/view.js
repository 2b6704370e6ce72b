// The content of the screen. Cards and the list replace each other without loading a page, and the address follows.
import { $, parse, reveal, say } from "./dom.js";
import { lost } from "./follow.js";
import { filter } from "./live.js";
import { tick } from "./time.js";

const parts = [];
// The scroll position at which each list was left, by filter.
const places = new Map();
let life = new AbortController(), visits = 0;

const enliven = () => {
  life.abort();
  life = new AbortController();
  tick();
  for (const part of parts) part.start(life.signal);
};

/** Starts the enhancements of a page; each is stopped and restarted when another page is drawn. */
export const begin = (given) => {
  parts.push(...given);
  if (own(document)) history.replaceState(history.state, "", own(document) + location.hash);
  enliven();
};

/** Returns whether an address is the list's or a card's: only these are drawn in place. */
export const isDrawn = ({ origin, pathname }) => origin === location.origin && /^\/(next|d\/[^/]+)?$/.test(pathname);

// The own address of a card that was requested as the next one.
const own = (page) => $("[data-address]", page)?.dataset.address;

/** Fetches a page. */
export const load = async (href) => {
  const reply = await fetch(href, { headers: { accept: "text/html" } }), page = parse(await reply.text());
  return { url: new URL(own(page) ?? reply.url, location).href + new URL(href, location).hash, page };
};

/** Returns the content of the screen, so that it can be redrawn as it was left. */
export const kept = () => ({ url: location.href, title: document.title, seq: document.body.dataset.seq, nodes: [...$("#main").childNodes] });

/**
 * Draws a page that was fetched or kept. `how` says what to do with the address: push, replace, stay (after going
 * back) or keep.
 */
export const draw = ({ url, page, title, seq, nodes }, how = "push") => {
  visits += 1;
  const main = $("#main"), gone = $("#lost"), left = $("#card", main)?.dataset.decision;
  if ($("#main #list")) places.set(filter(), scrollY);
  if (how === "push" || how === "replace") history.replaceState({ ...history.state, y: scrollY }, "");
  if (how === "push") history.pushState({}, "", url);
  if (how === "replace") history.replaceState({}, "", url);
  main.replaceChildren(...(nodes ?? [...$("#main", page).childNodes].map((node) => document.adoptNode(node))));
  if (gone) main.prepend(gone);
  document.title = title ?? page.title;
  document.body.dataset.seq = seq ?? page?.body.dataset.seq ?? "";
  // Back at the list, restores its scroll position, whichever way the person came.
  const place = $("#main #list") ? places.get(filter()) : 0;
  scrollTo(0, how === "stay" || how === "keep" ? history.state?.y ?? 0 : place ?? 0);
  document.dispatchEvent(new Event("appeared"));
  enliven();
  const isPlaced = main.contains(document.activeElement) || document.activeElement?.matches("#search");
  const row = left && $(`#main #list li[data-id="${left}"] .row`);
  if (!isPlaced) ($("[autofocus]", main) ?? row ?? $("#list .row", main) ?? main).focus({ preventScroll: true });
  if (row && place === undefined) reveal(row);
  say($("#card", main)?.dataset.headline ?? $("h1", main)?.textContent ?? document.title);
};

/** Goes to an address: draws it in place if possible, otherwise loads it as a page. `fetched` is a prefetched page. */
export const visit = async (href, how = "push", fetched = null) => {
  document.dispatchEvent(new Event("leaving"));
  if (!isDrawn(new URL(href, location)) || !isDrawn(location)) { location.href = href; return; }
  const mine = ++visits;
  try {
    const found = await (fetched ?? load(href));
    if (mine !== visits) return;
    if (isDrawn(new URL(found.url))) draw(found, how);
    else location.href = href;
  } catch {
    if (mine !== visits) return;
    document.dispatchEvent(new Event("appeared"));
    lost("Offline, retrying. This may be out of date; your text is kept.");
  }
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute("download") || link.getAttribute("href").startsWith("#")) return;
  if (!isDrawn(link) || !isDrawn(location)) return;
  event.preventDefault();
  document.dispatchEvent(new Event("following"));
  visit(link.href);
});
history.scrollRestoration = "manual";
addEventListener("popstate", () => visit(location.href, "stay"));
