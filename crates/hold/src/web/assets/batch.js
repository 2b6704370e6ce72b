// Several decisions on one page: notes which of them were on the screen, because a yes goes only to those.
import { $, $$ } from "./dom.js";

const hidden = (name, value) => Object.assign(document.createElement("input"), { type: "hidden", name, value });

/** Watches which decisions of the page are seen. */
export const start = (signal) => {
  const form = $("#batch");
  if (!form || !("IntersectionObserver" in window)) return;
  form.append(hidden("watched", "true"));
  // A decision was seen once its beginning and its end were on the screen.
  const watch = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      const article = target.closest("article");
      if (!isIntersecting) continue;
      watch.unobserve(target);
      article.dataset.ends = Number(article.dataset.ends ?? 0) + 1;
      if (article.dataset.ends !== "2") continue;
      article.dataset.read = "";
      article.append(hidden("read", article.dataset.decision));
    }
  });
  for (const article of $$("article[data-short]", form)) {
    const end = document.createElement("span");
    article.append(end);
    watch.observe(article.firstElementChild);
    watch.observe(end);
  }
  // For a long one, the person says that they have read it.
  form.addEventListener("change", ({ target }) => {
    if (target.name === "read") target.closest("article").toggleAttribute("data-read", target.checked);
  }, { signal });
  signal.addEventListener("abort", () => watch.disconnect());
};
