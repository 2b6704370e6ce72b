// A change: the rest is loaded on scrolling, and the picked patch set replaces the one that is shown.
import { $, $$, adopt, parse } from "./dom.js";

/** Enhances the change on the page. */
export const start = (signal) => {
  // A long change is loaded part by part on scrolling, each part once; without scripts, page by page.
  let coming = null;
  const fetchMore = () => coming ??= (async () => {
    const box = $(".diff"), link = $(".diff [data-more]");
    const reply = link && await fetch(link.href, { signal }).catch(() => null);
    if (!reply?.ok) return false;
    const there = parse(await reply.text());
    $("tbody", box).append(...$$(".diff tbody > tr", there));
    link.closest(".more").replaceWith(...$$(".diff .more", there));
    document.dispatchEvent(new Event("grown"));
    return true;
  })().finally(() => { coming = null; });
  const more = () => {
    const box = $(".diff"), link = $(".diff [data-more]");
    if (!box || !link || !("IntersectionObserver" in window)) return;
    const watch = new IntersectionObserver(async (seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      if (await fetchMore()) more();
    // A verdict's change scrolls with the page itself, so that all of it is passed.
    }, { root: box.closest("#subject") ? null : box, rootMargin: "1200px" });
    watch.observe(link);
    signal.addEventListener("abort", () => watch.disconnect());
  };
  // Not before the first screen is shown: loading must not delay it.
  let begin = () => { begin = () => {}; if (!signal.aborted) more(); };
  $(".diff")?.addEventListener("scroll", () => begin(), { once: true, passive: true, signal });
  setTimeout(() => begin(), 500);

  // Lines that the change omits replace the link that offers them.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(".diff a[data-context]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // Pressed twice, the lines are fetched only once.
    if (link.ariaBusy) return;
    link.ariaBusy = "true";
    const row = link.closest("tr"), before = row.previousElementSibling;
    const reply = await fetch(link.href, { headers: { accept: "text/html" }, signal }).catch(() => null);
    link.ariaBusy = null;
    if (!reply?.ok) { link.textContent = "These lines cannot be read."; return; }
    const lines = $$(".diff tbody > tr", parse(await reply.text())).map((line) => document.adoptNode(line));
    row.replaceWith(...lines);
    // Keeps the keyboard focus at this place.
    const next = lines.find((line) => $("a[data-context]", line)) ?? lines[0] ?? before;
    const focus = next && ($("a[data-context]", next) ?? next);
    if (focus && !focus.matches("a")) focus.tabIndex = -1;
    focus?.focus({ preventScroll: true });
    document.dispatchEvent(new Event("grown"));
  }, { signal });

  // If the file has not been loaded yet, load it first.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(".files a[data-file]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const head = () => $(`#file-${link.dataset.file}`);
    event.preventDefault();
    while (!head() && await fetchMore());
    more();
    if (!head()) { location.href = link.href; return; }
    head().scrollIntoView({ block: "start" });
    $("input", head())?.focus({ preventScroll: true });
  }, { signal });

  // The form was redrawn with the current pick; if that is another patch set, reading starts over.
  document.addEventListener("redrawn", ({ detail }) => {
    const here = $("#subject"), there = $("#subject", detail), shown = $("input[name=patchset_shown]");
    if (!here || !there || !shown || here.dataset.patchset === there.dataset.patchset) return;
    adopt(here, there);
    here.dataset.patchset = shown.value = there.dataset.patchset;
    const [commits, now] = [$("#answers .commits"), $("#answers .commits", detail)];
    if (commits && now) adopt(commits, now);
    document.dispatchEvent(new Event("unseen"));
    more();
  }, { signal });
};
