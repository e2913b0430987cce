const MASK = "•••";
/** Characters of what came before that are looked at again. */
const TAIL = 512;

/**
 * Takes known values out of texts that come piece by piece, also one that is cut in two by a piece's end: what of it
 * lies in the later piece is masked. The earlier piece was given away before the value was whole.
 */
export class AcrossPieces {
  readonly #redact: (text: string) => string;
  #tail = "";

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  next(piece: string): string {
    const shown = this.#shown(piece);
    this.#tail = (this.#tail + piece).slice(-TAIL);
    return shown;
  }

  #shown(piece: string): string {
    const alone = this.#redact(piece);
    if (!this.#crosses(piece)) return alone;
    // The value ends where a longer beginning of the piece crosses for the first time.
    const most = Math.min(piece.length, TAIL * 2);
    let end = 1;
    while (end < most && !this.#crosses(piece.slice(0, end))) end += 1;
    return MASK + this.#redact(piece.slice(end));
  }

  /** Whether there is a value that begins in what came before and ends in this text. */
  #crosses(text: string): boolean {
    if (this.#tail === "") return false;
    return this.#redact(this.#tail + text) !== this.#redact(this.#tail) + this.#redact(text);
  }
}
