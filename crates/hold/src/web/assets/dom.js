// Finding and changing what is on the page.
export const $ = (query, root = document) => root.querySelector(query);
export const $$ = (query, root = document) => [...root.querySelectorAll(query)];
export const parse = (text) => new DOMParser().parseFromString(text, "text/html");

/** Puts what one node holds into another, in the place of what was there. */
export const adopt = (here, there) => here.replaceChildren(...[...there.childNodes].map((node) => document.adoptNode(node)));

/** Brings a row into sight: beside a card by moving the list alone, for a page that moves by itself was not read. */
export const reveal = (row) => {
  const pane = row.closest("#beside");
  if (!pane) { row.scrollIntoView({ block: "nearest" }); return; }
  const at = row.getBoundingClientRect(), frame = pane.getBoundingClientRect();
  const bottom = Math.min(frame.bottom, innerHeight);
  if (at.top < frame.top) pane.scrollTop -= Math.ceil(frame.top - at.top);
  else if (at.bottom > bottom) pane.scrollTop += Math.ceil(at.bottom - bottom);
};

/** Says something to those who hear the page. */
export const say = (words) => { const place = $("#say"); if (place) place.textContent = words; };

/** Puts an action off until there was no call for so long. */
export const later = (wait, act) => { let timer; return (...given) => { clearTimeout(timer); timer = setTimeout(() => act(...given), wait); }; };

/** Returns whether someone types text into a control. */
export const isTyping = (at) => Boolean(at && (at.isContentEditable || /^(TEXTAREA|SELECT)$/.test(at.tagName) || (at.tagName === "INPUT" && !/^(radio|checkbox|button|submit)$/.test(at.type))));
