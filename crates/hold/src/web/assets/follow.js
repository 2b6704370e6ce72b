// What a page follows, and that it cannot be followed.
import { $ } from "./dom.js";

const LOST = 2000; // A server that only restarts is back by then.
let losing = null;

/** Says above everything that the server or the session is lost; nothing takes it back. */
export const lost = (words, link = null) => {
  const old = $("#lost");
  if (old?.dataset.words === words) return;
  old?.remove();
  if (!words) return;
  const banner = Object.assign(document.createElement("p"), { id: "lost", className: "banner bad", textContent: words });
  banner.dataset.words = words;
  banner.setAttribute("role", "alert");
  if (link) banner.append(" ", link);
  $("#main").prepend(banner);
};

/** Returns whether an answer of the server says that nobody is signed in here any more. */
export const isSignedOut = (reply) => reply.status === 401 || (reply.redirected && new URL(reply.url).pathname === "/sign-in");

/** Says that nobody is signed in here any more, and where one signs in again. */
export const signedOut = () => {
  const link = Object.assign(document.createElement("a"), { textContent: "Sign in", href: `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}` });
  lost("You are signed out. What you typed is kept.", link);
};

// A stream that breaks off does not say why: the same address does.
const ask = async (address, signal) => {
  const asked = new AbortController(), stop = () => asked.abort();
  signal.addEventListener("abort", stop);
  try {
    const reply = await fetch(address, { headers: { accept: "text/event-stream" }, signal: asked.signal });
    if (isSignedOut(reply)) signedOut();
  } catch { /* It cannot be reached, which is said if that lasts. */ } finally {
    stop();
    signal.removeEventListener("abort", stop);
  }
};

/** Listens until it is told to stop. */
export const follow = (address, signal, heard) => {
  if (!window.EventSource) return null;
  const source = new EventSource(address);
  source.addEventListener("changed", heard);
  source.addEventListener("open", () => { clearTimeout(losing); losing = null; lost(""); });
  source.addEventListener("error", () => {
    ask(address, signal);
    losing ??= setTimeout(() => {
      if ($("#lost")) return;
      lost(source.readyState === EventSource.CLOSED
        ? "This page is no longer kept up to date. Load it again."
        : "The server cannot be reached. What is shown may be old; what you typed is kept, and it is tried again.");
    }, LOST);
  });
  signal.addEventListener("abort", () => source.close());
  return source;
};
