// Keeps the two columns of a conversation in sync: what is typed in one is stored before the other is sent.
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
// Shows what others filled in, unless the person is using the form.
const follow = (fresh) => {
  if (!form || !fresh || touched || form.contains(document.activeElement)) return;
  adopt(form.querySelector("#fields"), fresh.querySelector("#fields"));
  form.querySelector("input[name=shown]").value = fresh.querySelector("input[name=shown]").value;
  document.dispatchEvent(new Event("followed"));
};
// Changing the form may change the question; it is never replaced while the person types.
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
  // A form cannot be sent during its own submit event, so wait until it is over.
  setTimeout(() => target.requestSubmit(submitter));
});
// Enter sends; Shift+Enter starts a new line.
talk.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.target.tagName !== "TEXTAREA") return;
  event.preventDefault();
  event.target.form.requestSubmit(event.target.form.querySelector("button"));
});
talk.querySelector(".talk")?.lastElementChild?.scrollIntoView({ block: "nearest" });
