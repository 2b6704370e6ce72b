// A change: its rest comes as one scrolls, and the patch set that is picked comes in the place of the one that is shown.
import { $, $$, adopt, parse } from "./dom.js";

/** Follows the change on the page. */
export const start = (signal) => {
  // The rest of a long change comes as one scrolls; without this, page by page.
  const more = () => {
    const box = $(".diff"), link = $(".diff [data-more]");
    if (!box || !link || !("IntersectionObserver" in window)) return;
    const watch = new IntersectionObserver(async (seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      const reply = await fetch(link.href, { signal }).catch(() => null);
      if (!reply?.ok) return;
      const there = parse(await reply.text());
      $("tbody", box).append(...$$(".diff tbody > tr", there));
      link.closest(".more").replaceWith(...$$(".diff .more", there));
      more();
    // What a verdict is given on is read with the page itself, so that all of it is passed.
    }, { root: box.closest("#subject") ? null : box, rootMargin: "1200px" });
    watch.observe(link);
    signal.addEventListener("abort", () => watch.disconnect());
  };
  // Not before the first screen is seen: what comes next must not hold it up.
  let begin = () => { begin = () => {}; if (!signal.aborted) more(); };
  $(".diff")?.addEventListener("scroll", () => begin(), { once: true, passive: true, signal });
  setTimeout(() => begin(), 500);

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
