/**
 * Text that others wrote, made fit to be shown: to a person in a label or a terminal, and to a model in the description
 * of a tool. What cannot be seen, or changes how its surroundings are seen, is replaced by a sign that can. Letters of
 * every script stay as they are, and so do the joiners that Arabic, Persian, the scripts of India and emoji need.
 */

/** Colours and the like of terminal programs. They carry no words, so they are taken out and not replaced. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const COLOURS = /\u001b\[[\d;:]{0,32}m/g;

/** What no text needs: controls, direction marks, what has no width, tags, surrogates without their other half. */
const UNSEEN = [
  "\\p{Cc}", // C0, DEL and C1
  "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069", // directions
  "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0", // no width
  "\\u2028\\u2029\\ufff0-\\ufffb", // other ends of lines, annotations
  "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}", // formats, tags, further variation selectors
  "\\p{Cs}", // halves of pairs
].join("");

/** The flags of England, Scotland and Wales are spelled in tags. */
const FLAG =
  "\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}";
/** A joiner where it belongs: between emoji, or after a letter of a script that joins. */
const JOINED =
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})" +
  "|(?<=(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Common}\\p{Script=Inherited}])[\\p{L}\\p{M}])[\\u200c\\u200d]";
/** More signs over one letter than any language writes; they would cover the lines around it. */
const PILE = "(?<=\\p{M}{8})\\p{M}+";

/** Its first group is what is meant as it stands. */
const FOUND = new RegExp(`(${FLAG}|${JOINED})|${PILE}|[${UNSEEN}\\u200c\\u200d]`, "gu");
/** A quick look, because nearly every text is clean. */
const SUSPECT = new RegExp(`[${UNSEEN}\\u200c\\u200d]|\\p{M}{9}`, "u");

/** A text of many lines: tabs and ends of lines stay. */
export function cleanText(text: string): string {
  return clean(text, visible, true);
}

/** A label: one line. Ends of lines, tabs and runs of blanks become one blank. */
export function cleanLine(text: string): string {
  return clean(text.replace(/\s+/g, " ").trim(), visible, false);
}

/** A line of a log: what is not shown as it is stands there as an escape, `\x1b` or `\u{202e}`. */
export function escapeText(text: string): string {
  return clean(text, escaped, true);
}

/**
 * A text that is judged before something is done with it, such as a command to be allowed: nothing of it is left out, and
 * what is not seen, or changes how the rest is seen, stands there as an escape, `\u202e`. Tabs and ends of lines stay.
 */
export function exactText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(FOUND, (found, meant) =>
    meant || found === "\n" || found === "\t" ? found : asUnits(found),
  );
}

/** A JSON document whose texts hold nothing raw; it says the same to whoever parses it. */
export function cleanJson(json: string): string {
  if (!SUSPECT.test(json)) return json;
  return json.replace(FOUND, (found, meant) => (found === "\n" || meant ? found : asUnits(found)));
}

/**
 * A copy of a JSON-like value with every text in it cleaned, names of fields too; the value itself when all are clean.
 *
 * @param changeKey what happens to names of fields; default: the same as to texts
 */
export function cleanDeep<T>(
  value: T,
  change: (text: string) => string = cleanText,
  changeKey: (key: string) => string = change,
): T {
  return walk(value, change, changeKey, 0) as T;
}

/** What lies deeper is left out. */
const DEEPEST = 1_000;

type Change = (text: string) => string;

function walk(value: unknown, change: Change, changeKey: Change, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const item = walk(value[index], change, changeKey, depth + 1);
      if (item === value[index]) continue;
      items ??= [...value];
      items[index] = item;
    }
    return items ?? value;
  }
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields);
  if (keys.some((key) => changeKey(key) !== key)) {
    const entries = keys.map((key) => [changeKey(key), walk(fields[key], change, changeKey, depth + 1)]);
    return Object.fromEntries(entries);
  }
  let copy: Record<string, unknown> | undefined;
  for (const key of keys) {
    const item = walk(fields[key], change, changeKey, depth + 1);
    if (item === fields[key]) continue;
    copy ??= { ...fields };
    copy[key] = item;
  }
  return copy ?? value;
}

function clean(text: string, replace: (found: string) => string, lines: boolean): string {
  if (!SUSPECT.test(text)) return text;
  const plain = text.replace(COLOURS, "").replace(/\r\n/g, "\n");
  return plain.replace(FOUND, (found, meant) =>
    meant || (lines && (found === "\n" || found === "\t")) ? found : replace(found),
  );
}

function visible(found: string): string {
  // A hyphen that may be needed, and the mark at the beginning of a file, are left behind by honest programs.
  if (found === "\u00ad" || found === "\ufeff") return "";
  const code = found.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

function escaped(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

function asUnits(found: string): string {
  let units = "";
  for (let index = 0; index < found.length; index += 1)
    units += `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return units;
}
