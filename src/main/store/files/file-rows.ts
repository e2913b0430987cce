import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { agentIdSchema, type Problem, toProblem } from "../../../contract/index.ts";
import type { RowStore, RowWrite, StoredRow } from "../documents.ts";
import { type Collection, only, StaleRow } from "../storage.ts";
import type { StoreEngine } from "./conf-file.ts";
import { PRIVATE_FILE, systemCode, writePrivateFile } from "./files.ts";
import type { Layout } from "./layout.ts";
import { openStateFile, type StateFile } from "./state-file.ts";

interface FileRowsOptions<T> {
  collection: Collection<T>;
  engine: StoreEngine | undefined;
  onNotice(problem: Problem): void;
}

/** Opens the files of a collection. @throws PatchbayError STATE_FILE_NEWER, STATE_FILE_DAMAGED, READ_FAILED */
export function openFileRows<T>(layout: Layout, options: FileRowsOptions<T>, agents: string): RowStore<T> {
  switch (layout.kind) {
    case "one":
      return new OneFile(layout.file, options, documentForm(options.collection.schema));
    case "list":
      return new OneFile(
        layout.file,
        options,
        listForm(layout.field, layout.idOf, options.collection.schema),
      );
    case "record":
      return new OneFile(layout.file, options, recordForm(options.collection.schema));
    case "files":
      return new ManyFiles(layout.fileOf, options, agents);
    case "bare":
      return new BareFile(layout, options.collection);
  }
}

/** The form of a file's content, and how documents are read from it and put into it. */
interface Form<T> {
  schema: z.ZodType<unknown>;
  read(data: unknown): [id: string, value: T][];
  write(values: ReadonlyMap<string, T>): unknown;
  migrate(migration: (old: unknown) => unknown): (data: unknown) => unknown;
}

/**
 * The schemas of whole files, by the schema of the documents. Each is made once, because making one takes longer than
 * reading a small file.
 */
const fileSchemas = new WeakMap<z.ZodType, Map<string, z.ZodType>>();

/** @param form name of the kind of file, because one document schema may be used in several */
function fileSchema(schema: z.ZodType, form: string, make: () => z.ZodType): z.ZodType {
  const known = fileSchemas.get(schema) ?? new Map<string, z.ZodType>();
  fileSchemas.set(schema, known);
  const made = known.get(form) ?? make();
  known.set(form, made);
  return made;
}

function documentForm<T>(schema: z.ZodType<T>): Form<T> {
  return {
    schema: fileSchema(schema, "one", () => schema.nullable()),
    read: (data) => (data === null ? [] : [[only, data as T]]),
    write: (values) => values.get(only) ?? null,
    migrate: (migration) => migration,
  };
}

function listForm<T>(field: string, idOf: (value: never) => string, schema: z.ZodType<T>): Form<T> {
  const list = (data: unknown) => (data as Record<string, unknown[]>)[field] ?? [];
  return {
    schema: fileSchema(schema, `list ${field}`, () => z.object({ [field]: z.array(schema) })),
    read: (data) => list(data).map((value) => [idOf(value as never), value as T]),
    write: (values) => ({ [field]: [...values.values()] }),
    migrate: (migration) => (data) => ({ [field]: list(data).map(migration) }),
  };
}

function recordForm<T>(schema: z.ZodType<T>): Form<T> {
  return {
    schema: fileSchema(schema, "record", () => z.record(z.string(), schema)),
    read: (data) => Object.entries(data as Record<string, T>),
    write: (values) => Object.fromEntries(values),
    migrate: (migration) => (data) =>
      Object.fromEntries(Object.entries(data as object).map(([id, value]) => [id, migration(value)])),
  };
}

/**
 * A row as it was read. Revisions begin at 1 in each process: with files only one process has the store open at a time,
 * so they need not be stored.
 */
function stored<T>(value: T): StoredRow<T> {
  return { value, revision: 1 };
}

/** The documents as they would be after the writes. @throws StaleRow */
function written<T>(
  current: ReadonlyMap<string, StoredRow<T>>,
  writes: readonly RowWrite<T>[],
): Map<string, StoredRow<T>> {
  const next = new Map(current);
  for (const { id, value, expected } of writes) {
    const there = next.get(id);
    if ((there?.revision ?? 0) !== expected) throw new StaleRow(id, there ?? null);
    if (value === undefined) next.delete(id);
    else next.set(id, { value, revision: expected + 1 });
  }
  return next;
}

function revisionsOf<T>(
  rows: ReadonlyMap<string, StoredRow<T>>,
  writes: readonly RowWrite<T>[],
): Map<string, number> {
  return new Map(writes.map(({ id }) => [id, rows.get(id)?.revision ?? 0]));
}

/** Removes a state file with its copies. */
export function removeStateFile(path: string): void {
  for (const suffix of ["", ".bak1", ".bak2", ".bak3", ".previous"]) {
    rmSync(`${path}${suffix}`, { force: true });
  }
}

/** All documents in one state file. */
class OneFile<T> implements RowStore<T> {
  readonly #form: Form<T>;
  readonly #file: StateFile<unknown>;
  #rows: ReadonlyMap<string, StoredRow<T>>;

  constructor(path: string, { collection, engine, onNotice }: FileRowsOptions<T>, form: Form<T>) {
    this.#form = form;
    const migrations = Object.entries(collection.migrations ?? {});
    this.#file = openStateFile<unknown>({
      path,
      schema: form.schema,
      version: collection.version,
      migrations: Object.fromEntries(migrations.map(([from, migration]) => [from, form.migrate(migration)])),
      initial: () => form.write(new Map()),
      onNotice,
      whenLost: collection.whenLost,
      engine,
    });
    this.#rows = new Map(form.read(this.#file.get()).map(([id, value]) => [id, stored(value)]));
  }

  load(): ReadonlyMap<string, StoredRow<T>> {
    return this.#rows;
  }

  async write(writes: readonly RowWrite<T>[], coalesced: boolean): Promise<ReadonlyMap<string, number>> {
    const next = written(this.#rows, writes);
    const data = this.#form.write(new Map([...next].map(([id, { value }]) => [id, value])));
    if (coalesced) this.#file.rewrite(data);
    else this.#file.update(() => data);
    this.#rows = next;
    return revisionsOf(next, writes);
  }

  close(): void {}
}

/**
 * A state file for each document. A file that cannot be opened is left out and reported as a notice; the others are
 * read.
 */
class ManyFiles<T> implements RowStore<T> {
  readonly #fileOf: (id: string) => string;
  readonly #options: FileRowsOptions<T>;
  readonly #files = new Map<string, StateFile<T>>();
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

  async write(writes: readonly RowWrite<T>[]): Promise<ReadonlyMap<string, number>> {
    const next = written(this.#rows, writes);
    for (const { id, value } of writes) {
      if (value !== undefined) {
        const file = this.#files.get(id) ?? this.#open(id, () => value);
        file.update(() => ({ ...value }));
        this.#files.set(id, file);
      } else {
        this.#files.delete(id);
        removeStateFile(this.#fileOf(id));
      }
    }
    this.#rows = next;
    return revisionsOf(next, writes);
  }

  close(): void {}

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
      return file.get();
    } catch (error) {
      if (error !== missing) this.#options.onNotice(toProblem(error));
      return undefined;
    }
  }

  #open(id: string, initial: () => T): StateFile<T> {
    const { collection, engine, onNotice } = this.#options;
    const { schema, version, migrations, whenLost } = collection;
    const path = this.#fileOf(id);
    return openStateFile<T>({ path, schema, version, migrations, initial, onNotice, whenLost, engine });
  }
}

/**
 * One document alone in a file, without a version and copies. A damaged one counts as absent; so does a secret one that
 * other users of the machine could read.
 */
class BareFile<T> implements RowStore<T> {
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
