// What sends an answer stays in reach at the foot of the screen. Says how much of the screen it takes, so that nothing counts as seen
// that lies under it.
import { $ } from "./dom.js";

const root = document.documentElement;

/** Returns from where on the page itself is seen: below a head that stays. */
export const ceiling = () => {
  const head = $("header.top");
  return head && getComputedStyle(head).position === "sticky" ? Math.max(0, head.getBoundingClientRect().bottom) : 0;
};

/** Returns down to where the page itself is seen. */
export const floor = () => {
  const bar = $(".card .confirm, .card .send"), tray = $("#tray");
  const isStuck = bar && getComputedStyle(bar).position === "sticky";
  const covers = [isStuck ? bar.getBoundingClientRect().top : Infinity];
  if (tray?.childElementCount && tray.getBoundingClientRect().right > $("#main").getBoundingClientRect().left) covers.push(tray.getBoundingClientRect().top);
  return Math.min(innerHeight, ...covers);
};

/** Measures it. */
export const start = (signal) => {
  root.style.removeProperty("--reach");
  const bar = $(".card .confirm, .card .send");
  if (!bar || getComputedStyle(bar).position !== "sticky") return;
  const watch = new ResizeObserver(() => root.style.setProperty("--reach", `${bar.offsetHeight}px`));
  watch.observe(bar);
  signal.addEventListener("abort", () => watch.disconnect());
};
