// Shows on the icon of the installed inbox how many decisions wait.
import { $ } from "./dom.js";

const show = () => {
  const title = $("#list")?.dataset.title;
  if (title === undefined || !navigator.setAppBadge) return;
  const waiting = Number(/^\((\d+)/.exec(title)?.[1] ?? 0);
  // Where the page is not installed there is no icon, and nothing is lost.
  (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => null);
};

/** Keeps the number up to date with the list. */
export const start = (signal) => {
  // A list that is narrowed down does not say how many wait.
  if (location.search) return;
  show();
  document.addEventListener("listed", show, { signal });
};
