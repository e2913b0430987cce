import { toText } from "@patchbay/janet";

/** Most characters of a line before it is handed on without its end. */
const LONGEST = 16 * 1024;

/** What a plugin prints, as lines. */
export class Printed {
  #open = "";
  readonly #line: (text: string) => void;

  constructor(line: (text: string) => void) {
    this.#line = line;
  }

  /** @param bytes one char per byte */
  write(bytes: string): void {
    const lines = `${this.#open}${bytes}`.split("\n");
    this.#open = lines.pop() ?? "";
    for (const line of lines) this.#line(toText(line));
    if (this.#open.length > LONGEST) this.end();
  }

  end(): void {
    if (this.#open !== "") this.#line(toText(this.#open));
    this.#open = "";
  }
}
