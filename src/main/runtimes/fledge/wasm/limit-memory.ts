/** Pages of 64 KiB that a module may have: 256 MiB. */
export const MOST_PAGES = 4_096;

const MEMORY_SECTION = 5;
const IMPORT_SECTION = 2;

/**
 * A copy of the module whose declared memory limit is lowered. That is the only way to limit a memory that a module
 * makes for itself.
 *
 * @throws Error when the module needs more memory at its start, has several memories, or is not valid
 */
export function limitMemory(module: Uint8Array, mostPages = MOST_PAGES): Uint8Array {
  const reader = new Reader(module, 8);
  const parts: Uint8Array[] = [module.subarray(0, 8)];
  while (!reader.atEnd) {
    const start = reader.at;
    const id = reader.byte();
    const size = reader.number();
    const body = reader.take(size);
    if (id === IMPORT_SECTION && importsMemory(body)) throw new Error("it imports its memory");
    if (id === MEMORY_SECTION) {
      const limited = limitedMemories(body, mostPages);
      parts.push(Uint8Array.of(id), leb128(limited.length), limited);
    } else parts.push(module.subarray(start, reader.at));
  }
  return Buffer.concat(parts);
}

function limitedMemories(body: Uint8Array, mostPages: number): Uint8Array {
  const reader = new Reader(body, 0);
  const count = reader.number();
  if (count === 0) return body;
  if (count > 1) throw new Error("it has several memories");
  const flags = reader.byte();
  if (flags > 1) throw new Error("its memory is shared or of 64 bits");
  const initial = reader.number();
  const maximum = flags === 1 ? reader.number() : mostPages;
  if (initial > mostPages)
    throw new Error(`it wants ${initial * 64} KiB of memory; ${mostPages * 64} KiB are given`);
  return Buffer.concat([Uint8Array.of(1, 1), leb128(initial), leb128(Math.min(maximum, mostPages))]);
}

function importsMemory(body: Uint8Array): boolean {
  const reader = new Reader(body, 0);
  for (let left = reader.number(); left > 0; left--) {
    reader.take(reader.number());
    reader.take(reader.number());
    const kind = reader.byte();
    if (kind === 2) return true;
    if (kind === 0) reader.number();
    else if (kind === 3) reader.take(2);
    else if (kind === 4) skipTag(reader);
    else if (kind === 1) {
      reader.byte();
      const flags = reader.byte();
      reader.number();
      if (flags & 1) reader.number();
    }
  }
  return false;
}

function skipTag(reader: Reader): void {
  reader.byte();
  reader.number();
}

function leb128(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const more = rest > 127;
    bytes.push((rest % 128) + (more ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Uint8Array.from(bytes);
}

class Reader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  get atEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.at++];
    if (value === undefined) throw new Error("it ends too early");
    return value;
  }

  take(size: number): Uint8Array {
    if (this.at + size > this.#bytes.length) throw new Error("it ends too early");
    this.at += size;
    return this.#bytes.subarray(this.at - size, this.at);
  }

  /** An unsigned LEB128 number of at most 32 bits. */
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new Error("a number in it is too long");
  }
}
