// What is filled in on a card, typed or picked, is kept on this device at every key, and comes back after a reload, a look
// elsewhere, a failed send, a revision or a sign-in, until the answer was taken.
import { $ } from "./dom.js";
import { expire, read, write } from "./local.js";

const KEPT = 7 * 24 * 3600 * 1000;
// Several people may use one browser: what one typed is not sent under another's name.
const name = (id) => `typed:${id}:${document.body.dataset.person ?? ""}`;
expire("typed:", KEPT);

/** Forgets what was filled in for a decision: its answer was taken. */
export const forget = (id) => write(name(id), null);

// What a person fills in. That something was read, or is consented to unread, is said anew each time; what is sought is no answer.
const controls = (form) => [...form.elements].filter((one) => one.name && !/^(hidden|submit|button|search|password|file)$/.test(one.type) && !/^(seen|unread)$/.test(one.name));
const isPick = (one) => one.type === "radio" || one.type === "checkbox";
const isSame = (one, other) => one.length === other.length && one.every((value, at) => value === other[at]);
const now = (one) => (isPick(one) ? (one.checked ? [one.value] : []) : [one.value]);
// What the page came with.
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

// Puts one value back; returns whether that changed anything.
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

/** Puts back what was filled in on this card, and keeps what is from now on. */
export const start = (signal) => {
  const done = new URLSearchParams(location.search).get("done");
  if (done) forget(done);
  const card = $("#card[data-decision]"), form = $("#answer");
  if (!card || !form) return;
  const key = name(card.dataset.decision), digest = form.elements.digest?.value;
  const { fields = {}, kept = false, digest: of = digest } = read(key);
  const waiting = new Map(Object.entries(fields));
  // A yes is to what was seen: a pick that was made on another subject is not made again.
  const isOther = of !== digest && Boolean($("#subject"));

  const restore = () => {
    let changed = null;
    for (const [id, ones] of byName(form)) {
      const found = waiting.get(id);
      if (!found) continue;
      waiting.delete(id);
      const { mine, base } = found, shown = ones.flatMap(before);
      if (isOther && isPick(ones[0])) continue;
      // What the server has kept, and somebody else changed since, is theirs.
      if (kept && !isSame(shown, base)) continue;
      // A card that is drawn again as it was left has it already.
      if (isSame(ones.flatMap(now), shown) && fill(ones, mine)) changed = ones[0];
    }
    // What depends on it is asked for, and the server gets to know it.
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
  // Fields that came after.
  document.addEventListener("followed", restore, { signal });
};
