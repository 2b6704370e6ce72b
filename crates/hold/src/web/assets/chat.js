// Keeps the two columns of a conversation in step: what is typed in one is kept before the other is sent.
import { $, adopt, parse } from "./dom.js";
import { body, keep as keepDraft } from "./form.js";

const talk = $("#talk"), form = $("#answer");
const zone = () => { try { return Intl.DateTimeFormat().resolvedOptions().timeZone ?? ""; } catch { return ""; } };
const ready = () => { for (const box of talk.querySelectorAll("input[name=zone]")) box.value = zone(); };
ready();

let touched = false, timer;
const keep = async () => {
  clearTimeout(timer);
  if (!touched || !form?.dataset.draft) return;
  touched = false;
  let kept = false;
  try { kept = (await keepDraft(form, body(form))).ok; } finally { touched ||= !kept; }
};
// The form shows what others gave, unless someone is at it.
const follow = (fresh) => {
  if (!form || !fresh || touched || form.contains(document.activeElement)) return;
  adopt(form.querySelector("#fields"), fresh.querySelector("#fields"));
  form.querySelector("input[name=shown]").value = fresh.querySelector("input[name=shown]").value;
  document.dispatchEvent(new Event("followed"));
};
// The question may be another one once the form was changed; never under someone's hands.
const renew = async () => {
  try {
    await keep();
    const reply = await fetch(location.href.split("#")[0]);
    if (!reply.ok || reply.redirected || touched || talk.contains(document.activeElement)) return;
    const page = parse(await reply.text());
    if (!page.querySelector("#talk")) return;
    adopt(talk, page.querySelector("#talk"));
    ready();
    follow(page.querySelector("#answer"));
  } catch { /* It is renewed with the next answer. */ }
};
const change = () => { touched = true; clearTimeout(timer); timer = setTimeout(renew, 1500); };
form?.addEventListener("input", change);
form?.addEventListener("change", change);

let going = false;
talk.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (going || !touched) { going = false; return; }
  event.preventDefault();
  try { await keep(); } catch { /* What cannot be kept now is still in the form. */ }
  going = true;
  // A form that is just being sent cannot be sent: only once this event is over.
  setTimeout(() => target.requestSubmit(submitter));
});
// Enter sends what is said; with Shift it makes a new line.
talk.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.target.tagName !== "TEXTAREA") return;
  event.preventDefault();
  event.target.form.requestSubmit(event.target.form.querySelector("button"));
});
talk.querySelector(".talk")?.lastElementChild?.scrollIntoView({ block: "nearest" });
