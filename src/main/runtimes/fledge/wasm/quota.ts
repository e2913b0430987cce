import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errno, WasiError } from "./wasi-errors.ts";

/** Megabytes that a plugin can keep in `/plugin`. */
export const QUOTA_MB = 256;

const MOST_BYTES = QUOTA_MB * 1024 * 1024;
/** Also files without content take room on a disk. */
const MOST_ENTRIES = 10_000;

/**
 * How much a plugin may keep in the folder that it can write to. What it adds is counted; the folder is measured before
 * its first change, and again before one is refused, because by then something may have been removed.
 */
export class Quota {
  readonly #dir: string;
  readonly #unnamed: () => number;
  #bytes = Number.POSITIVE_INFINITY;
  #entries = Number.POSITIVE_INFINITY;

  /** @param unnamed bytes of files that were removed and are still open */
  constructor(dir: string, unnamed: () => number) {
    this.#dir = dir;
    this.#unnamed = unnamed;
  }

  /** Counts what is about to be made. @throws WasiError `nospc` when it would be too much */
  take(added: { bytes?: number; entries?: number }): void {
    const { bytes = 0, entries = 0 } = added;
    const fits = () => this.#bytes + bytes <= MOST_BYTES && this.#entries + entries <= MOST_ENTRIES;
    if (!fits()) this.#measure();
    if (!fits()) throw new WasiError(errno.nospc);
    this.#bytes += bytes;
    this.#entries += entries;
  }

  #measure(): void {
    this.#bytes = this.#unnamed();
    this.#entries = 0;
    const waiting = [this.#dir];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const { name } of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, name);
        const found = lstatSync(path, { throwIfNoEntry: false });
        this.#entries += 1;
        if (found?.isDirectory()) waiting.push(path);
        else this.#bytes += found?.size ?? 0;
      }
    }
  }
}
