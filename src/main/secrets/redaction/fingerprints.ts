import { hash, randomBytes, randomInt } from "node:crypto";
import { memoryFor } from "./memory.ts";
import type { Units } from "./spellings.ts";

/** A found text: from this position, with this length in characters. */
export interface Found {
  at: number;
  length: number;
}

/** The lengths in characters of the windows that are looked at first. A text is filed under the longest that fits. */
const WINDOWS = [8, 4] as const;
const BUCKET_BITS = 18;
const KEY_BYTES = 32;

/**
 * Keyed fingerprints of texts, by which these can be found in other texts without being kept. A rolling hash (Rabin and
 * Karp) over the first 8 characters, or 4 for shorter texts, says in a few nanoseconds a character whether a text may
 * begin there; the few places that pass are checked by a keyed hash over the whole length. All keys are random and die with
 * the process. The hash is cut to 18 bits, so it says little about a text; a text of few characters could be guessed
 * from its fingerprint by somebody who reads the memory.
 */
export class Fingerprints {
  readonly #key = randomBytes(KEY_BYTES);
  readonly #known = new Set<string>();
  readonly #windows = WINDOWS.map((size) => new Window(size));

  get size(): number {
    return this.#known.size;
  }

  /** A text that is equal for equal values and says nothing about them. */
  markOf(bytes: Uint8Array): string {
    return this.#print(bytes, "mark");
  }

  /** Texts shorter than the smallest window are not added. */
  add(units: Units): void {
    const window = this.#windows.find(({ size }) => units.length >= size);
    if (!window) return;
    this.#known.add(this.#print(Buffer.from(units.buffer, units.byteOffset, units.byteLength)));
    window.add(units);
  }

  /**
   * The known texts in a text, the first one first and the longest where several begin at one place; they do not overlap.
   *
   * @param atLeast shorter texts are not looked for
   */
  find(text: string, atLeast = 0): Found[] {
    const found: Found[] = [];
    const candidates = this.#windows.flatMap((window) => window.candidatesIn(text));
    for (const { at, lengths } of candidates.sort((a, b) => a.at - b.at)) {
      const last = found.at(-1);
      if (last && at < last.at + last.length && at !== last.at) continue;
      const length = this.#longest(text, at, lengths, atLeast);
      if (last?.at === at) last.length = Math.max(last.length, length);
      else if (length > 0) found.push({ at, length });
    }
    return found;
  }

  #longest(text: string, at: number, lengths: ReadonlySet<number>, atLeast: number): number {
    let longest = 0;
    for (const length of lengths) {
      if (length <= longest || length < atLeast || at + length > text.length) continue;
      if (this.#known.has(this.#print(Buffer.from(text.slice(at, at + length), "utf16le")))) longest = length;
    }
    return longest;
  }

  /** A hash over the key, the purpose and the bytes. */
  #print(bytes: Uint8Array, purpose = "text"): string {
    const start = KEY_BYTES + purpose.length;
    const input = memoryFor(start + bytes.length);
    input.set(this.#key);
    input.write(purpose, KEY_BYTES);
    input.set(bytes, start);
    const print = hash("sha256", input, "base64url");
    input.fill(0);
    return print;
  }
}

/** A rolling hash over windows of one size, and the lengths of the texts that begin with a window of that hash. */
class Window {
  readonly size: number;
  readonly #base = (randomInt(2 ** 32) | 1) >>> 0;
  readonly #mixer = (randomInt(2 ** 32) | 1) >>> 0;
  /** The base to the power of the size less one. */
  readonly #top: number;
  readonly #bits = new Uint8Array(2 ** (BUCKET_BITS - 3));
  readonly #lengths = new Map<number, Set<number>>();

  constructor(size: number) {
    this.size = size;
    let top = 1;
    for (let power = 1; power < size; power += 1) top = Math.imul(top, this.#base);
    this.#top = top;
  }

  add(units: Units): void {
    let hash = 0;
    for (let at = 0; at < this.size; at += 1) hash = (Math.imul(hash, this.#base) + (units[at] ?? 0)) | 0;
    const bucket = this.#bucketOf(hash);
    const lengths = this.#lengths.get(bucket) ?? new Set();
    lengths.add(units.length);
    this.#lengths.set(bucket, lengths);
    this.#bits[bucket >> 3] = (this.#bits[bucket >> 3] ?? 0) | (1 << (bucket & 7));
  }

  /** The positions at which a text may begin, in their order, each with the lengths of these texts. */
  candidatesIn(text: string): Candidate[] {
    const candidates: Candidate[] = [];
    if (this.#lengths.size === 0 || text.length < this.size) return candidates;
    // Every text that leaves the core passes here, a character at a time: no calls, and nothing but local variables.
    const bits = this.#bits;
    const base = this.#base;
    const mixer = this.#mixer;
    const top = this.#top;
    const size = this.size;
    const last = text.length - size;
    let hash = 0;
    for (let at = 0; at < size; at += 1) hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
    for (let at = 0; ; at += 1) {
      const bucket = Math.imul(hash ^ (hash >>> 15), mixer) >>> (32 - BUCKET_BITS);
      if (((bits[bucket >> 3] as number) >> (bucket & 7)) & 1) {
        candidates.push({ at, lengths: this.#lengths.get(bucket) ?? new Set() });
      }
      if (at >= last) return candidates;
      const rest = (hash - Math.imul(text.charCodeAt(at), top)) | 0;
      hash = (Math.imul(rest, base) + text.charCodeAt(at + size)) | 0;
    }
  }

  #bucketOf(hash: number): number {
    return Math.imul(hash ^ (hash >>> 15), this.#mixer) >>> (32 - BUCKET_BITS);
  }
}

interface Candidate {
  at: number;
  lengths: ReadonlySet<number>;
}
