// What is typed beside the options, a message or guidance, is kept on this device at every key, and comes back after a
// reload, a look elsewhere, a failed send or a sign-in, until the answer was taken.
import { $, $$ } from "./dom.js";
import { expire, read, write } from "./local.js";

const KEPT = 7 * 24 * 3600 * 1000;
const name = (id) => `typed:${id}`;
expire("typed:", KEPT);

/** Forgets what was typed about a decision: its answer was taken. */
export const forget = (id) => write(name(id), null);

/** Puts back what was typed on this card, and keeps what is typed on it from now on. */
export const start = (signal) => {
  const done = new URLSearchParams(location.search).get("done");
  if (done) forget(done);
  const card = $("#card[data-decision]");
  const boxes = $$("#answer textarea[name=message], #answer textarea[name=guidance]");
  if (!card || !boxes.length) return;
  const key = name(card.dataset.decision), typed = read(key);
  for (const box of boxes) {
    if (!box.value && typed[box.name]) {
      box.value = typed[box.name];
      const fold = box.closest("details");
      if (fold) fold.open = true;
    }
    box.addEventListener("input", () => {
      const words = Object.fromEntries(boxes.filter((one) => one.value).map((one) => [one.name, one.value]));
      write(key, Object.keys(words).length ? words : null);
    }, { signal });
  }
};
