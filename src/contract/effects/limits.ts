/** Most things that a plugin may ask for beside one answer. */
export const MAX_EFFECTS = 100;
/** Most characters that all `notify` of one answer may have together. */
export const MAX_NOTIFY_TEXT = 64 * 1024;
/** Largest `data` of an entry, roughly in bytes. */
export const MAX_ENTRY_DATA = 256 * 1024;
