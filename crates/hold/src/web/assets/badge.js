// Shows the number of pending decisions on the icon of the installed inbox.
import { $ } from "./dom.js";

const show = () => {
  const title = $("#list")?.dataset.title;
  if (title === undefined || !navigator.setAppBadge) return;
  const waiting = Number(/^\((\d+)/.exec(title)?.[1] ?? 0);
  // If the page is not installed there is no icon, and the error does not matter.
  (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => null);
};

/** Keeps the number up to date with the list. */
export const start = (signal) => {
  // A filtered list does not know how many are pending in total.
  if (location.search) return;
  show();
  document.addEventListener("listed", show, { signal });
};
