// Which files of a change were seen: marked by the person, or by themselves once all of them was on the screen. Kept on this device,
// for this very change. A mark is for finding one's way; whether a yes was to what was read is found out by reading alone.
import { $, $$ } from "./dom.js";
import { expire, read, write } from "./local.js";
import { floor } from "./reach.js";

const KEPT = 30 * 24 * 3600 * 1000;
expire("files:", KEPT);

/** Follows which files of the change on the page are seen. */
export const start = (signal) => {
  const place = () => $(".diff[data-digest]"), key = () => `files:${place().dataset.digest}`;
  if (!place()) return;
  // By the file's head: whether its head was on the screen.
  const begun = new WeakSet();
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
      // The head sticks while its lines pass: where its own place was on the screen, the row after it says.
      const first = head.nextElementSibling?.getBoundingClientRect();
      const last = heads[at + 1]?.previousElementSibling ?? (isWhole ? head.closest("tbody").lastElementChild : null);
      if (first && first.top >= 0 && first.top < bottom) begun.add(head);
      if (!last || !begun.has(head)) return;
      const end = last.getBoundingClientRect().bottom;
      if (end > 0 && end <= bottom + 1) mark(box.dataset.seen, true);
    });
  };
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.(".diff [data-seen]")) return;
    // What a person says about a file stays.
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
