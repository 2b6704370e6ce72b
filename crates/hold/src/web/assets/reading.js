// Reading first: what consents to a subject works once the end of the subject was on the screen, or after the person said
// that they consent unread. Refusing always works.
(() => {
  const $ = (query) => document.querySelector(query);
  const form = $("#answer"), subject = $("#subject"), end = $("#subject-end"), bar = $("#reading"), left = $("#reading-left");
  if (!form || !end || !bar) return;
  const seenBox = $("input[type=checkbox][name=seen]"), unread = $("input[name=unread]");
  // Going to a control with Tab moves the page; that is not reading.
  const JUMP = 200;
  let seen = false, jumped = -Infinity;

  const consenting = () => [...form.querySelectorAll("button.yes, [data-send]")];
  const consents = (button) => {
    if (button?.name === "out" || (button?.name === "verb" && button.value !== "answer") || button?.hasAttribute("data-refuses")) return false;
    return !form.querySelector(":checked[data-refuses]");
  };
  const blocked = () => !seen && !unread.checked;

  const isWhole = () => subject.getBoundingClientRect().top >= 0 && end.getBoundingClientRect().bottom <= innerHeight;
  const isEnd = () => { const { top, bottom } = end.getBoundingClientRect(); return top < innerHeight && bottom > 0; };
  const tell = () => {
    const line = parseFloat(getComputedStyle(subject.querySelector(".code") ?? subject).lineHeight) || 20;
    const lines = Math.ceil((end.getBoundingClientRect().top - innerHeight) / line);
    const text = lines > 1 ? `${lines} lines left to read before you can consent.` : "Scroll through it to its end before you can consent.";
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
  const look = () => {
    if (seen || unread.checked) return;
    seen = isWhole() || (isEnd() && performance.now() - jumped > JUMP);
    if (seen && seenBox) seenBox.checked = true;
    draw();
  };

  document.addEventListener("focusin", (event) => { if (form.contains(event.target)) jumped = performance.now(); });
  unread.addEventListener("change", draw);
  addEventListener("scroll", look, { passive: true });
  addEventListener("resize", look);
  // What was on the screen before the script ran may have been a jump: only a whole subject counts.
  if (seenBox) seenBox.checked = false;
  seen = isWhole();
  if (seen && seenBox) seenBox.checked = true;
  draw();

  const refuse = () => {
    tell();
    bar.hidden = false;
    bar.classList.remove("again");
    void bar.offsetWidth;
    bar.classList.add("again");
    subject.focus({ preventScroll: true });
  };
  // Told when a key would pick what consents.
  document.addEventListener("unread", refuse);
  form.addEventListener("submit", (event) => {
    if (!blocked() || !consents(event.submitter)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refuse();
  });
})();
