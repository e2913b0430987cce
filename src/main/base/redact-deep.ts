import { cleanDeep } from "../../contract/shown/clean-text.ts";

/**
 * Names of fields that stay: short words of letters alone, as the fields of our own records have. A secret that is such
 * a word (`text`, `password`) must not make these unreadable.
 */
const PLAIN = /^[A-Za-z]{1,20}$/;

/**
 * The same value with every known secret taken out of its texts, and of the names of its fields unless those are plain
 * words; the very same object when there was none.
 */
export function redactDeep<T>(value: T, redact: (text: string) => string): T {
  return cleanDeep(value, redact, (key) => (PLAIN.test(key) ? key : redact(key)));
}
