import { Fingerprints, type Found } from "./fingerprints.ts";
import { addJsonStrings } from "./json-strings.ts";
import { mapStrings } from "./map-strings.ts";
import { bytesOf } from "./memory.ts";
import { fromUtf8, spellingsOf } from "./spellings.ts";

const MASK = "•••";
/** Values with fewer characters are not redacted: they would also match ordinary words. */
const SHORTEST = 4;
/** Shorter texts are not looked for across line breaks. */
const SHORTEST_WRAPPED = 8;
const BREAK = /[\r\n]/;

/**
 * Replaces known values in texts, without keeping the values: only fingerprints of them stay. A value is found as it is
 * and in the encodings in which it often appears (in JSON, in a URL, in base64, in hex), also when line breaks cut it.
 */
export class Redaction {
  readonly #fingerprints = new Fingerprints();
  readonly #marks = new Set<string>();

  /**
   * Adds a value. It is never removed: a value that was replaced in the vault may still appear in texts that are
   * written later.
   *
   * @param value bytes in UTF-8 are left as they are; the caller wipes them
   */
  add(value: string | Uint8Array): void {
    if (typeof value === "string") {
      const bytes = bytesOf(value);
      this.#add(bytes);
      bytes.fill(0);
    } else this.#add(value);
  }

  /**
   * Adds texts inside a JSON document.
   *
   * @param keys only the texts under these keys; null: all
   */
  addInside(json: Uint8Array, keys: readonly string[] | null): void {
    addJsonStrings(json, keys, (bytes) => this.#add(bytes));
  }

  /** A text that is equal for equal values and says nothing about them; another one after each start of the app. */
  markOf(value: Uint8Array): string {
    return this.#fingerprints.markOf(value);
  }

  get hasNone(): boolean {
    return this.#fingerprints.size === 0;
  }

  text(text: string): string {
    if (this.hasNone) return text;
    const found = this.#fingerprints.find(text);
    const ranges = BREAK.test(text) ? merged([...found, ...this.#wrapped(text)]) : found;
    if (ranges.length === 0) return text;
    let clean = "";
    let end = 0;
    for (const { at, length } of ranges) {
      clean += text.slice(end, at) + MASK;
      end = at + length;
    }
    return clean + text.slice(end);
  }

  deep(value: unknown): unknown {
    return this.hasNone ? value : mapStrings(value, (text) => this.text(text));
  }

  #add(bytes: Uint8Array): void {
    const mark = this.markOf(bytes);
    if (this.#marks.has(mark)) return;
    const plain = fromUtf8(bytes);
    const isShort = plain.length < SHORTEST;
    plain.fill(0);
    if (isShort) return;
    this.#marks.add(mark);
    for (const spelling of spellingsOf(bytes)) {
      this.#fingerprints.add(spelling);
      spelling.fill(0);
    }
  }

  /** What is found when line breaks are left out: base64 in lines, or a value that was cut. */
  #wrapped(text: string): Found[] {
    const found = this.#fingerprints.find(text.replace(/[\r\n]+/g, ""), SHORTEST_WRAPPED);
    if (found.length === 0) return [];
    const places: number[] = [];
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit !== 10 && unit !== 13) places.push(at);
    }
    return found.map(({ at, length }) => {
      const from = places[at] ?? 0;
      return { at: from, length: (places[at + length - 1] ?? from) + 1 - from };
    });
  }
}

/** Ranges in their order, those that overlap made into one. */
function merged(ranges: Found[]): Found[] {
  const result: Found[] = [];
  for (const { at, length } of ranges.sort((a, b) => a.at - b.at || b.length - a.length)) {
    const last = result.at(-1);
    if (last && at < last.at + last.length) last.length = Math.max(last.length, at + length - last.at);
    else result.push({ at, length });
  }
  return result;
}

/** A regular expression source that matches exactly this text. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
