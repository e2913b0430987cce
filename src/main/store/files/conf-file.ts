import { copyFileSync, linkSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import Conf from "conf";
import type { z } from "zod";
import { ensurePrivateFolder, PRIVATE_FILE, sizeOf, syncFolder, writeError } from "./files.ts";
import { sealed } from "./seal.ts";

/**
 * Files with fewer bytes are indented, so that a person can read them. Larger ones are not: they are read faster then.
 */
const INDENT_BELOW = 16 * 1024;

/** The options of an engine; `conf` and electron-store take the same ones. */
export interface EngineOptions {
  cwd: string;
  /** The file's name without its extension. */
  name: string;
  fileExtension: string;
  configFileMode: number;
  accessPropertiesByDotNotation: false;
  serialize(value: Record<string, unknown>): string;
  deserialize(text: string): Record<string, unknown>;
}

/** Opens the engine of one file: setting `store` replaces the file in one step. */
export type StoreEngine = (options: EngineOptions) => { store: Record<string, unknown> };

/** The engine outside Electron. electron-store is the same class with Electron's folders as defaults. */
const confEngine: StoreEngine = ({ name, ...options }) =>
  new Conf<Record<string, unknown>>({ ...options, configName: name });

/**
 * One JSON file that an engine writes: `conf`, or in the desktop electron-store, which is built on it. `conf` writes a
 * draft, flushes and renames it, but does not check how many bytes the disk took: when the disk becomes full during the
 * write, it renames a draft that was cut short. So the old file stays linked beside it until the new one is known to be
 * complete.
 */
export class ConfFile {
  /** Path of the file as it was before a write that did not finish; usually there is none. */
  readonly previousPath: string;
  readonly #path: string;
  readonly #engine: StoreEngine;
  #conf: { store: Record<string, unknown> } | undefined;
  #bytes = 0;
  /** The schema that the content of the present write was checked against; undefined when it was not. */
  #schema: z.ZodType | undefined;

  constructor(path: string, engine: StoreEngine = confEngine) {
    this.#path = path;
    this.#engine = engine;
    this.previousPath = `${path}.previous`;
  }

  /**
   * @param schema the schema that the content was checked against. A large file is then sealed (see `seal.ts`) and need
   * not be checked when it is read
   * @throws PatchbayError DISK_FULL, WRITE_FAILED; the file is then as it was
   */
  write(content: Record<string, unknown>, schema?: z.ZodType): void {
    this.#schema = schema;
    try {
      const conf = this.#open();
      const before = this.#keepPrevious();
      try {
        conf.store = content;
      } catch (error) {
        rmSync(this.previousPath, { force: true });
        throw error;
      }
      if (sizeOf(this.#path) !== this.#bytes) this.#rollBack(before);
      rmSync(this.previousPath, { force: true });
      syncFolder(dirname(this.#path));
    } catch (error) {
      throw writeError(error, this.#path);
    }
  }

  /**
   * Opens the engine at the first write. Reading does without it, because `conf` copies and compares what it reads,
   * which takes time.
   */
  #open(): { store: Record<string, unknown> } {
    if (this.#conf) return this.#conf;
    const folder = dirname(this.#path);
    ensurePrivateFolder(folder);
    this.#removeDrafts(folder);
    const extension = extname(this.#path);
    this.#conf = this.#engine({
      cwd: folder,
      name: basename(this.#path, extension),
      fileExtension: extension.slice(1),
      configFileMode: PRIVATE_FILE,
      accessPropertiesByDotNotation: false,
      serialize: (value) => {
        const text = toText(value, this.#schema);
        this.#bytes = Buffer.byteLength(text);
        return text;
      },
      deserialize: () => ({}),
    });
    return this.#conf;
  }

  /** Removes the drafts of a process that was killed during a write. */
  #removeDrafts(folder: string): void {
    const prefix = `${basename(this.#path)}.tmp-`;
    for (const name of readdirSync(folder)) {
      if (name.startsWith(prefix)) rmSync(join(folder, name), { force: true });
    }
  }

  /** Keeps the present file as `.previous`. False when there is no file yet. */
  #keepPrevious(): boolean {
    rmSync(this.previousPath, { force: true });
    if (sizeOf(this.#path) === null) return false;
    try {
      linkSync(this.#path, this.previousPath);
    } catch {
      // Some disks have no hard links: copy the file instead.
      copyFileSync(this.#path, this.previousPath);
    }
    return true;
  }

  #rollBack(hadPrevious: boolean): never {
    if (hadPrevious) renameSync(this.previousPath, this.#path);
    else rmSync(this.#path, { force: true });
    throw Object.assign(new Error("the disk took only a part of the file"), { code: "ENOSPC" });
  }
}

function toText(value: Record<string, unknown>, schema: z.ZodType | undefined): string {
  const compact = JSON.stringify(value);
  if (compact.length < INDENT_BELOW) return `${JSON.stringify(value, null, 2)}\n`;
  return schema ? sealed(compact, schema) : `${compact}\n`;
}
