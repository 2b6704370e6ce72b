// What is kept on this device for a while. Where nothing can be kept, only the page knows.

export const read = (key) => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } };
export const write = (key, value) => { try { value ? localStorage.setItem(key, JSON.stringify({ ...value, at: Date.now() })) : localStorage.removeItem(key); } catch { /* Kept nowhere then. */ } };

/** Forgets what was kept under names that begin so, longer ago than that. */
export const expire = (prefix, kept) => {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix) && !(Date.now() - read(key).at < kept)) write(key, null);
  } catch { /* Nothing is kept. */ }
};
