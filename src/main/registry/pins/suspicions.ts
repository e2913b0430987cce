import { isObject, type SaidThing, type Suspicion } from "../../../contract/index.ts";
import { cleanText, exactText } from "../../../contract/shown/clean-text.ts";

/** Descriptions are shorter, in characters. */
const LONG = 4_000;
/** Most characters that are looked through: whatever is longer is told as `long`. */
const MOST_READ = 64_000;
/** Characters of a passage before and behind what was found. */
const AROUND = 40;

const patterns: readonly { kind: Suspicion["kind"]; found: RegExp }[] = [
  {
    kind: "orders",
    found:
      /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|preceding|other|all|any|your)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|messages?|directions?|policies|policy|tools?)\b/iu,
  },
  {
    kind: "orders",
    found: /\b(?:ignorier\w*|vergiss|missachte)\b[^.\n]{0,60}(?:Anweisung|Regel|Vorgabe)\w*/iu,
  },
  {
    kind: "secrecy",
    found:
      /\b(?:do not|don['’]t|never|without)\b[^.\n]{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|show|showing|reveal|revealing|disclose|disclosing|notify|notifying|ask|asking)\b[^.\n]{0,30}\b(?:users?|person|people|human|owner|anyone|anybody|them|him|her)\b/iu,
  },
  { kind: "secrecy", found: /\b(?:sag|sage|verrate|erwähne|zeige)\b[^.\n]{0,40}\bnicht\b/iu },
];

/**
 * What in the words of a thing may be meant to mislead a model or a person; each kind once.
 * @param others names of other plugins' tools, on the wire or as `namespace.tool`
 */
export function suspicionsIn({ words }: Pick<SaidThing, "words">, others: ReadonlySet<string>): Suspicion[] {
  const texts = [words.text, ...textsIn(words.more, 0)];
  const found = new Map<Suspicion["kind"], Suspicion>();
  let left = MOST_READ;
  for (const whole of texts) {
    const text = whole.slice(0, Math.max(0, left));
    left -= text.length;
    if (whole.length > LONG) note(found, "long", whole, { index: 0, length: 0 });
    const unseen = unseenIn(text);
    if (unseen) note(found, "hidden", text, unseen);
    for (const { kind, found: pattern } of patterns) {
      const match = found.has(kind) ? null : pattern.exec(text);
      if (match) note(found, kind, text, { index: match.index, length: match[0].length });
    }
    const other = found.has("other_tool") ? undefined : otherIn(text, others);
    if (other) note(found, "other_tool", text, other);
  }
  return [...found.values()];
}

interface Place {
  index: number;
  length: number;
}

function note(
  found: Map<Suspicion["kind"], Suspicion>,
  kind: Suspicion["kind"],
  text: string,
  { index, length }: Place,
): void {
  if (found.has(kind)) return;
  const begin = Math.max(0, index - AROUND);
  const end = Math.min(text.length, index + Math.min(length, 4 * AROUND) + AROUND);
  const inner = exactText(text.slice(begin, end)).replace(/\s+/g, " ").trim();
  found.set(kind, { kind, passage: `${begin > 0 ? "…" : ""}${inner}${end < text.length ? "…" : ""}` });
}

/** Where the first character stands that nobody sees. */
function unseenIn(text: string): Place | undefined {
  if (cleanText(text) === text.replace(/\r\n/g, "\n")) return undefined;
  let low = 0;
  let high = text.length;
  // The shortest beginning that is not clean.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const begin = text.slice(0, middle);
    if (cleanText(begin) === begin.replace(/\r\n/g, "\n")) low = middle;
    else high = middle;
  }
  return { index: Math.max(0, high - 1), length: 1 };
}

function otherIn(text: string, others: ReadonlySet<string>): Place | undefined {
  if (others.size === 0) return undefined;
  for (const match of text.matchAll(/[A-Za-z0-9_-]+(?:__|\.)[A-Za-z0-9_-]+/g))
    if (others.has(match[0])) return { index: match.index, length: match[0].length };
  return undefined;
}

/** Every text in a value, names of fields too. */
function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === "string") return [value];
  if (depth > 40) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsIn(item, depth + 1)]);
}
