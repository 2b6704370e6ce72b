// The answers under way: given here, and not acknowledged by the server yet.
const entries = new Set();

const tell = () => document.dispatchEvent(new Event("underway"));

export const add = (entry) => { entries.add(entry); tell(); };
export const remove = (entry) => { entries.delete(entry); tell(); };
export const all = () => [...entries];

/** Returns the ids of the decisions that are being answered. */
export const ids = () => new Set(all().flatMap((entry) => [entry.id, ...entry.same]));
