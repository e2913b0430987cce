/** Most bytes of one line. Of a longer line the beginning is kept and the rest, up to its end, is dropped. */
export const LONGEST_LINE = 8 * 1024 * 1024;

/** Bytes that are kept of the beginning of a line that is too long. */
const HEAD = 256;

export type Line = { text: string } | { tooLong: number; head: string };

/** Cuts a stream of bytes into lines. Bytes that are not UTF-8 become replacement characters. */
export class LineSplitter {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #pieces: Buffer[] = [];
  #size = 0;
  #head = "";

  constructor(limit = LONGEST_LINE) {
    this.#limit = limit;
  }

  *push(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      yield this.#take();
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The bytes after the last line end as a line; null when there are none. */
  end(): Line | null {
    return this.#size === 0 ? null : this.#take();
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size <= this.#limit) this.#pieces.push(piece);
    else if (this.#size - piece.length <= this.#limit) {
      this.#head = this.#decoder.decode(Buffer.concat([...this.#pieces, piece], Math.min(HEAD, this.#size)));
      this.#pieces = [];
    }
  }

  #take(): Line {
    const size = this.#size;
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#size = 0;
    if (size > this.#limit) return { tooLong: size, head: this.#head };
    const text = this.#decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, size));
    return { text: text.endsWith("\r") ? text.slice(0, -1) : text };
  }
}
