import { cleanLine } from "../../contract/shown/clean-text.ts";

export interface PickOption {
  /** What the answer is when this one is picked. */
  value: string;
  label: string;
  /** Letters or words that pick it as well, in small letters. */
  keys?: readonly string[];
}

/** The options that a typed text means, or a sentence that says why it means none. */
export type Picked = { values: string[] } | { wrong: string };

/**
 * Reads what was typed to pick one option: its text, a key of it, its number from 1, or its value, in capital or small
 * letters. What several options read is not guessed.
 */
export function pickOne(typed: string, options: readonly PickOption[]): Picked {
  const text = plain(typed);
  const readings = [
    options.filter(({ label }) => plain(label) === text),
    options.filter(({ keys }) => keys?.includes(text)),
    /^\d+$/.test(text) ? options.slice(Number(text) - 1, Number(text)) : [],
    // Values that are numbers are places in a list, counted from 0, and nobody sees them.
    /^\d+$/.test(text) ? [] : options.filter(({ value }) => plain(value) === text),
  ];
  const found = readings.find((reading) => reading.length > 0) ?? [];
  const [only] = found;
  if (only && found.length === 1) return { values: [only.value] };
  return {
    wrong: only
      ? `${found.length} options read “${cleanLine(typed)}”: give the number of one.`
      : `“${cleanLine(typed)}” is none of the options.`,
  };
}

/** Like {@link pickOne} for any number of options, with commas between them; numbers may have blanks between them. */
export function pickSome(typed: string, options: readonly PickOption[]): Picked {
  const whole = pickOne(typed, options);
  if ("values" in whole) return whole;
  const parts = /^[\d\s,]+$/.test(typed) ? typed.split(/[\s,]+/) : typed.split(",");
  const values: string[] = [];
  for (const part of parts.filter((one) => one.trim() !== "")) {
    const picked = pickOne(part, options);
    if ("wrong" in picked) return picked;
    values.push(...picked.values.filter((value) => !values.includes(value)));
  }
  return { values };
}

const plain = (text: string) => cleanLine(text).toLowerCase();
