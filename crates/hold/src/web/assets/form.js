// The card's form: fields that appear and disappear, and drafts stored by the server.
import { $, $$, later, parse, say } from "./dom.js";
import { isSignedOut, signedOut } from "./follow.js";

/** Returns the values of a form as they are sent. */
export const body = (form, verb) => {
  const data = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (name !== "verb") data.append(name, value);
  if (verb) data.append("verb", verb);
  return data;
};

// The person's input, without the page's own values.
const filled = (data) => [...data].filter(([name]) => name !== "csrf" && name !== "shown").join("&");

/**
 * Stores a draft. The values that the page showed are sent along, so that only changes made here count; after
 * storing, the draft is what was shown.
 */
export const keep = async (form, data) => {
  const shown = $("input[name=shown]", form), before = shown?.value, held = new URLSearchParams();
  for (const [name, value] of data) if (name !== "csrf" && name !== "shown") held.append(name, value);
  if (shown) shown.value = held.toString();
  let kept = false;
  try {
    const reply = await fetch(form.dataset.draft, { method: "POST", body: data });
    kept = reply.ok;
    return reply;
  } finally { if (shown && !kept) shown.value = before; }
};

// The server says which fields are asked; unchanged fields are not replaced, so that no input is lost.
const refill = (fresh) => {
  const here = $("#fields"), there = $("#fields", fresh);
  if (!here || !there) return;
  const known = new Map($$(":scope > [data-field]", here).map((node) => [node.dataset.field, node]));
  let last = null;
  for (const node of $$(":scope > [data-field]", there)) {
    let mine = known.get(node.dataset.field);
    known.delete(node.dataset.field);
    if (!mine) {
      mine = document.adoptNode(node);
      last ? last.after(mine) : here.prepend(mine);
      say(`Also asked: ${$("legend, label", mine)?.textContent.trim() ?? ""}`);
    } else if ($('[data-find="server"]', mine) || $('[data-find="server"]', node)) {
      const list = $("[data-options]", node);
      if (list) { $("[data-options]", mine).replaceChildren(...list.childNodes); $("[data-find]", mine).dataset.find = $("[data-find]", node)?.dataset.find ?? "server"; }
    }
    last = mine;
  }
  for (const gone of known.values()) gone.remove();
  document.dispatchEvent(new Event("followed"));
};

/** Enhances the form on the page. */
export const start = (signal) => {
  const form = $("#answer");
  if (!form) return;
  let round = 0;
  const refillSoon = later(120, async () => {
    const mine = ++round;
    try {
      const reply = await fetch(form.action, { method: "POST", body: body(form, "continue"), signal });
      if (mine !== round || !reply.ok) return;
      const fresh = parse(await reply.text());
      refill(fresh);
      document.dispatchEvent(new CustomEvent("redrawn", { detail: fresh }));
    } catch { /* Without the network the form still works when it is sent. */ }
  });
  const keepSoon = later(1200, async () => {
    if (signal.aborted || "sent" in form.dataset || !form.dataset.draft || form.classList.contains("blocked")) return;
    try {
      const sent = body(form), reply = await keep(form, sent);
      if (isSignedOut(reply)) signedOut();
      else if (reply.status === 403) delete form.dataset.draft;
      // Input made since the request was sent has not been stored yet.
      else if (reply.ok && filled(sent) === filled(body(form))) form.dispatchEvent(new Event("kept"));
    } catch { /* Tried again with the next key. */ }
  });
  const changed = () => {
    if ("conditional" in form.dataset) refillSoon();
    keepSoon();
  };

  form.addEventListener("input", (event) => {
    const at = event.target;
    if (at.dataset.find === "here") {
      const sought = at.value.trim().toLowerCase();
      for (const option of $$(".option", at.closest(".field"))) {
        if (option.dataset.words !== undefined) option.hidden = !option.dataset.words.includes(sought) && !$(":checked", option);
      }
      return;
    }
    if (at.dataset.find === "server") return void refillSoon();
    if ("own" in at.dataset && at.value.trim()) {
      const pick = $(`#${at.id}-pick`);
      if (pick) pick.checked = true;
    }
    changed();
  }, { signal });
  // Choosing an option replaces the written answer, which until then stays beside it.
  form.addEventListener("change", (event) => { if (!event.target.dataset.find) changed(); }, { signal });
};
