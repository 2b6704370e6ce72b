// Tracks which files of a change were seen: marked by the person, or automatically once the whole file was on the
// screen. Stored on this device, for exactly this change. The marks are only for orientation; whether a yes was given
// to what was read is determined by reading.js alone.
import { $, $$ } from "./dom.js";
import { expire, read, write } from "./local.js";
import { floor } from "./reach.js";

const KEPT = 30 * 24 * 3600 * 1000;
expire("files:", KEPT);

/** Tracks which files of the change on the page are seen. */
export const start = (signal) => {
  const place = () => $(".diff[data-digest]"), key = () => `files:${place().dataset.digest}`;
  if (!place()) return;
  // By file head: how much of the file was on the screen, from its first line without a gap.
  const shown = new WeakMap();
  const paths = () => new Set(read(key()).paths ?? []);
  const draw = () => {
    const seen = paths(), links = $$(".files [data-file]");
    for (const box of $$(".diff [data-seen]")) box.checked = seen.has(box.dataset.seen);
    for (const link of links) link.closest("li").classList.toggle("seen", seen.has(link.dataset.path));
    const count = $("[data-seen-count]"), all = links.filter((link) => seen.has(link.dataset.path)).length;
    if (count) count.textContent = all ? ` · ${all} of ${links.length} seen` : "";
  };
  const mark = (path, isSeen) => {
    const seen = paths();
    isSeen ? seen.add(path) : seen.delete(path);
    write(key(), seen.size ? { paths: [...seen] } : null);
    draw();
  };
  const look = () => {
    const heads = $$(".diff tr.file"), bottom = floor(), isWhole = !$(".diff [data-more]");
    heads.forEach((head, at) => {
      const box = $("[data-seen]", head);
      if (!box || box.checked || "left" in box.dataset) return;
      // The head is sticky while its lines pass, and covers what is below it.
      const top = $("td", head).getBoundingClientRect().bottom, first = head.nextElementSibling;
      const last = heads[at + 1]?.previousElementSibling ?? (isWhole ? head.closest("tbody").lastElementChild : null);
      const begin = head.getBoundingClientRect().bottom;
      const end = last && last !== head ? last.getBoundingClientRect().bottom : first && last !== head ? Infinity : begin;
      const { read, height } = shown.get(head) ?? { read: 0, height: end - begin };
      // Another width breaks the lines differently.
      const before = Number.isFinite(height) && height > 0 && Number.isFinite(end) ? read * (end - begin) / height : read;
      const from = Math.max(top, begin) - begin, to = Math.min(bottom, end) - begin;
      const now = to >= from && from <= before + 2 && top > 0 && top <= bottom ? Math.max(before, to) : before;
      shown.set(head, { read: now, height: end - begin });
      if (last && (now > 0 || end === begin) && top <= bottom && now >= end - begin - 2) mark(box.dataset.seen, true);
    });
  };
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.(".diff [data-seen]")) return;
    // The person's own mark stays.
    target.dataset.left = "";
    mark(target.dataset.seen, target.checked);
  }, { signal });
  let asked = false;
  const soon = () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; if (!signal.aborted && place()) look(); }); } };
  addEventListener("scroll", soon, { passive: true, capture: true, signal });
  addEventListener("resize", soon, { signal });
  document.addEventListener("grown", () => { draw(); soon(); }, { signal });
  draw();
  soon();
};
