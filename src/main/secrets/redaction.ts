import { mapStrings } from "./map-strings.ts";

const MASK = "•••";
/** Shorter values would blot out ordinary words. */
const SHORTEST = 4;

/** Takes known values out of texts, in every spelling in which they usually appear there. */
export class Redaction {
  readonly #values = new Set<string>();
  #pattern: RegExp | null | undefined;

  /** A value stays known after it was replaced: it may still stand in what is written later. */
  add(value: string): void {
    if (value.length < SHORTEST || this.#values.has(value)) return;
    this.#values.add(value);
    this.#pattern = undefined;
  }

  get hasNone(): boolean {
    return this.#values.size === 0;
  }

  text(text: string): string {
    const pattern = this.#compiled();
    return pattern ? text.replace(pattern, MASK) : text;
  }

  deep(value: unknown): unknown {
    return this.#compiled() ? mapStrings(value, (text) => this.text(text)) : value;
  }

  #compiled(): RegExp | null {
    if (this.#pattern !== undefined) return this.#pattern;
    const spellings = new Set([...this.#values].flatMap(spellingsOf));
    // Longest first: a value that contains another one must not leave its rest behind.
    const sorted = [...spellings].sort((a, b) => b.length - a.length);
    this.#pattern = sorted.length > 0 ? new RegExp(sorted.map(literally).join("|"), "g") : null;
    return this.#pattern;
  }
}

/** A text as the pattern that fits it alone. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function spellingsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inJsonTwice = JSON.stringify(inJson).slice(1, -1);
  return [value, inJson, inJsonTwice, ...inUrl(value), ...inBase64(value)];
}

function inUrl(value: string): string[] {
  try {
    const encoded = encodeURIComponent(value);
    return [encoded, encoded.replaceAll("%20", "+"), encodeURI(value)];
  } catch {
    return [];
  }
}

/** Shorter pieces of base64 could be part of anything. */
const SHORTEST_PIECE = 8;

/** Alone, and inside of a longer text, where it begins at one of three places and shares its first and last letters. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  const pieces = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const alone = bytes.toString("base64").replace(/=+$/, "");
  const all = [alone, ...pieces.filter((piece) => piece.length >= SHORTEST_PIECE)];
  return [...all, ...all.map((piece) => piece.replaceAll("+", "-").replaceAll("/", "_"))];
}
