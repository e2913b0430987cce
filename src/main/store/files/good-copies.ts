import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { PRIVATE_FILE } from "./files.ts";

const KEPT = 3;
/**
 * Milliseconds between two moves of copies to the next older place, so that the three do not all come from the same
 * minute.
 */
const SHIFT_AFTER_MS = 60_000;

/** The last good copies of a state file: `<path>.bak1` (newest) to `.bak3`. */
export class GoodCopies {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Newest first; only those that exist. */
  list(): string[] {
    return this.#all().filter((path) => existsSync(path));
  }

  /**
   * Keeps the file as it is now as the newest copy. Never throws: a copy that cannot be made must not fail the write
   * that has already succeeded.
   *
   * @param shift moves the older copies down even when they are recent
   */
  keep(shift = false): void {
    const [newest, second] = this.#all();
    if (!newest || !second) return;
    try {
      if (shift || this.#age(second) > SHIFT_AFTER_MS) this.#shift();
      const draft = `${newest}.tmp`;
      copyFileSync(this.#path, draft);
      chmodSync(draft, PRIVATE_FILE);
      renameSync(draft, newest);
    } catch {
      // A copy that could not be made is tried again at the next write.
    }
  }

  /** Milliseconds since the newest copy was made; infinite when there is none. */
  age(): number {
    const [newest] = this.#all();
    return newest ? this.#age(newest) : Number.POSITIVE_INFINITY;
  }

  #all(): string[] {
    return Array.from({ length: KEPT }, (_, index) => `${this.#path}.bak${index + 1}`);
  }

  #age(path: string): number {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats ? Date.now() - stats.mtimeMs : Number.POSITIVE_INFINITY;
  }

  #shift(): void {
    const all = this.#all();
    for (let index = all.length - 1; index > 0; index -= 1) {
      const from = all[index - 1];
      const to = all[index];
      if (from && to && existsSync(from)) renameSync(from, to);
    }
  }
}

/** Removes a state file with its copies. */
export function removeStateFile(path: string): void {
  for (const suffix of ["", ".bak1", ".bak2", ".bak3", ".previous"]) {
    rmSync(`${path}${suffix}`, { force: true });
  }
}
