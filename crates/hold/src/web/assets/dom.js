// Finding and changing what is on the page.
export const $ = (query, root = document) => root.querySelector(query);
export const $$ = (query, root = document) => [...root.querySelectorAll(query)];
export const parse = (text) => new DOMParser().parseFromString(text, "text/html");

/** Replaces the children of a node with those of another. */
export const adopt = (here, there) => here.replaceChildren(...[...there.childNodes].map((node) => document.adoptNode(node)));

/**
 * Scrolls a row into view; beside a card only the list is scrolled, because a page that scrolls by itself was not
 * read.
 */
export const reveal = (row) => {
  const pane = row.closest("#beside");
  if (!pane) { row.scrollIntoView({ block: "nearest" }); return; }
  const at = row.getBoundingClientRect(), frame = pane.getBoundingClientRect();
  const tray = $("#tray")?.getBoundingClientRect();
  const bottom = Math.min(frame.bottom, innerHeight, tray?.height ? tray.top : Infinity);
  if (at.top < frame.top) pane.scrollTop -= Math.ceil(frame.top - at.top);
  else if (at.bottom > bottom) pane.scrollTop += Math.ceil(at.bottom - bottom);
};

/** Announces a message to screen readers. */
export const say = (words) => { const place = $("#say"); if (place) place.textContent = words; };

/** Delays an action until there were no more calls for a while. */
export const later = (wait, act) => { let timer; return (...given) => { clearTimeout(timer); timer = setTimeout(() => act(...given), wait); }; };

/** Returns whether a control accepts typed text. */
export const isTyping = (at) => Boolean(at && (at.isContentEditable || /^(TEXTAREA|SELECT)$/.test(at.tagName) || (at.tagName === "INPUT" && !/^(radio|checkbox|button|submit)$/.test(at.type))));
