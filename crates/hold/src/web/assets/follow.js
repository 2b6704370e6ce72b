// Event streams, and the banner that is shown if they fail.
import { $ } from "./dom.js";

const LOST = 2000; // A server that only restarts is back by then.
let losing = null;

/** Shows a banner that the server or the session is lost; an empty text removes it. */
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

/** Returns whether a response means that the person is signed out. */
export const isSignedOut = (reply) => reply.status === 401 || (reply.redirected && new URL(reply.url).pathname === "/sign-in");

// The sign-in address that leads back here. At the list's own address a card is shown beside the list.
const signIn = () => {
  const card = location.pathname === "/" && $("#main #card")?.dataset.decision;
  return `/sign-in?next=${encodeURIComponent((card ? `/d/${card}` : location.pathname) + location.search)}`;
};

/** Shows that the person is signed out, with a link to sign in again. */
export const signedOut = () => lost("You are signed out. What you typed is kept.", Object.assign(document.createElement("a"), { textContent: "Sign in", href: signIn() }));

// The banner stays while moving between cards, and its link leads back to the current one.
document.addEventListener("appeared", () => { const link = $("#lost a"); if (link) link.href = signIn(); });

// A broken stream does not say why; a request to the same address does.
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

/** Listens until aborted. */
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
        ? "Live updates stopped. Reload."
        : "Offline, retrying. This may be out of date; your text is kept.");
    }, LOST);
  });
  signal.addEventListener("abort", () => source.close());
  return source;
};
