// Two panes on a wide screen: the list on the left, a card on the right, both at one address. The list stays as it is
// when moving from card to card.
import { $, $$, reveal } from "./dom.js";
import { catchUp } from "./list.js";
import { filter } from "./live.js";
import { draw, isDrawn, load, visit } from "./view.js";

const wide = matchMedia("(min-width: 1100px)");

const put = (from, { seq } = document.body.dataset) => {
  const pane = $("#beside");
  pane.dataset.filter = filter();
  pane.replaceChildren(...$$(".bar, #list, #many", from).map((node) => document.adoptNode(node)));
  $(".bar h1", pane)?.remove();
  catchUp(seq);
};

// Marks the row of the card.
const mark = () => {
  // If something replaced the card, such as the sign-in page, this address is still the card's.
  const id = $("#main #card")?.dataset.decision ?? /^\/d\/([^/]+)$/.exec(location.pathname)?.[1];
  for (const row of $$("#beside .row")) {
    const isHere = row.closest("li").dataset.id === id;
    // At the list's own address the list does not scroll, whatever card is shown beside it.
    if (isHere && location.pathname !== "/") reveal(row);
    isHere ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current");
  }
};

const fillList = async (signal) => {
  try {
    const { page } = await load(`/?${filter()}`);
    if (signal.aborted || !$("#list", page)) return;
    put($("#main", page), page.body.dataset);
    document.dispatchEvent(new Event("listed"));
    mark();
  } catch { /* The card works without it. */ }
};

// At the list's own address, shows the first card.
const fillCard = async (signal) => {
  const main = $("#main"), told = $$(".banner", main), row = $("#beside li[data-id]:not(.under-way) .row");
  const hint = Object.assign(document.createElement("p"), { className: "hint", textContent: row ? "" : "Nothing selected" });
  main.replaceChildren(...told, hint);
  if (!row) return;
  document.dispatchEvent(new Event("leaving"));
  try {
    const found = await load(row.href);
    if (signal.aborted) return;
    draw(found, "keep");
    $(".back", main)?.before(...told);
  } catch { document.dispatchEvent(new Event("appeared")); }
};

// With a single pane, its content has its own address.
const fold = () => {
  const card = $("#main #card");
  if (!$("#beside")) return;
  $("#beside").remove();
  if (card && location.pathname === "/") history.replaceState(history.state, "", `/d/${card.dataset.decision}${location.search}`);
  else if (!card) visit("/", "replace");
};

const lay = (signal) => {
  document.documentElement.classList.toggle("two", wide.matches);
  if (!wide.matches) { fold(); return; }
  if (!$("#beside")) {
    const pane = Object.assign(document.createElement("aside"), { id: "beside" });
    pane.setAttribute("aria-label", "What waits");
    $("#main").before(pane);
  }
  const isKept = $("#beside #list") && $("#beside").dataset.filter === filter();
  if ($("#main #list")) {
    if (isKept) for (const node of $$("#main :is(#list, #many)")) node.remove();
    else put($("#main"));
    fillCard(signal);
  } else if (!isKept) fillList(signal);
  mark();
};

/** Lays the page out, now and when the window is resized. */
export const start = (signal) => {
  if (!isDrawn(location) || !$("#main #list, #main #card")) { mark(); return; }
  wide.addEventListener("change", () => lay(signal), { signal });
  document.addEventListener("listed", mark, { signal });
  lay(signal);
};
