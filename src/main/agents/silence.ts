/** What an agent answers when nothing is to be sent. */
export const NO_REPLY = "<NO_REPLY>";

/** The answer to send. The mark `<NO_REPLY>` is removed from a text; an answer that is then empty means silence. */
export function spoken(answer: string): { text: string; silent: boolean } {
  const text = answer.includes(NO_REPLY) ? answer.replaceAll(NO_REPLY, "").trim() : answer;
  return { text, silent: text.trim() === "" };
}

/**
 * Passes on the pieces of an answer without the mark. A piece that could be the beginning of the mark is held back
 * until the next piece decides it.
 */
export class SilenceFilter {
  readonly #pass: (text: string) => void;
  #held = "";

  constructor(pass: (text: string) => void) {
    this.#pass = pass;
  }

  push(piece: string): void {
    const text = (this.#held + piece).replaceAll(NO_REPLY, "");
    const start = possibleStart(text);
    this.#held = text.slice(start);
    if (start > 0) this.#pass(text.slice(0, start));
  }
}

/** Where the held-back part begins: the longest end of the text that is a beginning of the mark. */
function possibleStart(text: string): number {
  for (let at = Math.max(0, text.length - NO_REPLY.length + 1); at < text.length; at += 1) {
    if (NO_REPLY.startsWith(text.slice(at))) return at;
  }
  return text.length;
}
