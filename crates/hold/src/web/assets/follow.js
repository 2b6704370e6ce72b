// What a page follows, and that it cannot be followed.
import { $ } from "./dom.js";

const LOST = 2000; // A server that only restarts is back by then.
let losing = null;

/** Says above everything that the server is lost; nothing takes it back. */
export const lost = (words) => {
  const old = $("#lost");
  if (old?.textContent === words) return;
  old?.remove();
  if (!words) return;
  const banner = Object.assign(document.createElement("p"), { id: "lost", className: "banner bad", textContent: words });
  banner.setAttribute("role", "alert");
  $("#main").prepend(banner);
};

/** Listens until it is told to stop. */
export const follow = (address, signal, heard) => {
  if (!window.EventSource) return null;
  const source = new EventSource(address);
  source.addEventListener("changed", heard);
  source.addEventListener("open", () => { clearTimeout(losing); losing = null; lost(""); });
  source.addEventListener("error", () => {
    losing ??= setTimeout(() => lost(source.readyState === EventSource.CLOSED
      ? "This page is no longer kept up to date: you may have been signed out. Load it again."
      : "The server cannot be reached. What is shown may be old; what you typed is kept, and it is tried again."), LOST);
  });
  signal.addEventListener("abort", () => source.close());
  return source;
};
