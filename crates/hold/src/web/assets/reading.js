// Reading first: controls that consent to a subject work once all of it was on the screen, or after the person said
// that they consent unread. Refusing always works.
import { $ } from "./dom.js";
import { ceiling, floor } from "./reach.js";

/** Tracks how far the subject on the page has been read. */
export const start = (signal) => {
  const form = $("#answer"), subject = $("#subject"), bar = $("#reading"), left = $("#reading-left");
  let end = $("#subject-end");
  if (!form || !end || !bar) return;
  const seenBox = $("input[type=checkbox][name=seen]"), unread = $("input[name=unread]");
  // Moving to a control with Tab scrolls the page, but is not reading.
  const JUMP = 200;
  // How far down the subject has been on the screen, from its top without a gap. A card that is redrawn as it was
  // left keeps its state.
  let seen = "read" in subject.dataset, jumped = -Infinity, read = 0, noted = 0;
  // In this time, in milliseconds, at most one screen counts as seen: browsers scroll smoothly where the person
  // jumps.
  const SCREEN = 150;
  // How many milliseconds a page may take to scroll to the anchor in its address.
  const OPENING = 1000;

  const consenting = () => [...form.querySelectorAll("button.yes, [data-send]")];
  const consents = (button) => {
    if (button?.name === "out" || (button?.name === "verb" && button.value !== "answer") || button?.hasAttribute("data-refuses")) return false;
    return !form.querySelector(":checked[data-refuses]");
  };
  const blocked = () => !seen && !unread.checked;

  const isWhole = () => subject.getBoundingClientRect().top >= ceiling() && end.getBoundingClientRect().bottom <= floor();
  const height = () => end.getBoundingClientRect().top - subject.getBoundingClientRect().top;
  // Jumping over a part is not reading, nor is what a jump to a control shows of the end.
  const follow = () => {
    const { top } = subject.getBoundingClientRect(), shown = floor() - top;
    const now = performance.now(), most = read + innerHeight * Math.max(1 / 8, Math.min(1, (now - noted) / SCREEN));
    noted = now;
    if (ceiling() - top > read || (shown >= height() && now - jumped <= JUMP)) return;
    read = Math.max(read, Math.min(shown, read ? most : shown));
  };
  // A folded part is read once it was unfolded.
  const folded = () => subject.querySelectorAll(".unfold:not([open], [data-unfolded])").length;
  const tell = () => {
    const line = parseFloat(getComputedStyle(subject.querySelector(".code") ?? subject).lineHeight) || 20;
    // Parts that have not been loaded yet must be read as well.
    const rest = Number(subject.querySelector("[data-more]")?.dataset.left ?? 0);
    const lines = Math.ceil((height() - read) / line) + rest;
    const parts = folded();
    const text = parts ? `Unfold and read ${parts} more ${parts === 1 ? "part" : "parts"} (o)`
      : lines > 1 ? `${lines} lines left to read` : "Read to the end to approve.";
    if (left.textContent !== text) left.textContent = text;
  };
  const draw = () => {
    bar.hidden = seen;
    if (!seen) tell();
    for (const button of consenting()) {
      const described = (button.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== left.id);
      if (blocked()) described.push(left.id);
      button.setAttribute("aria-disabled", blocked());
      button.setAttribute("aria-describedby", described.join(" "));
    }
  };
  const forget = () => {
    [seen, read] = [false, 0];
    delete subject.dataset.read;
    if (seenBox) seenBox.checked = false;
  };
  const look = () => {
    if (seen || unread.checked) return;
    follow();
    // Pages of a long change that have not been loaded are part of it.
    seen = !subject.querySelector("[data-more]") && !folded() && (isWhole() || read >= height());
    if (seen) subject.dataset.read = "";
    if (seen && seenBox) seenBox.checked = true;
    draw();
  };

  // An address with an anchor scrolls the page right after it opened: the part shown before was not read.
  const opened = performance.now(), isLed = location.hash.length > 1 && !seen;
  let touched = false;
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, () => { touched = true; }, { capture: true, passive: true, signal });
  const moved = () => {
    if (isLed && !touched && performance.now() - opened < OPENING) forget();
    look();
  };

  document.addEventListener("focusin", (event) => { if (form.contains(event.target)) jumped = performance.now(); }, { signal });
  unread.addEventListener("change", draw, { signal });
  // The content of a fold was not on the screen before, however far the person had read.
  subject.addEventListener("toggle", ({ target }) => {
    if (!target.matches(".unfold") || !target.open) return;
    if (!("unfolded" in target.dataset)) read = Math.min(read, Math.max(0, target.getBoundingClientRect().top - subject.getBoundingClientRect().top));
    target.dataset.unfolded = "";
    look();
  }, { capture: true, signal });
  addEventListener("scroll", moved, { passive: true, signal });
  addEventListener("resize", look, { signal });
  // The list that appears beside it makes it narrower.
  const sizes = new ResizeObserver(look);
  sizes.observe(subject);
  signal.addEventListener("abort", () => sizes.disconnect());
  // What the tray covered becomes visible once it is gone.
  document.addEventListener("underway", look, { signal });
  if (seenBox) seenBox.checked = seen;
  look();
  // Fired when another patch set is shown.
  document.addEventListener("unseen", () => {
    end = $("#subject-end");
    forget();
    noted = performance.now();
    look();
    draw();
  }, { signal });

  const refuse = () => {
    tell();
    bar.hidden = false;
    bar.classList.remove("again");
    void bar.offsetWidth;
    bar.classList.add("again");
    subject.focus({ preventScroll: true });
  };
  // Fired when a key would pick an option that consents.
  document.addEventListener("unread", refuse, { signal });
  form.addEventListener("submit", (event) => {
    if (!blocked() || !consents(event.submitter)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refuse();
  }, { signal });
};
