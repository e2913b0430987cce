/** Largest answer of a plugin, roughly in bytes. */
export const MAX_ANSWER = 32 * 1024 * 1024;

/** What is said in the place of an answer that is larger. */
export const answerTooLargeText = "The plugin's answer is larger than 32 MB; it was thrown away.";

/** Whether a value is at most about `limit` bytes large. Stops counting as soon as it is larger. */
export function isWithin(value: unknown, limit: number): boolean {
  let left = limit;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    left -= 8;
    if (typeof next === "string") left -= next.length;
    else if (ArrayBuffer.isView(next)) left -= next.byteLength;
    else if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (typeof next === "object" && next !== null) {
      for (const key of Object.keys(next)) {
        left -= key.length;
        pending.push((next as Record<string, unknown>)[key]);
      }
    }
    if (left < 0) return false;
  }
  return true;
}

/**
 * As {@link isWithin}, in the process that is about to send the value: each object counts once, so that a value which
 * contains itself is not taken for a large one.
 */
export function isSendable(value: unknown, limit: number): boolean {
  const seen = new Set<object>();
  const pending: unknown[] = [value];
  let left = limit;
  while (pending.length > 0 && left >= 0) {
    const next = pending.pop();
    left -= 8;
    if (typeof next === "string") left -= next.length;
    else if (ArrayBuffer.isView(next)) left -= next.byteLength;
    else if (typeof next === "object" && next !== null && !seen.has(next)) {
      seen.add(next);
      for (const inner of Object.values(next)) pending.push(inner);
    }
  }
  return left >= 0;
}
