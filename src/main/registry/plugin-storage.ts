import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PatchbayError, type Problem } from "../../contract/index.ts";
import { openStateFile, type StateFile } from "../store/index.ts";

/** Bytes of JSON that one plugin may keep for one agent. */
const STORAGE_LIMIT = 1024 * 1024;
/** Changes within this time are written together; longer where writing takes long. */
const TOGETHER_MS = 10;
const LONGEST_TOGETHER_MS = 500;

const fileSchema = z.record(z.string(), z.unknown());
type FileData = z.infer<typeof fileSchema>;

export interface PluginStorageOptions {
  /** The agent's folder. */
  folder: string;
  pluginKey: string;
  onNotice(problem: Problem): void;
}

/**
 * What a plugin keeps for one agent: `agents/<id>/storage/<key>.json`. Values are JSON; what is read back is a copy.
 * A change can be read at once; `set` and `delete` resolve when it is on disk.
 */
export class StoredValues {
  readonly #pluginKey: string;
  readonly #file: StateFile<FileData>;
  readonly #sizes = new Map<string, number>();
  #writing: Promise<void> | null = null;
  #togetherMs = TOGETHER_MS;

  constructor(options: PluginStorageOptions) {
    this.#pluginKey = options.pluginKey;
    this.#file = openStateFile<FileData>({
      path: join(options.folder, "storage", `${options.pluginKey}.json`),
      schema: fileSchema,
      version: 1,
      initial: () => ({}),
      onNotice: options.onNotice,
    });
    for (const [key, value] of Object.entries(this.#file.get())) {
      this.#sizes.set(key, sizeOf(key, JSON.stringify(value)));
    }
  }

  async get(key: string): Promise<unknown> {
    const data = this.#file.get();
    return Object.hasOwn(data, key) ? structuredClone(data[key]) : undefined;
  }

  /**
   * @throws PatchbayError PAYLOAD_TOO_LARGE above 1 MB in all, BAD_INPUT when the value is not JSON, DISK_FULL and
   * WRITE_FAILED when it is in memory alone; it is then written with the next change
   */
  async set(key: string, value: unknown): Promise<void> {
    const text = this.#toJson(key, value);
    const size = sizeOf(key, text);
    const total = this.#total() - (this.#sizes.get(key) ?? 0) + size;
    if (total > STORAGE_LIMIT) throw this.#tooLarge(key, total);
    const stored: unknown = JSON.parse(text);
    this.#file.updateLater((data) => ({ ...data, [key]: stored }));
    this.#sizes.set(key, size);
    await this.#written();
  }

  async delete(key: string): Promise<void> {
    if (!this.#sizes.has(key)) return;
    this.#file.updateLater((data) => {
      const { [key]: _, ...rest } = data;
      return rest;
    });
    this.#sizes.delete(key);
    await this.#written();
  }

  close(): void {
    this.#file.close();
  }

  discard(): void {
    this.#file.discard();
  }

  #written(): Promise<void> {
    this.#writing ??= new Promise((resolve, reject) => {
      setTimeout(() => {
        this.#writing = null;
        const start = performance.now();
        try {
          this.#file.flush();
          resolve();
        } catch (error) {
          reject(error);
        }
        const took = performance.now() - start;
        this.#togetherMs = Math.min(Math.max(TOGETHER_MS, 2 * took), LONGEST_TOGETHER_MS);
      }, this.#togetherMs);
    });
    return this.#writing;
  }

  #toJson(key: string, value: unknown): string {
    const problem = (reason: string) =>
      new PatchbayError(
        "BAD_INPUT",
        `The plugin ${this.#pluginKey} tried to keep "${key}", but ${reason}. Its author must correct that.`,
      );
    let text: string | undefined;
    try {
      text = JSON.stringify(value);
    } catch (error) {
      throw problem(
        `it cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    if (text === undefined) throw problem("its value is nothing that can be written as JSON");
    return text;
  }

  #total(): number {
    let total = 0;
    for (const size of this.#sizes.values()) total += size;
    return total;
  }

  #tooLarge(key: string, total: number): PatchbayError {
    const kib = Math.ceil(total / 1024);
    return new PatchbayError(
      "PAYLOAD_TOO_LARGE",
      `The plugin ${this.#pluginKey} may keep 1024 KiB for this agent; with "${key}" it would be ${kib} KiB.`,
      {
        help: "Its author must store less, or remove what is no longer needed.",
        details: { pluginKey: this.#pluginKey, key, bytes: total, limit: STORAGE_LIMIT },
      },
    );
  }
}

/** Removes what a plugin kept, with its copies. */
export function removeStorage(folder: string, pluginKey: string): void {
  const path = join(folder, "storage", `${pluginKey}.json`);
  for (const suffix of ["", ".bak1", ".bak2", ".bak3", ".previous"]) {
    rmSync(`${path}${suffix}`, { force: true });
  }
  // What runtimes keep in files of their own.
  rmSync(join(folder, "storage", pluginKey), { recursive: true, force: true });
}

function sizeOf(key: string, json: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(json);
}
