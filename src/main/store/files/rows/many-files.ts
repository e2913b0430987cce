import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { agentIdSchema, toProblem } from "../../../../contract/index.ts";
import type { RowStore, RowWrite, StoredRow } from "../../documents.ts";
import { systemCode } from "../files.ts";
import { removeStateFile } from "../good-copies.ts";
import { openStateFile, type StateFile } from "../state-file.ts";
import type { FileRowsOptions } from "./one-file.ts";
import { review } from "./review.ts";
import { RowMarks } from "./row-marks.ts";
import { revisionsOf, stored, written } from "./written.ts";

/**
 * A state file for each document. A file that cannot be opened is left out and reported as a notice; the others are
 * read.
 */
export class ManyFiles<T> implements RowStore<T> {
  readonly #fileOf: (id: string) => string;
  readonly #options: FileRowsOptions<T>;
  readonly #files = new Map<string, StateFile<T>>();
  readonly #marks = new Map<string, RowMarks<T>>();
  readonly #folder: string;
  #rows: ReadonlyMap<string, StoredRow<T>>;

  constructor(fileOf: (id: string) => string, options: FileRowsOptions<T>, folder: string) {
    this.#fileOf = fileOf;
    this.#options = options;
    this.#folder = folder;
    this.#rows = this.#loadAll();
  }

  load(): ReadonlyMap<string, StoredRow<T>> {
    return this.#rows;
  }

  get unproven(): boolean {
    return [...this.#marks.values()].some(({ unproven }) => unproven);
  }

  review(adopt: boolean): void {
    const rows = new Map(this.#rows);
    for (const [id, file] of this.#files) {
      const value = this.#review(id, file, adopt);
      if (value === undefined) rows.delete(id);
      else if (value !== rows.get(id)?.value) rows.set(id, stored(value));
    }
    this.#rows = rows;
  }

  async write(writes: readonly RowWrite<T>[]): Promise<ReadonlyMap<string, number>> {
    for (const { id, value } of writes) {
      this.#marks.get(id)?.refuseUnprovable(id, this.#rows.get(id)?.value, value);
    }
    const next = written(this.#rows, writes);
    for (const { id, value } of writes) {
      if (value !== undefined) {
        const file = this.#files.get(id) ?? this.#open(id, () => value);
        this.#write(id, file, value);
        this.#files.set(id, file);
      } else {
        this.#files.delete(id);
        removeStateFile(this.#fileOf(id));
        this.#marks.get(id)?.removed();
      }
    }
    this.#rows = next;
    return revisionsOf(next, writes);
  }

  close(): void {
    this.#options.newest.flush();
  }

  #loadAll(): ReadonlyMap<string, StoredRow<T>> {
    const rows = new Map<string, StoredRow<T>>();
    for (const id of folderNames(this.#folder).filter((name) => agentIdSchema.safeParse(name).success)) {
      const value = this.#load(id);
      if (value !== undefined) rows.set(id, stored(value));
    }
    return rows;
  }

  #load(id: string): T | undefined {
    const missing = new Error("There is no such document.");
    try {
      const file = this.#open(id, () => {
        throw missing;
      });
      this.#files.set(id, file);
      return this.#review(id, file, false);
    } catch (error) {
      if (error !== missing) this.#options.onNotice(toProblem(error));
      return undefined;
    }
  }

  /** Judges one file. Returns its document, or the genuine one in its place; undefined when there is none. */
  #review(id: string, file: StateFile<T>, adopt: boolean): T | undefined {
    const { guard, name } = this.#options.collection;
    const marks = this.#marks.get(id);
    if (!guard || !marks) return file.get();
    const rowsOf = (data: unknown) => [[id, data] as const];
    const reviewed = { file, marks, guard, collection: name, agentId: id, rowsOf };
    const outcome = review(reviewed, adopt);
    switch (outcome.kind) {
      case "unproven":
        return file.get();
      case "fine":
        return outcome.sign ? this.#write(id, file, file.get()) : file.get();
      case "set-aside": {
        const genuine = outcome.restored.get(id);
        if (genuine !== undefined) return this.#write(id, file, genuine);
        this.#files.delete(id);
        return undefined;
      }
    }
  }

  #write(id: string, file: StateFile<T>, value: T): T {
    const next = file.update(() => ({ ...value }));
    this.#marks.get(id)?.done();
    return next;
  }

  #open(id: string, initial: () => T): StateFile<T> {
    const { collection, scope, engine, onNotice, newest } = this.#options;
    const { schema, version, migrations, whenLost, guard } = collection;
    const path = this.#fileOf(id);
    const marks = guard && new RowMarks(guard, collection.name, { scope, version, newest }, id);
    if (marks) this.#marks.set(id, marks);
    const marksFor = marks && ((data: unknown) => marks.make([[id, data]], new Map()));
    return openStateFile<T>({
      path,
      schema,
      version,
      migrations,
      initial,
      onNotice,
      whenLost,
      engine,
      marksFor,
    });
  }
}

function folderNames(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => basename(entry.name));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
