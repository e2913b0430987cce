import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { PatchbayError } from "../../contract/index.ts";
import type { Collection, Rows, Storage } from "../store/index.ts";

/** Bytes of JSON that one plugin may keep for one agent. */
const STORAGE_LIMIT = 1024 * 1024;
/**
 * Changes within this many milliseconds are written to disk together. Where a write is slow the time grows to twice the
 * last write's, at most to the second number.
 */
const TOGETHER_MS = 10;
const LONGEST_TOGETHER_MS = 500;

const collection: Collection<unknown> = { name: "plugin-values", schema: z.unknown(), version: 1 };

export interface PluginStorageOptions {
  storage: Pick<Storage, "rows">;
  agentId: string;
  pluginKey: string;
}

/**
 * What a plugin keeps for one agent, a row for each of its keys. Values are JSON; `get` returns a copy. A change can be
 * read at once; `set` and `delete` resolve when it is on disk.
 */
export class StoredValues {
  readonly #pluginKey: string;
  readonly #rows: Rows<unknown>;
  readonly #sizes = new Map<string, number>();
  #writing: Promise<void> | null = null;
  #togetherMs = TOGETHER_MS;

  constructor({ storage, agentId, pluginKey }: PluginStorageOptions) {
    this.#pluginKey = pluginKey;
    this.#rows = storage.rows(collection, { agentId, pluginKey });
    for (const [key, value] of this.#rows.all()) this.#sizes.set(key, sizeOf(key, JSON.stringify(value)));
  }

  async get(key: string): Promise<unknown> {
    return structuredClone(this.#rows.get(key));
  }

  /**
   * @throws PatchbayError PAYLOAD_TOO_LARGE when all values together would be above 1 MiB, BAD_INPUT when the value is
   * not JSON; DISK_FULL and WRITE_FAILED when the value is in memory but could not be written, which is tried again
   * with the next change
   */
  async set(key: string, value: unknown): Promise<void> {
    const text = this.#toJson(key, value);
    const size = sizeOf(key, text);
    const total = this.#total() - (this.#sizes.get(key) ?? 0) + size;
    if (total > STORAGE_LIMIT) throw this.#tooLarge(key, total);
    const stored: unknown = JSON.parse(text);
    const durable = this.#rows.putLater(key, stored);
    this.#sizes.set(key, size);
    await Promise.all([durable, this.#written()]);
  }

  async delete(key: string): Promise<void> {
    if (!this.#sizes.has(key)) return;
    const durable = this.#rows.removeLater(key);
    this.#sizes.delete(key);
    await Promise.all([durable, this.#written()]);
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  discard(): void {
    this.#rows.discard();
  }

  #written(): Promise<void> {
    this.#writing ??= delay(this.#togetherMs).then(() => {
      this.#writing = null;
      return this.#flush();
    });
    return this.#writing;
  }

  async #flush(): Promise<void> {
    const start = performance.now();
    try {
      await this.#rows.flush();
    } finally {
      const took = performance.now() - start;
      this.#togetherMs = Math.min(Math.max(TOGETHER_MS, 2 * took), LONGEST_TOGETHER_MS);
    }
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

function sizeOf(key: string, json: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(json);
}
