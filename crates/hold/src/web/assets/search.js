// Searching while one types, in what waits and in what was settled. Without this, Enter does it.
import { $, $$, adopt, later, parse, say } from "./dom.js";
import { show } from "./list.js";
import { listen } from "./live.js";
import { visit } from "./view.js";

const WAIT = 120;
let asked = 0;

// The query string of the form's filter.
const narrowed = (form) => new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value)).toString();

const find = async (box) => {
  const query = narrowed(box.form), mine = ++asked, settled = $("#found");
  try {
    const reply = await fetch(`${settled ? "/history" : "/rows"}?${query}`, { headers: { accept: "text/html" } });
    const text = await reply.text();
    // What was typed meanwhile is already being searched for.
    if (mine !== asked || !reply.ok || reply.redirected) return;
    history.replaceState(history.state, "", location.pathname + (query && `?${query}`));
    const save = $("#save-view");
    if (save) { save.hidden = !query || new URLSearchParams(query).has("snoozed"); $("[name=query]", save).value = query; }
    if (settled) adopt(settled, $("#found", parse(text)));
    else {
      // This is now the list beside the card, and the marked decisions lead back to it.
      if ($("#beside")) $("#beside").dataset.filter = query;
      for (const back of $$("[name=back]")) back.value = query;
      show(text);
      listen();
    }
    say($("#found .count, #list .count")?.firstChild?.textContent ?? "Nothing matches");
  } catch { /* Enter asks again. */ }
};

/** Searches a moment after every key. */
export const start = (signal) => {
  const box = $("#search");
  if (!box || !$("#list, #found")) return;
  box.addEventListener("input", later(WAIT, () => { if (!signal.aborted) find(box); }), { signal });
  box.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    await find(box);
    const row = $(".rows .row");
    // The card of the first result is shown beside the list: keys act on what is shown.
    if (row && $("#beside")) visit(row.href);
    else row?.focus();
  }, { signal });
  // The browser's own button for clearing the box.
  box.addEventListener("search", () => { if (!box.value && !signal.aborted) find(box); }, { signal });
};
