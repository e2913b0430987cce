import { mapStrings } from "./map-strings.ts";

const MASK = "•••";
/** Values with fewer characters are not redacted: they would also match ordinary words. */
const SHORTEST = 4;

/**
 * Replaces known values in texts. A value is found as it is and in the encodings in which it often appears: in JSON, in
 * a URL, in base64.
 */
export class Redaction {
  readonly #values = new Set<string>();
  #pattern: RegExp | null | undefined;

  /**
   * Adds a value. It is never removed: a value that was replaced in the vault may still appear in texts that are
   * written later.
   */
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

/** A regular expression source that matches exactly this text. */
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

/** Shorter pieces of base64 (in characters) are left out: they would match parts of other texts. */
const SHORTEST_PIECE = 8;

/**
 * The value in base64: encoded alone, and as part of a longer text. Base64 turns three bytes into four characters, so
 * inside a longer text there are three possible positions, and the first and last characters depend on the neighbouring
 * bytes and are cut off.
 */
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
