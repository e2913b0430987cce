/** What an agent answers when nothing is to be sent. */
export const NO_REPLY = "<NO_REPLY>";

/** The answer as it is sent. The mark beside other text is taken out; alone it is silence, as is an empty answer. */
export function spoken(answer: string): { text: string; silent: boolean } {
  const text = answer.includes(NO_REPLY) ? answer.replaceAll(NO_REPLY, "").trim() : answer;
  return { text, silent: text.trim() === "" };
}

/** Passes pieces of an answer on, but not the mark of silence: what could become one is held back until that is known. */
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

/** Where the longest end of the text begins with which the mark may begin. */
function possibleStart(text: string): number {
  for (let at = Math.max(0, text.length - NO_REPLY.length + 1); at < text.length; at += 1) {
    if (NO_REPLY.startsWith(text.slice(at))) return at;
  }
  return text.length;
}
