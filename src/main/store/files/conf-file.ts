import { copyFileSync, linkSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import Conf from "conf";
import type { z } from "zod";
import { ensurePrivateFolder, PRIVATE_FILE, sizeOf, syncFolder, writeError } from "./files.ts";
import { sealed } from "./seal.ts";

/** Files that a person may want to look into are indented; large ones are not, to be read faster at the start. */
const INDENT_BELOW = 16 * 1024;

/** What the engine of a file is told; electron-store and `conf` take the same. */
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
 * One JSON file behind `conf`, the plain engine of electron-store, or electron-store itself. `conf` writes a draft, syncs and renames it, but it
 * does not look at how much the disk took: on a disk that fills up during the write it renames a draft that was cut
 * short. So the file before the write stays linked beside it until the new one is known to be whole.
 */
export class ConfFile {
  /** The file as it was before a write that did not finish; usually absent. */
  readonly previousPath: string;
  readonly #path: string;
  readonly #engine: StoreEngine;
  #conf: { store: Record<string, unknown> } | undefined;
  #bytes = 0;
  /** What the content that is being written was checked against. */
  #schema: z.ZodType | undefined;

  constructor(path: string, engine: StoreEngine = confEngine) {
    this.#path = path;
    this.#engine = engine;
    this.previousPath = `${path}.previous`;
  }

  /**
   * @param schema what the content was checked against: a large file then says so, and is read without a check
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

  /** The first write opens it: reading is cheaper without `conf`, which copies and compares what it reads. */
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

  /** Drafts of a process that was killed while it wrote. */
  #removeDrafts(folder: string): void {
    const prefix = `${basename(this.#path)}.tmp-`;
    for (const name of readdirSync(folder)) {
      if (name.startsWith(prefix)) rmSync(join(folder, name), { force: true });
    }
  }

  /** False when there is no file yet. */
  #keepPrevious(): boolean {
    rmSync(this.previousPath, { force: true });
    if (sizeOf(this.#path) === null) return false;
    try {
      linkSync(this.#path, this.previousPath);
    } catch {
      // A disk without hard links.
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
