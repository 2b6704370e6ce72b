// The choices beside what sends them, as long as they themselves are out of sight: below a long change, say. Here they are only
// picked; where they stand is what they do.
import { $, $$ } from "./dom.js";
import { pick } from "./keys.js";
import { floor } from "./reach.js";

// More would take the room of what is read.
const MOST = 6;
const made = (tag, given) => Object.assign(document.createElement(tag), given);
// Fields are drawn again as one fills them in; buttons that send are in sight anyway.
const choices = () => ($("#answers .confirm") ? null : $("#card #fields [data-options]"));
const numbered = (number) => $(`#card #fields [data-number="${number}"]`);
const isTicked = ({ type }) => type === "radio" || type === "checkbox";

const chip = (control) => {
  const { number } = control.dataset;
  const button = made("button", { type: "button", textContent: $(".label", control.closest("label") ?? control)?.textContent ?? control.value, dir: "auto" });
  button.dataset.picks = number;
  button.classList.toggle("no", control.hasAttribute("data-refuses"));
  button.append(made("kbd", { className: "number", textContent: number, ariaHidden: "true" }));
  // A radio is picked where one is; a button is gone to, for what it does stands beside it.
  button.addEventListener("click", () => { const there = numbered(number); if (there && isTicked(there)) there.click(); else pick(number); });
  return button;
};

/** Watches whether the choices of the card are in sight. */
export const start = (signal) => {
  $("#choices")?.remove();
  const group = choices(), form = $("#answer"), controls = group ? $$("[data-number]", group) : [];
  if (!controls.length || controls.length > MOST) return;
  const bar = made("div", { id: "choices", hidden: true });
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Pick from here");
  bar.append(...controls.map(chip));
  $("#answers", form).prepend(bar);
  const mark = () => {
    for (const button of bar.children) {
      const control = numbered(button.dataset.picks);
      if (control && isTicked(control)) button.setAttribute("aria-pressed", control.checked);
    }
  };
  const look = () => {
    const { top, bottom } = choices()?.getBoundingClientRect() ?? {};
    // Some room between showing and hiding them, for they take some themselves.
    bar.hidden = bar.hidden ? top < floor() && bottom > 0 : top < floor() - 40 && bottom > 0;
  };
  const both = () => { mark(); look(); };
  both();
  form.addEventListener("change", mark, { signal });
  document.addEventListener("followed", both, { signal });
  addEventListener("scroll", look, { passive: true, signal });
  addEventListener("resize", look, { signal });
};
