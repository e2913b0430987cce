import { cleanText } from "../../../contract/shown/clean-text.ts";

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A value that is put into a sentence, such as the name of a plugin: cleaned once more, and where it has letters of a
 * right-to-left script set apart (FSI … PDI), so that it cannot turn the words around it.
 */
export function shownValue(value: string): string {
  const clean = cleanText(value);
  return RIGHT_TO_LEFT.test(clean) ? `\u2068${clean}\u2069` : clean;
}
