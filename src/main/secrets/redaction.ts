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

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function spellingsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const base64 = Buffer.from(value).toString("base64").replace(/=+$/, "");
  return [value, inJson, inUrl(value), base64];
}

function inUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}
