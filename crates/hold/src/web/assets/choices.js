// Repeats the choices beside the button that sends them, while the originals are out of sight, for example below a
// long change. Here they are only picked; what they do is described at the originals.
import { $, $$ } from "./dom.js";
import { pick } from "./keys.js";
import { floor } from "./reach.js";

// More would take too much room from the text.
const MOST = 6;
const made = (tag, given) => Object.assign(document.createElement(tag), given);
// Fields are redrawn while they are filled in, and buttons that send are visible anyway. If there are several
// questions, nothing here would say which one a choice belongs to; follow-up questions do not count.
const choices = () => {
  const asked = $("#answers .confirm") ? [] : $$("#card #fields [data-field]:not([data-follows])");
  return asked.length === 1 ? $("[data-options]", asked[0]) : null;
};
const numbered = (number) => $(`#card #fields [data-number="${number}"]`);
const isTicked = ({ type }) => type === "radio" || type === "checkbox";

const chip = (control) => {
  const { number } = control.dataset;
  const button = made("button", { type: "button", textContent: $(".label", control.closest("label") ?? control)?.textContent ?? control.value, dir: "auto" });
  button.dataset.picks = number;
  button.classList.toggle("no", control.hasAttribute("data-refuses"));
  button.append(made("kbd", { className: "number", textContent: number, ariaHidden: "true" }));
  // A radio button is picked; a button is only focused, because what it does is described beside it.
  button.addEventListener("click", () => { const there = numbered(number); if (there && isTicked(there)) there.click(); else pick(number); });
  return button;
};

/** Watches whether the card's choices are in sight. */
export const start = (signal) => {
  $("#choices")?.remove();
  const group = choices(), form = $("#answer"), controls = group ? $$("[data-number]", group) : [];
  if (!controls.length || controls.length > MOST) return;
  const bar = made("div", { id: "choices", hidden: true });
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Pick from here");
  bar.append(...controls.map(chip));
  $(".acts-foot", form).prepend(bar);
  const mark = () => {
    for (const button of bar.children) {
      const control = numbered(button.dataset.picks);
      if (control && isTicked(control)) button.setAttribute("aria-pressed", control.checked);
    }
  };
  const look = () => {
    const { top, bottom } = choices()?.getBoundingClientRect() ?? {};
    // Hysteresis between showing and hiding, because the bar takes up room itself.
    bar.hidden = bar.hidden ? top < floor() && bottom > 0 : top < floor() - 40 && bottom > 0;
  };
  const both = () => { mark(); look(); };
  both();
  form.addEventListener("change", mark, { signal });
  document.addEventListener("followed", both, { signal });
  addEventListener("scroll", look, { passive: true, signal });
  addEventListener("resize", look, { signal });
};
