// Protects from typing ahead: a key or click acts on the decision that was on the screen when it was pressed, or on
// nothing, and says so.
"use strict";
(() => {
  // How long after a decision appears no key answers it. After a key that came too early, none does until there was
  // no key for a longer while, so that typing that began before the decision appeared never reaches it.
  const QUIET = 250, AGAIN = 600;
  let since = Infinity, quiet = QUIET, leaving = false, hiding, waiting, giveUp, place = null;

  // Typing continues across pages: keys pressed while this page was loading count as too early for it.
  const ahead = {
    note: () => { try { sessionStorage.setItem("ahead", Date.now()); } catch { /* Then only this page knows. */ } },
    isRecent: () => { try { return Date.now() - sessionStorage.getItem("ahead") < 2000; } catch { return false; } },
  };

  // Tells when keys answer: invisible, but a program that drives a browser can wait for it.
  const root = document.documentElement;
  root.classList.add("script");
  const wait = () => { delete root.dataset.keys; clearTimeout(waiting); waiting = setTimeout(() => { root.dataset.keys = "answer"; }, quiet); };
  const appeared = () => { delete root.dataset.keys; clearTimeout(waiting); since = Infinity; quiet = ahead.isRecent() ? AGAIN : QUIET; requestAnimationFrame(() => { since = performance.now(); wait(); }); };
  // This runs before the page is loaded; until then, no key acts.
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", appeared);
  else appeared();
  // Fired when another decision replaces the one that keys acted on.
  const arrive = () => { leaving = false; clearTimeout(giveUp); appeared(); };
  // Only a card that replaced another, not by a click on a link, can receive a click that was meant for the previous
  // one.
  let shown = null, follows = false, isAskedFor = false, replaced = false;
  const answerable = () => { const form = document.querySelector("#answer"); return form && `${form.action} ${form.elements.digest?.value}`; };
  document.addEventListener("DOMContentLoaded", () => { shown = answerable(); });
  document.addEventListener("following", () => { follows = true; });
  document.addEventListener("appeared", () => {
    const before = shown;
    shown = answerable();
    if (before !== shown) replaced = Boolean(before) && !isAskedFor;
    isAskedFor = false;
    if (place && !place.hidden) settle();
    arrive();
  });

  const leave = () => { isAskedFor = follows; follows = false; leaving = true; delete root.dataset.keys; clearTimeout(waiting); clearTimeout(giveUp); giveUp = setTimeout(arrive, 10000); };
  document.addEventListener("leaving", leave);
  addEventListener("beforeunload", leave);
  // Restored from the browser's history.
  addEventListener("pageshow", (event) => { if (event.persisted) arrive(); });

  const isBox = (at) => at?.tagName === "TEXTAREA" || at?.tagName === "SELECT" || (at?.tagName === "INPUT" && !/^(radio|checkbox|button|submit)$/.test(at.type));
  // Returns whether a key can open, pick or send.
  const acts = ({ key, ctrlKey, metaKey, altKey }) => {
    const at = document.activeElement, held = ctrlKey || metaKey;
    if (altKey || (held && key !== "Enter")) return false;
    if (key === "Enter") return held || !(at?.tagName === "TEXTAREA" || at?.id === "search");
    return (key === " " || /^[0-9]$/.test(key)) && !isBox(at);
  };
  // An early key starts the longer wait: from now on, or, if the decision is not on the screen yet, from its first
  // frame.
  const restart = ({ timeStamp }) => {
    quiet = AGAIN;
    if (since === Infinity) return;
    since = Math.max(since, timeStamp);
    wait();
  };
  // Above the answer bar, if that is sticky: the bar grows upwards, and its buttons stay in place.
  const settle = () => {
    const bar = document.querySelector("#answers"), home = bar && getComputedStyle(bar).position === "sticky" ? bar : document.body;
    if (place.parentElement !== home) home.prepend(place);
  };
  const ignore = (event, words) => {
    // A pick made before the ignored key may not be what the person wants now.
    for (const control of document.querySelectorAll("[data-number]:checked")) {
      control.checked = false;
      control.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (document.activeElement?.dataset.number) document.activeElement.blur();
    event.preventDefault();
    event.stopImmediatePropagation();
    place ??= document.querySelector("#ignored");
    if (!place) return;
    settle();
    place.textContent = words;
    place.hidden = false;
    clearTimeout(hiding);
    hiding = setTimeout(() => { place.hidden = true; }, 4000);
  };

  let down = null;
  document.addEventListener("keydown", (event) => {
    down = null;
    if (!acts(event) || !document.querySelector("#answer, #list, #batch") || document.querySelector("dialog[open]")) return;
    if (leaving) {
      ahead.note();
      ignore(event, "Ignored: still loading.");
    } else if (event.timeStamp < since + quiet) {
      restart(event);
      ahead.note();
      ignore(event, "Ignored: this card just appeared. Press again.");
    } else if (event.repeat && (event.key !== " " || document.activeElement !== document.body)) {
      // A key that is held down was meant for what was there when it was pressed. The space bar still scrolls.
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    } else return;
    down = event.key;
  }, true);
  // A click that began too early, and the second click of a double click, were meant for the previous card. A click
  // without a pointer has no pointerdown.
  let pressed = -Infinity;
  document.addEventListener("pointerdown", (event) => { pressed = event.timeStamp; }, true);
  document.addEventListener("click", (event) => {
    if (!replaced || !event.isTrusted || !event.target.closest?.("#answer button")) return;
    const began = event.detail && event.timeStamp - pressed < 1000 ? pressed : event.timeStamp;
    if (began >= since + (event.detail > 1 ? AGAIN : quiet)) return;
    restart(event);
    ignore(event, "Ignored: this card just appeared. Click again.");
  }, true);
  // The space bar presses a button when it is released.
  document.addEventListener("keyup", (event) => { if (event.key === down) { event.preventDefault(); down = null; } }, true);
})();
