import { type Language, PatchbayError } from "../../../contract/index.ts";
import { type Trouble, troubleWords } from "./words.ts";

interface TroubleMore {
  /** The number that its words have. */
  n?: number;
  details?: Record<string, unknown>;
}

/** VOICE_FAILED, with a sentence that fits for whoever spoke: no address, no key. */
export class VoiceTrouble extends PatchbayError {
  readonly #why: Trouble;
  readonly #n: number | undefined;

  constructor(why: Trouble, { n, details = {} }: TroubleMore = {}) {
    const said = troubleWords("en", why, n);
    super("VOICE_FAILED", `${said.charAt(0).toUpperCase()}${said.slice(1)}.`, { details });
    this.#why = why;
    this.#n = n;
  }

  /** The same without details. */
  bare(): VoiceTrouble {
    return new VoiceTrouble(this.#why, this.#n === undefined ? {} : { n: this.#n });
  }

  /** Why, in words that follow a colon. */
  words(language: Language): string {
    return troubleWords(language, this.#why, this.#n);
  }
}
