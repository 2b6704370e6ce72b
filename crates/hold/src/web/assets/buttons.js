// Buttons that only work with scripts: the device's position, and copying.
import { $, $$, say } from "./dom.js";

const locate = (button) => {
  button.disabled = true;
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const place = button.closest(".place");
      $('[data-place="lat"]', place).value = coords.latitude.toFixed(6);
      $('[data-place="lng"]', place).value = coords.longitude.toFixed(6);
      button.disabled = false;
      place.dispatchEvent(new Event("change", { bubbles: true }));
    },
    () => { button.disabled = false; say("The position could not be found."); },
    { timeout: 15000 },
  );
};
const copy = async (button) => {
  await navigator.clipboard.writeText($(`#${button.dataset.copy}`).textContent);
  button.textContent = "Copied";
};

/** Shows the buttons that the browser supports. */
export const start = () => {
  const offer = (query, able, act) => {
    for (const button of able ? $$(query) : []) {
      if (!button.hidden) continue;
      button.hidden = false;
      button.addEventListener("click", () => act(button));
    }
  };
  offer("[data-locate]", navigator.geolocation, locate);
  offer("[data-copy]", navigator.clipboard, copy);
};
