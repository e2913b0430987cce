/** Characters of a line without an end after which it is passed on all the same. */
const LONGEST = 4_096;

/** Passes a stream of text on in whole lines, so that what is shown while it comes never breaks in the middle of one. */
export class WholeLines {
  readonly #pass: (lines: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";

  /** @param pass gets one or more whole lines with their ends, at most 4,096 characters at once */
  constructor(pass: (lines: string) => void) {
    this.#pass = pass;
  }

  /** Takes a piece of UTF-8 or of text; a piece may end inside of a character. */
  add(piece: Uint8Array | string): void {
    this.#rest += typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true });
    const end = this.#rest.lastIndexOf("\n") + 1;
    const whole = end > 0 ? end : this.#rest.length > LONGEST ? this.#rest.length : 0;
    this.#send(this.#rest.slice(0, whole));
    this.#rest = this.#rest.slice(whole);
  }

  /** Passes on what stands after the last line end. */
  end(): void {
    this.#send(this.#rest);
    this.#rest = "";
  }

  #send(text: string): void {
    for (let at = 0; at < text.length; at += LONGEST) this.#pass(text.slice(at, at + LONGEST));
  }
}
