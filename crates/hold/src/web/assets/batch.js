// Several decisions on one page: notes which of them were on the screen, for a yes goes only to those.
import { $, $$ } from "./dom.js";

const hidden = (name, value) => Object.assign(document.createElement("input"), { type: "hidden", name, value });

/** Watches what is seen of the decisions on the page. */
export const start = (signal) => {
  const form = $("#batch");
  if (!form || !("IntersectionObserver" in window)) return;
  form.append(hidden("watched", "true"));
  // One was on the screen once its beginning and its end were.
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
  // What is long is said to have been read.
  form.addEventListener("change", ({ target }) => {
    if (target.name === "read") target.closest("article").toggleAttribute("data-read", target.checked);
  }, { signal });
  signal.addEventListener("abort", () => watch.disconnect());
};
