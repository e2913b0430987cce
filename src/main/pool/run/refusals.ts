import type { WallRefusal } from "../ports.ts";

/** Most different refusals of one run that are written down one by one. */
const MOST = 200;

interface RefusalSinks {
  log(text: string): void;
  audit(refusal: Pick<WallRefusal, "wall" | "target" | "detail">): void;
}

/**
 * Writes down what one run of a plugin tried and may not do: each once, so that a plugin that tries without end cannot
 * fill the logs.
 */
export class Refusals {
  readonly #sinks: RefusalSinks;
  readonly #known = new Set<string>();

  constructor(sinks: RefusalSinks) {
    this.#sinks = sinks;
  }

  /**
   * @param detail a sentence for the log
   * @param wall false: a mistake, which is no business of the audit log
   */
  add(target: string, detail: string, wall = true): void {
    if (this.#known.has(detail) || this.#known.size > MOST) return;
    this.#known.add(detail);
    const isLast = this.#known.size > MOST;
    const sentence = isLast ? "It was refused more than can be listed here; the rest is left out." : detail;
    this.#sinks.log(sentence);
    if (wall || isLast)
      this.#sinks.audit({ wall: "contributions", target: isLast ? "more" : target, detail: sentence });
  }
}
