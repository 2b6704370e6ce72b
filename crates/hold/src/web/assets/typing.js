// Typing ahead: a key or a click acts on the decision that was on the screen when it was pressed, or on nothing, and says so.
"use strict";
(() => {
  // For this long after a decision appears no key answers it. After one that came too early no key does until there was none for
  // a longer while, so that a run of keys that began before the decision appeared never reaches it.
  const QUIET = 250, AGAIN = 600;
  let since = Infinity, quiet = QUIET, leaving = false, hiding, waiting, giveUp;

  // A run of keys goes on over pages: what was pressed while this one was on its way counts as too early for it.
  const ahead = {
    note: () => { try { sessionStorage.setItem("ahead", Date.now()); } catch { /* Then only this page knows. */ } },
    isRecent: () => { try { return Date.now() - sessionStorage.getItem("ahead") < 2000; } catch { return false; } },
  };

  // The page says when keys answer: nothing is shown for it, but a program that drives a browser can wait for it.
  const root = document.documentElement;
  root.classList.add("script");
  const wait = () => { delete root.dataset.keys; clearTimeout(waiting); waiting = setTimeout(() => { root.dataset.keys = "answer"; }, quiet); };
  const appeared = () => { delete root.dataset.keys; clearTimeout(waiting); since = Infinity; quiet = ahead.isRecent() ? AGAIN : QUIET; requestAnimationFrame(() => { since = performance.now(); wait(); }); };
  // This runs before the page is there; until it is, no key acts.
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", appeared);
  else appeared();
  // Told when another decision takes the place of the one that keys acted on.
  const arrive = () => { leaving = false; clearTimeout(giveUp); appeared(); };
  // Only a card that took the place of another, and was not asked for by a click on a link, can get a click that was meant for that one.
  let shown = null, follows = false, isAskedFor = false, replaced = false;
  const answerable = () => { const form = document.querySelector("#answer"); return form && `${form.action} ${form.elements.digest?.value}`; };
  document.addEventListener("DOMContentLoaded", () => { shown = answerable(); });
  document.addEventListener("following", () => { follows = true; });
  document.addEventListener("appeared", () => {
    const before = shown;
    shown = answerable();
    if (before !== shown) replaced = Boolean(before) && !isAskedFor;
    isAskedFor = false;
    arrive();
  });

  const leave = () => { isAskedFor = follows; follows = false; leaving = true; delete root.dataset.keys; clearTimeout(waiting); clearTimeout(giveUp); giveUp = setTimeout(arrive, 10000); };
  document.addEventListener("leaving", leave);
  addEventListener("beforeunload", leave);
  // Back from the history of the browser.
  addEventListener("pageshow", (event) => { if (event.persisted) arrive(); });

  const isBox = (at) => at?.tagName === "TEXTAREA" || at?.tagName === "SELECT" || (at?.tagName === "INPUT" && !/^(radio|checkbox|button|submit)$/.test(at.type));
  // The keys that can open, pick or send.
  const acts = ({ key, ctrlKey, metaKey, altKey }) => {
    const at = document.activeElement, held = ctrlKey || metaKey;
    if (altKey || (held && key !== "Enter")) return false;
    if (key === "Enter") return held || !(at?.tagName === "TEXTAREA" || at?.id === "search");
    return (key === " " || /^[0-9]$/.test(key)) && !isBox(at);
  };
  // What came too early asks for the longer while: from then on, or where the decision is not on the screen yet, from its first frame on.
  const restart = ({ timeStamp }) => {
    quiet = AGAIN;
    if (since === Infinity) return;
    since = Math.max(since, timeStamp);
    wait();
  };
  const ignore = (event, words) => {
    // What was picked before the key that was ignored is not what the person wants now.
    for (const control of document.querySelectorAll("[data-number]:checked")) {
      control.checked = false;
      control.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (document.activeElement?.dataset.number) document.activeElement.blur();
    event.preventDefault();
    event.stopImmediatePropagation();
    const place = document.querySelector("#ignored");
    if (!place) return;
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
      ignore(event, "That key did nothing: the next page is on its way.");
    } else if (event.timeStamp < since + quiet) {
      restart(event);
      ahead.note();
      ignore(event, "That key did nothing: this had only just appeared. Look, and press it again.");
    } else if (event.repeat && (event.key !== " " || document.activeElement !== document.body)) {
      // A key that is held down was meant for what was there when it went down. The space bar still turns pages.
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    } else return;
    down = event.key;
  }, true);
  // A click that began too early, and the second of a double click, were meant for the card before. Who uses no pointer presses
  // nothing down.
  let pressed = -Infinity;
  document.addEventListener("pointerdown", (event) => { pressed = event.timeStamp; }, true);
  document.addEventListener("click", (event) => {
    if (!replaced || !event.isTrusted || !event.target.closest?.("#answer button")) return;
    const began = event.detail && event.timeStamp - pressed < 1000 ? pressed : event.timeStamp;
    if (began >= since + (event.detail > 1 ? AGAIN : quiet)) return;
    restart(event);
    ignore(event, "That click did nothing: this had only just appeared. Look, and click again.");
  }, true);
  // A button is pressed by the space bar when it comes up.
  document.addEventListener("keyup", (event) => { if (event.key === down) { event.preventDefault(); down = null; } }, true);
})();
