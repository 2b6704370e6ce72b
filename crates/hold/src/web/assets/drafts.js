// Stores the input on a card on this device at every key, and restores it after a reload, a visit to another page, a
// failed send, a revision or a sign-in, until the answer was accepted.
import { $ } from "./dom.js";
import { expire, read, write } from "./local.js";

const KEPT = 7 * 24 * 3600 * 1000;
// Several people may share a browser: one person's input must not be sent under another's name.
const name = (id) => `typed:${id}:${document.body.dataset.person ?? ""}`;
expire("typed:", KEPT);

/** Forgets the input for a decision whose answer was accepted. */
export const forget = (id) => write(name(id), null);

// The person's own input. Having read the subject, or consenting unread, must be confirmed anew each time; a search
// is no input.
const controls = (form) => [...form.elements].filter((one) => one.name && !/^(hidden|submit|button|search|password|file)$/.test(one.type) && !/^(seen|unread)$/.test(one.name));
const isPick = (one) => one.type === "radio" || one.type === "checkbox";
const isSame = (one, other) => one.length === other.length && one.every((value, at) => value === other[at]);
const now = (one) => (isPick(one) ? (one.checked ? [one.value] : []) : [one.value]);
// The values that the page came with.
const before = (one) => {
  if (isPick(one)) return one.defaultChecked ? [one.value] : [];
  if (one.tagName !== "SELECT") return [one.defaultValue];
  const options = [...one.options];
  return [(options.find((option) => option.defaultSelected) ?? options[0])?.value ?? ""];
};
const byName = (form) => {
  const found = new Map();
  for (const one of controls(form)) found.set(one.name, [...(found.get(one.name) ?? []), one]);
  return found;
};

// Restores a value; returns whether that changed anything.
const fill = (ones, values) => {
  let changed = false;
  ones.forEach((one, at) => {
    if (isPick(one) ? one.checked === values.includes(one.value) : one.value === (values[at] ?? "")) return;
    isPick(one) ? one.checked = values.includes(one.value) : one.value = values[at] ?? "";
    const fold = one.closest("details");
    if (fold) fold.open = true;
    changed = true;
  });
  return changed;
};

/** Restores the input on this card, and stores it from now on. */
export const start = (signal) => {
  const done = new URLSearchParams(location.search).get("done");
  if (done) forget(done);
  const card = $("#card[data-decision]"), form = $("#answer");
  if (!card || !form) return;
  const key = name(card.dataset.decision), digest = form.elements.digest?.value;
  const { fields = {}, kept = false, digest: of = digest } = read(key);
  const waiting = new Map(Object.entries(fields));
  // A yes is to what was seen: a pick made on another subject is not restored.
  const isOther = of !== digest && Boolean($("#subject"));

  const restore = () => {
    let changed = null;
    for (const [id, ones] of byName(form)) {
      const found = waiting.get(id);
      if (!found) continue;
      waiting.delete(id);
      const { mine, base } = found, shown = ones.flatMap(before);
      if (isOther && isPick(ones[0])) continue;
      // The server has a draft that somebody else changed since: theirs counts.
      if (kept && !isSame(shown, base)) continue;
      // A card that is redrawn as it was left already has the input.
      if (isSame(ones.flatMap(now), shown) && fill(ones, mine)) changed = ones[0];
    }
    // Loads the fields that depend on it, and stores it on the server.
    changed?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const note = (isKept = false) => {
    const changes = Object.fromEntries(waiting);
    for (const [id, ones] of byName(form)) {
      const mine = ones.flatMap(now), base = ones.flatMap(before);
      if (!isSame(mine, base)) changes[id] = { mine, base };
    }
    write(key, Object.keys(changes).length ? { fields: changes, digest, kept: isKept } : null);
  };
  restore();
  form.addEventListener("input", () => note(), { signal });
  form.addEventListener("change", () => note(), { signal });
  form.addEventListener("kept", () => note(true), { signal });
  // Fields that were loaded later.
  document.addEventListener("followed", restore, { signal });
};
