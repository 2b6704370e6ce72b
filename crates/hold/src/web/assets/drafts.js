// What is typed beside the options, a message or guidance, is kept on this device at every key, and comes back after a
// reload, a look elsewhere, a failed send or a sign-in, until the answer was taken.
(() => {
  const KEPT = 7 * 24 * 3600 * 1000;
  const store = {
    read: (key) => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } },
    write: (key, value) => { try { value ? localStorage.setItem(key, JSON.stringify(value)) : localStorage.removeItem(key); } catch { /* Kept nowhere then. */ } },
  };
  const name = (id) => `typed:${id}`;
  const done = new URLSearchParams(location.search).get("done");
  if (done) store.write(name(done), null);
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith("typed:") && !(Date.now() - store.read(key).at < KEPT)) store.write(key, null);
    }
  } catch { /* Nothing is kept. */ }

  const card = document.querySelector("#card[data-decision]");
  const boxes = [...document.querySelectorAll("#answer textarea[name=message], #answer textarea[name=guidance]")];
  if (!card || !boxes.length) return;
  const key = name(card.dataset.decision), typed = store.read(key);
  for (const box of boxes) {
    if (!box.value && typed[box.name]) {
      box.value = typed[box.name];
      const fold = box.closest("details");
      if (fold) fold.open = true;
    }
    box.addEventListener("input", () => {
      const words = Object.fromEntries(boxes.filter((one) => one.value).map((one) => [one.name, one.value]));
      store.write(key, Object.keys(words).length ? { ...words, at: Date.now() } : null);
    });
  }
})();
