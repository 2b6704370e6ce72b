// Taking and snoozing a decision: the card that is read stays where it is, and says who is on it.
import { $, $$, adopt, parse, say } from "./dom.js";
import { draw, isDrawn } from "./view.js";

const post = async (form, submitter) => {
  const body = new URLSearchParams(new FormData(form, submitter));
  const reply = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html" } });
  return { url: reply.url, isDone: reply.ok && reply.redirected && isDrawn(new URL(reply.url)), page: parse(await reply.text()) };
};

const take = (page) => {
  for (const part of [".attend", "#card .head .meta"]) {
    const here = $(part), there = $(part, page);
    if (here && there) adopt(here, there);
  }
  say($("#taken")?.textContent ?? "Released");
};

document.addEventListener("submit", async (event) => {
  const form = event.target.closest?.(".attend form");
  if (!form || event.defaultPrevented) return;
  event.preventDefault();
  const card = $("#card"), isTaking = Boolean($("[data-take]", form));
  try {
    const { url, isDone, page } = await post(form, event.submitter);
    // Somebody who went on meanwhile is left where they are.
    if ($("#card") !== card) return;
    if (isDone && isTaking) take(page);
    else if (isDone) draw({ url, page });
    else location.reload();
  } catch { say("Offline: nothing was changed. Try again."); }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const fold of $$(".attend details[open]")) { fold.open = false; $("#main")?.focus({ preventScroll: true }); }
});
