// An open card is told once, when the decision is no longer what it shows.
import { $, $$ } from "./dom.js";
import { follow } from "./follow.js";

const block = (words) => {
  const place = $("#changed"), form = $("#answer");
  if (!place) return;
  form?.classList.add("blocked");
  for (const button of $$("button", form ?? place)) button.disabled = true;
  const banner = document.createElement("p"), look = document.createElement("a");
  banner.className = "banner bad";
  banner.textContent = `${words} `;
  look.href = location.href.split("#")[0];
  look.textContent = "Show it as it stands now";
  banner.append(look);
  place.replaceChildren(banner);
};

/** Follows the decision on the page. */
export const start = (signal) => {
  const card = $("#card[data-live]");
  if (!card) return;
  const source = follow(card.dataset.live, signal, (event) => {
    source.close();
    if (!$("#answer[data-sent]")) block(event.data);
  });
};
