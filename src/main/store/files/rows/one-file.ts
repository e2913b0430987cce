import type { Problem } from "../../../../contract/index.ts";
import type { RowStore, RowWrite, StoredRow } from "../../documents.ts";
import type { Collection, RowScope } from "../../storage.ts";
import type { StoreEngine } from "../conf-file.ts";
import { openStateFile, type StateFile } from "../state-file.ts";
import type { Form } from "./forms.ts";
import type { NewestRows } from "./newest.ts";
import { review } from "./review.ts";
import { RowMarks } from "./row-marks.ts";
import { revisionsOf, stored, written } from "./written.ts";

export interface FileRowsOptions<T> {
  collection: Collection<T>;
  scope: RowScope | undefined;
  engine: StoreEngine | undefined;
  onNotice(problem: Problem): void;
  newest: NewestRows;
}

/** All documents in one state file. */
export class OneFile<T> implements RowStore<T> {
  readonly #options: FileRowsOptions<T>;
  readonly #form: Form<T>;
  readonly #file: StateFile<unknown>;
  readonly #marks: RowMarks<T> | undefined;
  #rows: ReadonlyMap<string, StoredRow<T>>;
  /** The rows of the write under way. */
  #next: ReadonlyMap<string, StoredRow<T>>;

  constructor(path: string, options: FileRowsOptions<T>, form: Form<T>) {
    const { collection, scope, engine, onNotice, newest } = options;
    this.#options = options;
    this.#form = form;
    const { guard, version } = collection;
    const marks = guard && new RowMarks(guard, collection.name, { scope, version, newest });
    this.#marks = marks;
    const migrations = Object.entries(collection.migrations ?? {});
    this.#file = openStateFile<unknown>({
      path,
      schema: form.schema,
      version,
      migrations: Object.fromEntries(migrations.map(([from, migration]) => [from, form.migrate(migration)])),
      initial: () => form.write(new Map()),
      onNotice,
      whenLost: collection.whenLost,
      engine,
      marksFor: marks && ((data) => marks.make(form.read(data), this.#valuesOf(this.#next))),
    });
    this.#rows = new Map(form.read(this.#file.get()).map(([id, value]) => [id, stored(value)]));
    this.#next = this.#rows;
    this.review(false);
  }

  get unproven(): boolean {
    return this.#marks?.unproven ?? false;
  }

  load(): ReadonlyMap<string, StoredRow<T>> {
    return this.#rows;
  }

  async write(writes: readonly RowWrite<T>[], coalesced: boolean): Promise<ReadonlyMap<string, number>> {
    for (const { id, value } of writes) this.#marks?.refuseUnprovable(id, this.#rows.get(id)?.value, value);
    const next = written(this.#rows, writes);
    this.#put(next, coalesced);
    return revisionsOf(next, writes);
  }

  review(adopt: boolean): void {
    const { collection, scope } = this.#options;
    const { guard } = collection;
    if (!this.#marks || !guard) return;
    const outcome = review(
      {
        file: this.#file,
        marks: this.#marks,
        guard,
        collection: collection.name,
        agentId: scope?.agentId ?? null,
        rowsOf: (data) => this.#form.read(data),
      },
      adopt,
    );
    switch (outcome.kind) {
      case "unproven":
        return;
      case "fine":
        if (outcome.sign) this.#put(new Map(this.#rows), false);
        return;
      case "set-aside": {
        const kept = new Map(this.#rows);
        for (const id of outcome.gone) kept.delete(id);
        for (const [id, value] of outcome.restored) kept.set(id, stored(value));
        this.#put(kept, false);
      }
    }
  }

  close(): void {
    this.#options.newest.flush();
  }

  #put(next: ReadonlyMap<string, StoredRow<T>>, coalesced: boolean): void {
    const data = this.#form.write(this.#valuesOf(next));
    this.#next = next;
    if (coalesced) this.#file.rewrite(data);
    else this.#file.update(() => data);
    this.#rows = next;
    this.#marks?.done();
  }

  #valuesOf(rows: ReadonlyMap<string, StoredRow<T>>): Map<string, T> {
    return new Map([...rows].map(([id, { value }]) => [id, value]));
  }
}
