// A job's page: refreshed every second while it is visible.
import { $, adopt, parse } from "./dom.js";
import { tick } from "./time.js";

/** Refreshes the job on the page. */
export const start = (signal) => {
  const job = $("#job[data-refresh]");
  if (!job) return;
  const timer = setInterval(async () => {
    const chosen = getSelection();
    if (document.hidden || job.contains(document.activeElement) || (chosen && !chosen.isCollapsed && job.contains(chosen.anchorNode))) return;
    try {
      const reply = await fetch(job.dataset.refresh, { headers: { accept: "text/html" }, signal });
      const there = reply.ok && !reply.redirected && $("#job", parse(await reply.text()));
      if (there && there.innerHTML !== job.innerHTML) { adopt(job, there); tick(); }
    } catch { /* The next second tries again. */ }
  }, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
};
