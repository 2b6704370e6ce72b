// One stream tells the list and the cards beside it that something changed in what waits.
import { follow } from "./follow.js";

let started = false;

/** Listens for as long as the page is open, wherever one goes on it. */
export const start = () => {
  const { seq } = document.body.dataset;
  if (started || !seq) return;
  started = true;
  follow(`/live?after=${encodeURIComponent(seq)}`, new AbortController().signal, (event) => {
    document.dispatchEvent(new CustomEvent("news", { detail: event.data }));
  });
};
