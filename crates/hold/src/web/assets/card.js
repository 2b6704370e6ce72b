// Shows a banner, once, when the decision of the open card has changed.
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
  // At the list's own address the card is shown beside the list, so it has another address.
  look.href = location.pathname === "/" ? `/d/${$("#card").dataset.decision}${location.search}` : location.href.split("#")[0];
  look.textContent = "Show the new version";
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
    // New remarks go below the form, so that nothing moves under the person's hands.
    source?.addEventListener("remarked", (event) => { const place = $("#remarks"); if (place) adopt(place, parse(event.data).body); });
  };
  listen();
  // Browsers limit connections per server: hidden pages close theirs in favour of the visible one.
  document.addEventListener("visibilitychange", () => {
    source?.close();
    if (!document.hidden && !isOver) listen();
  }, { signal });
};
