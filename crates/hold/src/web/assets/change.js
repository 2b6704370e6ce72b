// A change: its rest comes as one scrolls, and the patch set that is picked comes in the place of the one that is shown.
import { $, $$, adopt, parse } from "./dom.js";

/** Follows the change on the page. */
export const start = (signal) => {
  // The rest of a long change comes as one scrolls; without this, page by page. Each part is fetched once.
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
    // What a verdict is given on is read with the page itself, so that all of it is passed.
    }, { root: box.closest("#subject") ? null : box, rootMargin: "1200px" });
    watch.observe(link);
    signal.addEventListener("abort", () => watch.disconnect());
  };
  // Not before the first screen is seen: what comes next must not hold it up.
  let begin = () => { begin = () => {}; if (!signal.aborted) more(); };
  $(".diff")?.addEventListener("scroll", () => begin(), { once: true, passive: true, signal });
  setTimeout(() => begin(), 500);

  // Lines that the change leaves out come in the place of what offers them.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(".diff a[data-context]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // Pressed twice, the lines are fetched once.
    if (link.ariaBusy) return;
    link.ariaBusy = "true";
    const row = link.closest("tr"), before = row.previousElementSibling;
    const reply = await fetch(link.href, { headers: { accept: "text/html" }, signal }).catch(() => null);
    link.ariaBusy = null;
    if (!reply?.ok) { link.textContent = "These lines cannot be read."; return; }
    const lines = $$(".diff tbody > tr", parse(await reply.text())).map((line) => document.adoptNode(line));
    row.replaceWith(...lines);
    // Whoever came here by keys goes on from here.
    const next = lines.find((line) => $("a[data-context]", line)) ?? lines[0] ?? before;
    const focus = next && ($("a[data-context]", next) ?? next);
    if (focus && !focus.matches("a")) focus.tabIndex = -1;
    focus?.focus({ preventScroll: true });
    document.dispatchEvent(new Event("grown"));
  }, { signal });

  // A file that has not come yet comes first.
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

  // The form was drawn again with what is picked in it; reading begins anew where that is another patch set.
  document.addEventListener("redrawn", ({ detail }) => {
    const here = $("#subject"), there = $("#subject", detail), shown = $("input[name=patchset_shown]");
    if (!here || !there || !shown || here.dataset.patchset === there.dataset.patchset) return;
    adopt(here, there);
    here.dataset.patchset = shown.value = there.dataset.patchset;
    document.dispatchEvent(new Event("unseen"));
    more();
  }, { signal });
};
