import type { Job, RemovedThing } from "../../contract/index.ts";
import type { RemovedOf, RemovedWhat } from "../registry/index.ts";

/** What a screen is told of a thing besides what stands in its row. */
export type Described = Pick<RemovedThing, "name"> &
  Partial<
    Pick<
      RemovedThing,
      "key" | "version" | "icon" | "ours" | "agentId" | "settingsOf" | "plugins" | "secrets" | "blocked"
    >
  >;

/** What is done with things of one kind. Each step may be done again, and goes on where it was cut short. */
export interface RemovedKeeper<K extends RemovedWhat["kind"]> {
  describe(what: RemovedOf<K>): Described;
  /** What it takes on the disk; null while its removal is not over. @throws PatchbayError READ_FAILED */
  size(what: RemovedOf<K>): Promise<{ bytes: number; conversations: number } | null>;
  /** Brings it back. Resolves with a job when that goes on in the background, and is not certain. */
  restore(what: RemovedOf<K>): Promise<Job | null>;
  /** Called once it is back because the person asked for it. */
  restored?(what: RemovedOf<K>): void;
  delete(what: RemovedOf<K>): Promise<void>;
  /**
   * After a kill: finishes the removal. Resolves with false when it is not removed after all, or is back in use: then it
   * is taken off the list.
   */
  settle(what: RemovedOf<K>): Promise<boolean>;
}

export type Keepers = { [K in RemovedWhat["kind"]]: RemovedKeeper<K> };
