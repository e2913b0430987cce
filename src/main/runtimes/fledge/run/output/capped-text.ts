/** Keeps the beginning and the end of a text of any length in a fixed amount of memory. */
export class CappedText {
  readonly #half: number;
  #head = "";
  #tail: string[] = [];
  #tailSize = 0;
  #dropped = 0;

  /** @param limit characters that are kept */
  constructor(limit: number) {
    this.#half = Math.floor(limit / 2);
  }

  add(text: string): void {
    const room = this.#half - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === "") return;
    this.#tail.push(rest);
    this.#tailSize += rest.length;
    while (this.#tailSize > this.#half) {
      const first = this.#tail[0] as string;
      const excess = this.#tailSize - this.#half;
      if (first.length <= excess) this.#tail.shift();
      else this.#tail[0] = first.slice(excess);
      const gone = Math.min(first.length, excess);
      this.#tailSize -= gone;
      this.#dropped += gone;
    }
  }

  get isEmpty(): boolean {
    return this.#head === "";
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** The kept text. It is well-formed Unicode, also when a cut fell into a surrogate pair. */
  text(): string {
    const tail = this.#tail.join("");
    if (this.#dropped === 0) return this.#head + tail;
    return `${this.#head.toWellFormed()}\n[${this.#dropped} characters were left out]\n${tail.toWellFormed()}`;
  }
}
