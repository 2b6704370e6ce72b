// A run's page: updated in place; what is being read or typed stays.
import { $, $$, later, parse, say } from "./dom.js";
import { follow } from "./follow.js";
import { tick } from "./time.js";

// Comments on lines, and the text beside the retry button, are sent along with a retry.
document.addEventListener("submit", (event) => {
  const from = event.target, to = event.submitter?.getAttribute("formaction") ?? from.action;
  if (event.defaultPrevented || !/\/runs\/[^/]+\/retry$/.test(to)) return;
  const box = $("#remark"), other = from.id === "retry" ? box?.form : $("#retry");
  if (!other || (from.id === "retry" && !box.value.trim())) return;
  for (const old of $$("[data-along]", from)) old.remove();
  for (const [name, value] of new FormData(other)) {
    if (from.elements[name]) continue;
    const along = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    along.dataset.along = "";
    from.append(along);
  }
});

/** Keeps the run on the page up to date. */
export const start = (signal) => {
  const run = $("#run[data-live]");
  if (!run) return;
  let stale = false;
  const renew = later(100, async () => {
    try {
      // A patch set that is being read is not replaced: its comments are requested by its number.
      const shown = $('[data-part="diff"]', run)?.dataset.page ?? location.href.split("#")[0];
      const reply = await fetch(shown, { headers: { accept: "text/html" }, signal });
      if (!reply.ok || reply.redirected) return;
      const fresh = parse(await reply.text());
      stale = false;
      let told = false;
      for (const here of $$("[data-part]")) {
        const there = $(`[data-part="${here.dataset.part}"]`, fresh);
        if (!there || "keep" in here.dataset || here.innerHTML === there.innerHTML) continue;
        if (here.contains(document.activeElement)) { stale = true; continue; }
        here.replaceWith(document.adoptNode(there));
        told = true;
      }
      if (told) { tick(); say("The run has changed."); }
    } catch { /* The next event tries again. */ }
  });
  document.addEventListener("focusout", () => { if (stale) renew(); }, { signal });
  follow(run.dataset.live, signal, renew);
};
