import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import type { Problem } from "../../../../contract/errors.ts";
import type { RowStore, RowWrite, StoredRow } from "../../documents.ts";
import { type Collection, only } from "../../storage.ts";
import { PRIVATE_FILE, writePrivateFile } from "../files.ts";
import type { Layout } from "../layout.ts";
import { damagedProblem, pathAside } from "../state-problems.ts";
import { revisionsOf, stored, written } from "./written.ts";

/**
 * One document alone in a file, without a version and copies. A damaged one counts as absent, or is put aside with a
 * notice; a secret one that other users of the machine could read counts as absent.
 */
export class BareFile<T> implements RowStore<T> {
  readonly #path: string;
  readonly #isSecret: boolean;
  readonly #collection: Collection<T>;
  #rows: ReadonlyMap<string, StoredRow<T>>;

  constructor(
    { file, secret, keepDamaged }: Extract<Layout, { kind: "bare" }>,
    collection: Collection<T>,
    onNotice: (problem: Problem) => void,
  ) {
    this.#path = file;
    this.#isSecret = secret;
    this.#collection = collection;
    const value = this.#read(keepDamaged ? (reason) => onNotice(this.#setAside(reason)) : () => {});
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

  #setAside(reason: string): Problem {
    const aside = pathAside(this.#path, "damaged");
    try {
      renameSync(this.#path, aside);
      return damagedProblem(this.#path, reason, aside, null);
    } catch {
      return damagedProblem(this.#path, reason, null, null);
    }
  }

  #read(damaged: (reason: string) => void): T | undefined {
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
    } catch (error) {
      damaged(
        error instanceof SyntaxError ? error.message : "its content is not of the kind that it should be",
      );
      return undefined;
    }
  }
}
