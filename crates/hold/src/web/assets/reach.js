// The answer bar stays in reach at the foot of the screen. Measures how much of the screen it covers, so that nothing
// below it counts as seen.
import { $, $$ } from "./dom.js";

const root = document.documentElement;

/** Returns where the visible part of the page begins: below a sticky head. */
export const ceiling = () => {
  const heads = $$("header.top, .back").filter((head) => head.offsetHeight > 0 && getComputedStyle(head).position === "sticky");
  return Math.max(0, ...heads.map((head) => head.getBoundingClientRect().bottom));
};

const bars = () => $$("#answers");
const isStuck = (bar) => bar.offsetHeight > 0 && getComputedStyle(bar).position === "sticky";

/** Returns where the visible part of the page ends. */
export const floor = () => {
  const tray = $("#tray"), covers = bars().filter(isStuck).map((bar) => bar.getBoundingClientRect().top);
  if (tray?.childElementCount && tray.getBoundingClientRect().right > $("#main").getBoundingClientRect().left) covers.push(tray.getBoundingClientRect().top);
  return Math.min(innerHeight, ...covers);
};

/** Measures the bar. */
export const start = (signal) => {
  root.style.removeProperty("--reach");
  const measure = () => {
    const stuck = bars().find(isStuck);
    if (stuck) root.style.setProperty("--reach", `${stuck.offsetHeight}px`);
    else root.style.removeProperty("--reach");
  };
  const watch = new ResizeObserver(measure);
  for (const bar of bars()) watch.observe(bar);
  signal.addEventListener("abort", () => watch.disconnect());
};
