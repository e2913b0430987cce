import { panic } from "../vm/janet-error.ts";
import type { Value } from "./value.ts";

/** A mutable array. */
export class JArray {
  items: Value[];
  /** Takes the list itself, not a copy. */
  constructor(items: Value[] = []) {
    this.items = items;
  }
}

/** An immutable tuple, compared by value. Nobody writes to `items` after it was made. */
export class Tuple {
  readonly items: readonly Value[];
  /** Written with square brackets; only tuples from quoted source or `tuple/brackets` are. */
  readonly bracketed: boolean;
  /** Where it was read, 1-based line; -1 when it comes from no source. */
  line = -1;
  column = -1;
  /** Kept by equality.ts. */
  hash = 0;
  constructor(items: readonly Value[], bracketed = false) {
    this.items = items;
    this.bracketed = bracketed;
  }
}

export const emptyTuple = new Tuple([]);

/** A buffer that grows beyond this many bytes is an error, so that a loop that doubles one cannot take all memory. */
const LONGEST_BUFFER = 2 ** 28;

/** A mutable byte string. Bytes from `length` on are spare room. */
export class JBuffer {
  bytes: Uint8Array;
  length: number;
  constructor(capacity = 16) {
    this.bytes = new Uint8Array(capacity);
    this.length = 0;
  }

  static of(text: string): JBuffer {
    const buffer = new JBuffer(Math.max(16, text.length));
    buffer.pushString(text);
    return buffer;
  }

  /** Makes room for `more` bytes after the present ones. */
  ensure(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    if (needed > LONGEST_BUFFER) panic("buffer overflow");
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  pushByte(byte: number): void {
    this.ensure(1);
    this.bytes[this.length++] = byte;
  }

  /** `text` has one char per byte. */
  pushString(text: string): void {
    this.ensure(text.length);
    if (text.length > LONG) {
      this.raw().write(text, this.length, "latin1");
      this.length += text.length;
    } else for (let at = 0; at < text.length; at++) this.bytes[this.length++] = text.charCodeAt(at);
  }

  private raw(): Buffer {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  pushBytes(bytes: Uint8Array): void {
    this.ensure(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Its content, or a part of it, as a Janet string. */
  text(start = 0, end = this.length): string {
    if (end - start > LONG) return this.raw().toString("latin1", start, end);
    let text = "";
    for (let at = start; at < end; at++) text += String.fromCharCode(this.bytes[at] as number);
    return text;
  }
}

/** Bytes from which Node's own copying is quicker. */
const LONG = 32;
