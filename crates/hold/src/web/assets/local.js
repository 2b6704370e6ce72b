// Temporary storage on this device. Without storage, values are lost with the page.

export const read = (key) => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } };
export const write = (key, value) => { try { value ? localStorage.setItem(key, JSON.stringify({ ...value, at: Date.now() })) : localStorage.removeItem(key); } catch { /* Kept nowhere then. */ } };

/** Removes values whose names have a prefix and that are older than an age. */
export const expire = (prefix, kept) => {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix) && !(Date.now() - read(key).at < kept)) write(key, null);
  } catch { /* Nothing is kept. */ }
};
