// The live list of what waits.
import { $, $$, adopt, parse, say } from "./dom.js";
import { tick } from "./time.js";
import { ids } from "./underway.js";

// What is answered here and still on its way is marked: it waits as far as the server knows.
const mark = () => {
  const underWay = ids();
  for (const row of $$("#list li[data-id]")) row.classList.toggle("under-way", underWay.has(row.dataset.id));
};

/** Keeps the list up to date. */
export const start = (signal) => {
  const list = $("#list");
  if (!list) return;
  const rows = () => $$("li[data-id]", list);
  // The row that a key would act on.
  const target = () => (document.activeElement?.closest?.("#list li[data-id]") ?? rows()[0])?.dataset.id;

  const renew = (there) => {
    const before = new Set(rows().map((row) => row.dataset.id));
    const focused = document.activeElement?.closest?.("#list li[data-id]");
    const place = focused ? rows().indexOf(focused) : -1;
    const acted = target();
    adopt(list, there);
    document.title = `${there.dataset.title} · Holdpoint`;
    const added = rows().filter((row) => !before.has(row.dataset.id));
    for (const row of added) row.classList.add("fresh");
    if (added.length) say(added.length === 1 ? `New decision: ${$(".title", added[0]).textContent}` : `${added.length} new decisions`);
    if (place >= 0) {
      const same = rows().find((row) => row.dataset.id === focused.dataset.id) ?? rows()[Math.min(place, rows().length - 1)];
      $("a", same ?? list)?.focus({ preventScroll: true });
    }
    mark();
    if (target() !== acted) document.dispatchEvent(new Event("appeared"));
    tick();
  };

  let loading = false, again = null;
  const reload = async (seq) => {
    if (loading) { again = seq; return; }
    loading = true;
    try {
      const asked = new URLSearchParams(location.search);
      asked.set("seq", seq);
      const reply = await fetch(`/rows?${asked}`, { headers: { accept: "text/html" }, signal });
      if (!reply.ok || reply.redirected) return;
      const there = $("#list", parse(await reply.text()));
      if (there) renew(there);
    } catch { /* The next event tries again. */ } finally {
      loading = false;
      if (again && !signal.aborted) { const seq = again; again = null; reload(seq); }
    }
  };
  document.addEventListener("news", (event) => reload(event.detail), { signal });
  mark();
  document.addEventListener("underway", mark, { signal });
  // A run of decisions: after one is sent the next is at hand.
  if (new URLSearchParams(location.search).has("done")) $(".row", list)?.focus({ preventScroll: true });
};
