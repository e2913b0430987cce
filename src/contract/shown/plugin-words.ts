/**
 * Texts of a plugin in another language: the English text, and what stands there instead. `{name}` in both stands for
 * what differs and is put in as it is; what stands at `{name*}` is looked up itself.
 */
export type Translation = Readonly<Record<string, string>>;

/** A text in the chosen language; the text itself where nobody has translated it. */
export type Say = (text: string) => string;

export const asItIs: Say = (text) => text;

/** Longest text in which something may differ, characters: a longer one is only looked up whole. */
const LONGEST_PATTERN = 4_000;
/** What stands at `{name*}` may itself hold one, and so on. */
const DEEPEST = 4;
const place = /\{([A-Za-z]\w*)(\*?)\}/g;

interface Pattern {
  /** What is the same in every such text, in its order; one more than `names`. */
  parts: readonly string[];
  names: readonly string[];
  /** Which of the names are looked up. */
  spoken: ReadonlySet<string>;
  translation: string;
}

/** The names in a text, each as often as it is there. */
export function placesIn(text: string): string[] {
  return Array.from(text.matchAll(place), ([, name = ""]) => name);
}

/** Says texts in a language. An earlier list goes before a later one, and what is more exact before what is less. */
export function sayer(lists: readonly Translation[]): Say {
  const whole = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const [text, translation] of lists.flatMap((list) => Object.entries(list))) {
    if (placesIn(text).length > 0) patterns.push(patternOf(text, translation));
    else if (!whole.has(text)) whole.set(text, translation);
  }
  patterns.sort((a, b) => sizeOf(b) - sizeOf(a));
  const found = (text: string, depth: number): string | null => {
    const known = whole.get(text);
    if (known !== undefined) return known;
    if (depth > DEEPEST || text.length > LONGEST_PATTERN) return null;
    for (const pattern of patterns) {
      const values = valuesIn(text, pattern);
      if (!values) continue;
      const said = pattern.translation.replace(place, (_, name: string) => {
        const value = values.get(name) ?? "";
        return pattern.spoken.has(name) ? (found(value, depth + 1) ?? value) : value;
      });
      // Of a pattern that says nothing itself, such as "{field*}: {problem*}", no part was known.
      if (said !== text) return said;
    }
    return inParts(text, (part) => found(part, DEEPEST));
  };
  return (text) => found(text, 0) ?? text;
}

/** Paragraphs, lines, sentences: what a text may be put together of. */
const seams = [/(\n{2,})/, /(\n)/, /((?<=[.!?)]) +)/];

/** A text put together of parts that are each known; null when one of them is not. */
function inParts(text: string, found: (part: string) => string | null): string | null {
  for (const seam of seams) {
    const parts = text.split(seam);
    if (parts.length === 1) continue;
    const said = parts.map((part) => (part.trim() === "" ? part : found(part)));
    if (said.every((part) => part !== null)) return said.join("");
  }
  return null;
}

function patternOf(text: string, translation: string): Pattern {
  const marks = [...text.matchAll(place)];
  return {
    parts: text.split(/\{[A-Za-z]\w*\*?\}/),
    names: marks.map(([, name = ""]) => name),
    spoken: new Set(marks.filter(([, , star]) => star === "*").map(([, name = ""]) => name)),
    translation,
  };
}

/** How much of a text it says itself: the longer, the more exact. */
function sizeOf({ parts }: Pattern): number {
  return parts.join("").length;
}

/** What stands at the names; null when the text is none of this pattern. Nothing stands at no name. */
function valuesIn(text: string, { parts, names }: Pattern): Map<string, string> | null {
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const end = text.length - last.length;
  const values = new Map<string, string>();
  let at = first.length;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const next = isLast ? end : text.indexOf(parts[index + 1] ?? "", at + 1);
    if (next <= at || next > end) return null;
    const value = text.slice(at, next);
    if ((values.get(name) ?? value) !== value) return null;
    values.set(name, value);
    at = next + (parts[index + 1] ?? "").length;
  }
  return values;
}
