// An open card is told once, when the decision is no longer what it shows.
import { $, $$, adopt, parse } from "./dom.js";
import { follow } from "./follow.js";

const block = (words) => {
  const place = $("#changed"), form = $("#answer");
  if (!place) return;
  form?.classList.add("blocked");
  for (const button of $$("button", form ?? place)) button.disabled = true;
  const banner = document.createElement("p"), look = document.createElement("a");
  banner.className = "banner bad";
  banner.textContent = `${words} `;
  // At the list's own address a card is shown beside it.
  look.href = location.pathname === "/" ? `/d/${$("#card").dataset.decision}${location.search}` : location.href.split("#")[0];
  look.textContent = "Show it as it stands now";
  banner.append(look);
  place.replaceChildren(banner);
};

/** Follows the decision on the page. */
export const start = (signal) => {
  const card = $("#card[data-live]");
  if (!card) return;
  let source = null, isOver = false;
  const listen = () => {
    source = follow(card.dataset.live, signal, (event) => {
      source.close();
      isOver = true;
      if (!$("#answer[data-sent]")) block(event.data);
    });
    // What programs remark meanwhile stands below the form: nothing moves under a person's hand.
    source?.addEventListener("remarked", (event) => { const place = $("#remarks"); if (place) adopt(place, parse(event.data).body); });
  };
  listen();
  // A browser keeps few connections to one server: pages out of sight leave theirs to the one that is looked at.
  document.addEventListener("visibilitychange", () => {
    source?.close();
    if (!document.hidden && !isOver) listen();
  }, { signal });
};
