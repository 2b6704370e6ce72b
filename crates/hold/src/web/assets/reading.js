// Reading first: what consents to a subject works once all of the subject was on the screen, or after the person said
// that they consent unread. Refusing always works.
import { $ } from "./dom.js";
import { ceiling, floor } from "./reach.js";

/** Watches how far the subject on the page has been read. */
export const start = (signal) => {
  const form = $("#answer"), subject = $("#subject"), bar = $("#reading"), left = $("#reading-left");
  let end = $("#subject-end");
  if (!form || !end || !bar) return;
  const seenBox = $("input[type=checkbox][name=seen]"), unread = $("input[name=unread]");
  // Going to a control with Tab moves the page; that is not reading.
  const JUMP = 200;
  // How far down the subject has been on the screen, from its top on without a gap.
  // A card that comes back as it was left was read then.
  let seen = "read" in subject.dataset, jumped = -Infinity, read = 0, noted = 0;
  // In so many milliseconds nobody sees more than one screen of it: browsers glide where one leaps.
  const SCREEN = 150;
  // So many milliseconds a page may take until it stands where its address leads.
  const OPENING = 1000;

  const consenting = () => [...form.querySelectorAll("button.yes, [data-send]")];
  const consents = (button) => {
    if (button?.name === "out" || (button?.name === "verb" && button.value !== "answer") || button?.hasAttribute("data-refuses")) return false;
    return !form.querySelector(":checked[data-refuses]");
  };
  const blocked = () => !seen && !unread.checked;

  const isWhole = () => subject.getBoundingClientRect().top >= ceiling() && end.getBoundingClientRect().bottom <= floor();
  const height = () => end.getBoundingClientRect().top - subject.getBoundingClientRect().top;
  // A leap over some of it is not reading, nor is what a jump to a control shows of its end.
  const follow = () => {
    const { top } = subject.getBoundingClientRect(), shown = floor() - top;
    const now = performance.now(), most = read + innerHeight * Math.max(1 / 8, Math.min(1, (now - noted) / SCREEN));
    noted = now;
    if (ceiling() - top > read || (shown >= height() && now - jumped <= JUMP)) return;
    read = Math.max(read, Math.min(shown, read ? most : shown));
  };
  // What is folded is read once it was unfolded.
  const folded = () => subject.querySelectorAll(".unfold:not([open], [data-unfolded])").length;
  const tell = () => {
    const line = parseFloat(getComputedStyle(subject.querySelector(".code") ?? subject).lineHeight) || 20;
    // What has not come yet is not on the page, and is to be read as well.
    const rest = Number(subject.querySelector("[data-more]")?.dataset.left ?? 0);
    const lines = Math.ceil((height() - read) / line) + rest;
    const parts = folded();
    const text = parts ? `${parts} folded ${parts === 1 ? "part" : "parts"} to unfold (o) and read before you can say yes.`
      : lines > 1 ? `${lines} lines left to read before you can say yes.` : "Scroll to its end before you can say yes.";
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
    // Pages of a long change that have not come yet are part of it.
    seen = !subject.querySelector("[data-more]") && !folded() && (isWhole() || read >= height());
    if (seen) subject.dataset.read = "";
    if (seen && seenBox) seenBox.checked = true;
    draw();
  };

  // An address that leads to a place in the page moves it there right after it opened: it was not read where it stood before.
  const opened = performance.now(), isLed = location.hash.length > 1 && !seen;
  let touched = false;
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, () => { touched = true; }, { capture: true, passive: true, signal });
  const moved = () => {
    if (isLed && !touched && performance.now() - opened < OPENING) forget();
    look();
  };

  document.addEventListener("focusin", (event) => { if (form.contains(event.target)) jumped = performance.now(); }, { signal });
  unread.addEventListener("change", draw, { signal });
  // What came out of a fold was not on the screen before, wherever one had read to.
  subject.addEventListener("toggle", ({ target }) => {
    if (!target.matches(".unfold") || !target.open) return;
    if (!("unfolded" in target.dataset)) read = Math.min(read, Math.max(0, target.getBoundingClientRect().top - subject.getBoundingClientRect().top));
    target.dataset.unfolded = "";
    look();
  }, { capture: true, signal });
  addEventListener("scroll", moved, { passive: true, signal });
  addEventListener("resize", look, { signal });
  // The list that comes to stand beside it makes it narrower.
  const sizes = new ResizeObserver(look);
  sizes.observe(subject);
  signal.addEventListener("abort", () => sizes.disconnect());
  // What lay under the tray is seen once that is gone.
  document.addEventListener("underway", look, { signal });
  if (seenBox) seenBox.checked = seen;
  look();
  // Told when another patch set is shown.
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
  // Told when a key would pick what consents.
  document.addEventListener("unread", refuse, { signal });
  form.addEventListener("submit", (event) => {
    if (!blocked() || !consents(event.submitter)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refuse();
  }, { signal });
};
