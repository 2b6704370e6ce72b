// Pictures: fetched only on request, one by one or all of them on this device, and without a referrer.
import { $, $$ } from "./dom.js";

const show = (link) => {
  if ($("img", link)) return;
  const img = new Image();
  img.referrerPolicy = "no-referrer";
  img.alt = "Picture from the agent";
  img.onerror = () => { link.textContent = "The picture could not be loaded"; };
  img.src = link.href;
  link.replaceChildren(img);
};
const always = {
  get: () => { try { return localStorage.getItem("pictures") === "always"; } catch { return false; } },
  set: (on) => { try { on ? localStorage.setItem("pictures", "always") : localStorage.removeItem("pictures"); } catch { /* For this page only. */ } },
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-picture]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link);
});

/** Offers to show all pictures, and shows them to those who have asked for that. */
export const start = () => {
  const links = $$("a[data-picture]"), fields = $("#fields");
  if (links.length && fields && !$("#pictures")) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.id = "pictures";
    box.checked = always.get();
    box.addEventListener("change", () => { always.set(box.checked); if (box.checked) $$("a[data-picture]").forEach(show); });
    label.className = "hint option slim";
    label.append(box, " Always show pictures on this device");
    fields.after(label);
  }
  if (always.get()) links.forEach(show);
};
