import type { Plugin } from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";

/** The plugin whose offer is judged: what its package declared. */
export type Accused = Pick<Plugin, "manifestKey" | "runtime" | "capabilities" | "artifact"> & {
  declaration?: Pick<Plugin["declaration"], "requiredHooks" | "registersMore">;
};

/** Why something is not taken. `wall`: it is more than the package declared, and not just a mistake. */
export interface Objection {
  why: string;
  wall: boolean;
}

/** One thing that was left out. */
export interface Refused {
  /** What it was: `tool dice__roll`. */
  target: string;
  /** The whole sentence for the log. */
  sentence: string;
  /** It is more than the package declared; such a refusal belongs into the audit log. */
  wall: boolean;
}

/** Most sentences that one answer is worth; the rest is counted. */
const MOST_SENTENCES = 50;
const TWICE: Objection = { why: "it is offered twice", wall: false };

/** Collects what is left out of one offer. */
export class Objections {
  readonly refused: Refused[] = [];
  #more = 0;

  /**
   * The items without those that there is an objection to, and without repeated ones.
   *
   * @param nameOf how the item is called in sentences
   * @param idOf what may occur only once; default: the name
   */
  keep<T>(
    what: string,
    items: readonly T[],
    nameOf: (item: T) => string,
    objectionTo: (item: T, index: number) => Objection | null,
    idOf: (item: T) => string = nameOf,
  ): T[] {
    const seen = new Set<string>();
    return items.filter((item, index) => {
      const id = idOf(item);
      const objection = seen.has(id) ? TWICE : objectionTo(item, index);
      if (objection) this.add(what, nameOf(item), objection);
      else seen.add(id);
      return !objection;
    });
  }

  /** A sentence about what is missing, and not about what was left out. */
  note(target: string, sentence: string): void {
    if (this.refused.length < MOST_SENTENCES) this.refused.push({ target, sentence, wall: false });
  }

  add(what: string, name: string, { why, wall }: Objection): void {
    if (this.refused.length >= MOST_SENTENCES) {
      this.#more += 1;
      const sentence = `${this.#more} further things were left out.`;
      this.refused[MOST_SENTENCES] = { target: "more", sentence, wall };
      return;
    }
    const target = `${what} ${cleanLine(name.slice(0, 80))}`;
    this.refused.push({ target, sentence: `The ${target} was left out: ${why}.`, wall });
  }
}
