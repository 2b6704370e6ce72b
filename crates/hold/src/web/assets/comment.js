// Comments on lines of a change without leaving the page: the box opens below the line, and the focus returns to it.
import { $, $$, parse, say } from "./dom.js";

const rowOf = (at) => $(`.diff tr[data-at="${at}"]`);
const remarks = (row) => {
  const found = [];
  for (let next = row?.nextElementSibling; next?.matches(".remark"); next = next.nextElementSibling) found.push(next);
  return found;
};
const close = (box) => {
  const row = rowOf(box.dataset.of);
  box.remove();
  $(".n a", row ?? document)?.focus({ preventScroll: true });
};
const fail = (box, words) => {
  const place = $("[role=alert]", box) ?? Object.assign(document.createElement("p"), { className: "fault" });
  place.setAttribute("role", "alert");
  place.textContent = words;
  $("form", box).prepend(place);
};

const open = async (link) => {
  const row = link.closest("tr"), old = $("#say-here");
  if (old && $("textarea", old).value.trim()) { $("textarea", old).focus(); say("Save or cancel this comment first."); return; }
  try {
    const reply = await fetch(link.href, { headers: { accept: "text/html" } });
    const box = $("#say-here", parse(await reply.text()));
    if (!reply.ok || !box) throw new Error("no box");
    $("#say-here")?.remove();
    box.dataset.of = row.dataset.at;
    (remarks(row).pop() ?? row).after(document.adoptNode(box));
    $("textarea", box).focus();
  } catch { location.href = link.href; }
};

const save = async (form) => {
  const box = form.closest("#say-here"), row = rowOf(box.dataset.of);
  for (const button of $$("button", form)) button.disabled = true;
  try {
    const reply = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const page = parse(await reply.text());
    if (!reply.ok) throw new Error($("#main .banner.bad, #main h1", page)?.textContent.trim());
    const there = remarks($(`.diff tr[data-at="${box.dataset.of}"]`, page)).map((remark) => document.adoptNode(remark));
    for (const remark of remarks(row)) if (remark !== box) remark.remove();
    row.after(...there);
    close(box);
    say("Comment saved.");
  } catch (error) {
    fail(box, error instanceof TypeError ? "The server cannot be reached. The comment is not saved; try again." : error.message || "The comment is not saved.");
    for (const button of $$("button", form)) button.disabled = false;
  }
};

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest?.(".diff tr[data-at] .n a"), cancel = event.target.closest?.("#say-here[data-of] a.button");
  if (!link && !cancel) return;
  event.preventDefault();
  if (link) open(link);
  else close(cancel.closest("#say-here"));
});
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || submitter?.hasAttribute("formaction") || !form.closest("#say-here[data-of]")) return;
  event.preventDefault();
  save(form);
});
