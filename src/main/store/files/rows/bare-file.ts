import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import type { RowStore, RowWrite, StoredRow } from "../../documents.ts";
import { type Collection, only } from "../../storage.ts";
import { PRIVATE_FILE, writePrivateFile } from "../files.ts";
import type { Layout } from "../layout.ts";
import { revisionsOf, stored, written } from "./written.ts";

/**
 * One document alone in a file, without a version and copies. A damaged one counts as absent; so does a secret one that
 * other users of the machine could read.
 */
export class BareFile<T> implements RowStore<T> {
  readonly #path: string;
  readonly #isSecret: boolean;
  readonly #collection: Collection<T>;
  #rows: ReadonlyMap<string, StoredRow<T>>;

  constructor({ file, secret }: Extract<Layout, { kind: "bare" }>, collection: Collection<T>) {
    this.#path = file;
    this.#isSecret = secret;
    this.#collection = collection;
    const value = this.#read();
    this.#rows = value === undefined ? new Map() : new Map([[only, stored(value)]]);
  }

  load(): ReadonlyMap<string, StoredRow<T>> {
    return this.#rows;
  }

  async write(writes: readonly RowWrite<T>[]): Promise<ReadonlyMap<string, number>> {
    const next = written(this.#rows, writes);
    const value = next.get(only)?.value;
    if (value === undefined) rmSync(this.#path, { force: true });
    else writePrivateFile(this.#path, `${JSON.stringify(value, null, 2)}\n`);
    this.#rows = next;
    return revisionsOf(next, writes);
  }

  close(): void {}

  #read(): T | undefined {
    if (!existsSync(this.#path)) return undefined;
    try {
      // Windows has no file modes; there the rights of the folder protect the file.
      const mayBeKnown =
        this.#isSecret &&
        process.platform !== "win32" &&
        (statSync(this.#path).mode & 0o777 & ~PRIVATE_FILE) !== 0;
      return mayBeKnown
        ? undefined
        : this.#collection.schema.parse(JSON.parse(readFileSync(this.#path, "utf8")));
    } catch {
      return undefined;
    }
  }
}
