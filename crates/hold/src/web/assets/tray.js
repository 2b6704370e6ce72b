// The tray: the state of the answers given here.
import { $, $$ } from "./dom.js";

const SHOWN = 8000;
let told = null, hiding;

const tray = () => {
  const known = $("#tray");
  if (known) return known;
  const made = Object.assign(document.createElement("section"), { id: "tray" });
  made.setAttribute("aria-label", "Answers under way");
  $("#main").after(made);
  return made;
};

/** Returns a line for an answer. */
export const line = () => {
  const made = Object.assign(document.createElement("p"), { className: "line" });
  tray().append(made);
  return made;
};

/** Shows the state of an answer, and what can be done about it. */
export const fill = (place, { words, title, rest, act }) => {
  const strong = document.createElement("strong"), name = document.createElement("span"), tail = document.createElement("span");
  strong.textContent = words;
  name.textContent = title;
  name.className = "name";
  name.dir = strong.dir = "auto";
  tail.textContent = rest;
  tail.className = "rest";
  place.replaceChildren(strong, name, tail);
  if (!act) return;
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: act.label });
  if (act.key) button.append(Object.assign(document.createElement("kbd"), { textContent: act.key }));
  button.addEventListener("click", act.run);
  place.append(button);
};

/** Shows the server's message about an answer, until it is closed or the next one follows. */
export const tell = (banners) => {
  clearTimeout(hiding);
  told?.remove();
  told = null;
  if (!banners.length) return;
  told = document.createElement("div");
  told.className = "told";
  told.append(...banners.map((banner) => document.adoptNode(banner)));
  tray().append(told);
  const mine = told;
  const close = () => { mine.remove(); };
  // A longer message, such as where a commit is, stays until it is closed.
  if ($$("br", told).length || $(".bad", told)) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Close" });
    button.addEventListener("click", close);
    told.append(button);
  } else hiding = setTimeout(close, SHOWN);
};
