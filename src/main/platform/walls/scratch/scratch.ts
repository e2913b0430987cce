import { rmSync } from "node:fs";
import { lstat, opendir, stat, utimes } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Wall } from "../wall.ts";
import { Bait, layOut, ownFiles, personsFiles } from "./bait.ts";
import { newScratch, takeScratch } from "./made.ts";
import { inMemory } from "./places.ts";

/** Most that a walled process can keep in its home folder, and in how many files, before it is ended. */
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 50_000;

/** Where a walled process finds {@link Scratch.door}. */
export const doorFolder = "/run/patchbay";

/** A folder for one walled process: bait, and what it is connected through. Gone with the process. */
export class Scratch {
  readonly folder: string;
  /** Shown in the place of the person's home folder. */
  readonly home: Bait;
  /** Shown in the place of each path that stays hidden. */
  readonly hidden: ReadonlyMap<string, Bait>;
  /** For sockets; shown as {@link doorFolder}. */
  readonly door: string;
  /** Account files with this one account alone. */
  readonly passwd: string;
  readonly group: string;
  /** The names of this computer, as far as there is no network. */
  readonly hosts: string;

  /** The measuring that is under way; null when there is none. */
  measuring: Promise<string | null> | null = null;

  /** @param isQuick whether it is made in memory where that can be: in a tenth of the time, for one that keeps little */
  constructor({ hidden, read, write }: Pick<Wall, "hidden" | "read" | "write">, isQuick = false) {
    const granted = [...read, ...write];
    this.folder = isQuick ? newScratch(inMemory()) : takeScratch(tmpdir());
    const at = (name: string) => join(this.folder, name);
    this.home = new Bait(at("home"), homedir(), personsFiles, granted);
    this.hidden = new Map(
      hidden.map((path, index) => {
        if (index > 0) layOut(at(`hidden-${index}`), ownFiles);
        return [path, new Bait(at(`hidden-${index}`), path, ownFiles, granted, true)];
      }),
    );
    this.door = at("door");
    this.passwd = at("passwd");
    this.group = at("group");
    this.hosts = at("hosts");
  }

  /**
   * The bait that somebody took since the last look, as paths behind the wall. None while our own measuring, which lists
   * folders as well, is under way; look again then.
   */
  touched(): string[] {
    if (this.measuring) return [];
    return this.#bait().flatMap((bait) => bait.touched());
  }

  /**
   * The folder in which the process keeps more than it may, as a path behind the wall; else null. What it writes there
   * has no limit of its own, unlike its `/tmp`.
   */
  overfull(): Promise<string | null> {
    this.measuring ??= this.#measure().finally(() => {
      this.measuring = null;
    });
    return this.measuring;
  }

  async #measure(): Promise<string | null> {
    let bytes = 0;
    let files = 0;
    const pending = this.#bait().map(({ folder }) => folder);
    while (bytes <= MOST_BYTES && files <= MOST_FILES) {
      const folder = pending.pop();
      if (folder === undefined) return null;
      const before = await stat(folder).catch(() => null);
      for await (const entry of await opendir(folder).catch(() => [])) {
        const path = join(folder, entry.name);
        files += 1;
        if (entry.isDirectory()) pending.push(path);
        bytes += ((await lstat(path).catch(() => null))?.blocks ?? 0) * 512;
        if (bytes > MOST_BYTES || files > MOST_FILES) break;
      }
      // This look must not count as one of the process.
      if (before) await utimes(folder, before.atime, before.mtime).catch(() => {});
    }
    return homedir();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #bait(): Bait[] {
    return [this.home, ...this.hidden.values()];
  }
}
