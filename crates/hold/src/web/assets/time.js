// Keeps relative times up to date.
import { $$ } from "./dom.js";

const span = (ms) => {
  const s = Math.max(0, Math.floor(ms / 1000)), and = (part, unit) => (part ? ` ${part} ${unit}` : ""), days = Math.floor(s / 86400);
  return s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min`
    : s < 86400 ? `${Math.floor(s / 3600)} h${and(Math.floor((s % 3600) / 60), "min")}`
    : days >= 730 ? `${Math.floor(days / 365)} years`
    : `${days} day${days === 1 ? "" : "s"}${and(Math.floor((s % 86400) / 3600), "h")}`;
};

/** Updates all relative times on the page. */
export const tick = () => {
  for (const time of $$("time[data-ago], time[data-left]")) {
    const off = Date.now() - Date.parse(time.dateTime);
    const text = span("ago" in time.dataset ? Math.max(1000, off) : 999 - off);
    if (time.textContent !== text) time.textContent = text;
    if (!time.dataset.local) { time.title = new Date(time.dateTime).toLocaleString(); time.dataset.local = "1"; }
  }
};
setInterval(tick, 10000);
