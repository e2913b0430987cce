import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { z } from "zod";
import { PatchbayError, type Problem, toProblem } from "../../../contract/errors.ts";
import { ConfFile, type StoreEngine } from "./conf-file.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, readError, systemCode } from "./files.ts";
import { GoodCopies } from "./good-copies.ts";
import { isSealed } from "./seal.ts";
import { damagedProblem, newerError, pathAside } from "./state-problems.ts";

/** `rewrite` refreshes the newest good copy at most this often. */
const COPY_AFTER_MS = 60_000;

/** Turns the data of one version into that of the next. Its input was written by an older Patchbay. */
export type Migration = (old: unknown) => unknown;

export interface StateFileOptions<T> {
  path: string;
  schema: z.ZodType<T>;
  /** Version of `schema`. A file of a lower version goes through `migrations[v]` for each v up to it. */
  version: number;
  migrations?: Record<number, Migration> | undefined;
  initial: () => T;
  /** Called when the file was damaged (STATE_FILE_DAMAGED) or could not be restored. */
  onNotice(problem: Problem): void;
  /**
   * What to do when the file is damaged and no good copy is left: go on with `initial()` (default), or throw and leave
   * the file where it is.
   */
  whenLost?: "start-empty" | "refuse" | undefined;
  /** `conf` when absent. */
  engine?: StoreEngine | undefined;
  /** What is written beside the data, made from it: signatures. */
  marksFor?: ((data: unknown) => unknown) | undefined;
}

/** The content of a file as it is stored, of whatever version. */
export interface StoredContent {
  data: unknown;
  marks: unknown;
  version: number;
  /** Whether the file itself holds it; false when it came from a good copy, because the file was damaged or gone. */
  inPlace: boolean;
}

/** A value kept in memory and in one file. Each write is on disk when it returns. */
export interface StateFile<T> {
  get(): Readonly<T>;
  /**
   * Changes the value. `change` returns a new value and leaves the old one alone.
   *
   * @throws PatchbayError DISK_FULL, WRITE_FAILED; the value in memory and the file are then as they were
   */
  update(change: (current: Readonly<T>) => T): T;
  /**
   * Replaces the value. For frequent writes that no person asked for: they make a new good copy at most once a minute,
   * so that older copies are not lost, and a value that does not fit the schema is written all the same; the next
   * reading reports it. Throws as `update`.
   */
  rewrite(next: T): void;
  /** What is stored now; null when there is no file that can be read. For files with marks. */
  stored(): StoredContent | null;
  /** The readable good copies, newest first, each with its value in today's form. */
  copies(): Generator<{ stored: StoredContent; value: T }, void>;
  /** Keeps a copy of the file under another name. Returns that name; null when it cannot be made. */
  keepAside(word: string): string | null;
}

/**
 * Opens a state file: reads and validates it, migrates an older one, or falls back to the newest good copy.
 *
 * @throws PatchbayError STATE_FILE_NEWER when a newer Patchbay wrote it (the file is not touched), READ_FAILED when it
 * is there but cannot be read, STATE_FILE_DAMAGED when `whenLost` is `refuse`
 */
export function openStateFile<T>(options: StateFileOptions<T>): StateFile<T> {
  return new OpenStateFile(options);
}

class OpenStateFile<T> implements StateFile<T> {
  readonly #options: StateFileOptions<T>;
  readonly #file: ConfFile;
  readonly #copies: GoodCopies;
  #value: T;
  #shiftCopies = false;
  /** What was read at the start, until it is asked for or overwritten; kept for files with marks alone. */
  #opened: StoredContent | null = null;

  constructor(options: StateFileOptions<T>) {
    this.#options = options;
    this.#file = new ConfFile(options.path, options.engine);
    this.#copies = new GoodCopies(options.path);
    this.#value = this.#load();
  }

  get(): Readonly<T> {
    return this.#value;
  }

  update(change: (current: Readonly<T>) => T): T {
    const next = change(this.#value);
    if (next === this.#value) return next;
    this.#write(next, this.#check(next));
    this.#copies.keep(this.#shiftCopies);
    this.#shiftCopies = false;
    return next;
  }

  rewrite(next: T): void {
    const result = this.#options.schema.safeParse(next);
    this.#write(next, result.success ? result.data : undefined);
    if (this.#copies.age() > COPY_AFTER_MS) this.#copies.keep();
  }

  stored(): StoredContent | null {
    const opened = this.#opened;
    this.#opened = null;
    if (opened) return opened;
    const main = this.#read(this.#options.path);
    return main.kind === "good" ? main.stored : null;
  }

  *copies(): Generator<{ stored: StoredContent; value: T }, void> {
    for (const path of newestFirst(this.#copies.list())) {
      const copy = this.#read(path);
      if (copy.kind === "good") yield { stored: { ...copy.stored, inPlace: false }, value: copy.value };
    }
  }

  keepAside(word: string): string | null {
    const { path } = this.#options;
    const aside = pathAside(path, word);
    try {
      copyFileSync(path, aside);
      chmodSync(aside, PRIVATE_FILE);
      return aside;
    } catch {
      return null;
    }
  }

  /**
   * Refuses a value that does not fit the schema: the next start would treat it as damaged.
   *
   * @returns the value as the schema returned it
   */
  #check(next: T): T {
    const result = this.#options.schema.safeParse(next);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    throw new PatchbayError(
      "INTERNAL",
      `${basename(this.#options.path)} would no longer be valid: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}.`,
      { details: { path: this.#options.path, issues: result.error.issues.slice(0, 20) } },
    );
  }

  /** @param checked the value as the schema returned it; undefined when it does not fit */
  #write(next: T, checked: T | undefined): void {
    const { schema } = this.#options;
    if (checked === undefined) this.#file.write(this.#envelope(next));
    else this.#file.write(this.#envelope(checked), schema);
    this.#value = next;
    this.#opened = null;
  }

  #envelope(data: unknown): Record<string, unknown> {
    const { version, marksFor } = this.#options;
    const marks = marksFor?.(data);
    return { schemaVersion: version, data, ...(marks !== undefined && { marks }) };
  }

  #load(): T {
    const { path, initial } = this.#options;
    const main = this.#read(path);
    const { marksFor } = this.#options;
    if (main.kind === "good") {
      if (marksFor) this.#opened = main.stored;
      return main.value;
    }
    const copy = this.#newestGoodCopy();
    if (marksFor && copy) this.#opened = { ...copy.stored, inPlace: false };
    if (main.kind === "missing" && !copy) return initial();
    if (main.kind === "damaged" && !copy && this.#options.whenLost === "refuse") {
      throw new PatchbayError("STATE_FILE_DAMAGED", `${basename(path)} is damaged: ${main.reason}.`, {
        help: `Put a good copy of ${basename(path)} back in its place.`,
        details: { path, reason: main.reason },
      });
    }
    const value = copy ? copy.value : initial();
    const aside = main.kind === "damaged" ? this.#quarantine() : null;
    this.#restore(value, copy?.stored.marks);
    this.#options.onNotice(damagedProblem(path, reasonOf(main), aside, copy?.path ?? null));
    return value;
  }

  #newestGoodCopy(): { path: string; value: T; stored: StoredContent } | null {
    for (const path of newestFirst([this.#file.previousPath, ...this.#copies.list()])) {
      const copy = this.#read(path);
      if (copy.kind === "good") return { path, value: copy.value, stored: copy.stored };
    }
    return null;
  }

  #read(path: string): ReadResult<T> {
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (error) {
      if (systemCode(error) === "ENOENT") return { kind: "missing" };
      throw readError(error, path);
    }
    try {
      return this.#parse(path, text);
    } catch (error) {
      if (error instanceof PatchbayError) throw error;
      return { kind: "damaged", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #parse(path: string, text: string): ReadResult<T> {
    const { version, migrations, schema } = this.#options;
    const envelope: unknown = JSON.parse(text);
    if (!isEnvelope(envelope)) return { kind: "damaged", reason: "it has no schemaVersion" };
    if (envelope.schemaVersion > version) throw newerError(path, envelope.schemaVersion, version);
    let data = envelope.data;
    for (let from = envelope.schemaVersion; from < version; from += 1) {
      const migrate = migrations?.[from];
      if (!migrate) return { kind: "damaged", reason: `nothing is known of its version ${from}` };
      data = migrate(data);
      this.#shiftCopies = true;
    }
    const stored: StoredContent = {
      data: envelope.data,
      marks: envelope.marks,
      version: envelope.schemaVersion,
      inPlace: true,
    };
    if (envelope.schemaVersion === version && isSealed(text, schema)) {
      return { kind: "good", value: data as T, stored };
    }
    const result = schema.safeParse(data);
    if (result.success) return { kind: "good", value: result.data, stored };
    const [issue] = result.error.issues;
    return { kind: "damaged", reason: `${issue?.path.join(".") || "its content"}: ${issue?.message}` };
  }

  /** Renames the damaged file. Returns its new path; null when the rename failed. */
  #quarantine(): string | null {
    const { path } = this.#options;
    const aside = pathAside(path, "damaged");
    try {
      renameSync(path, aside);
      return aside;
    } catch {
      return null;
    }
  }

  /**
   * Writes the recovered value, with the marks of the copy that it came from: they are not made anew, as nobody has
   * judged the copy yet. A failure does not stop the start: the next write tries again.
   */
  #restore(value: T, marks: unknown): void {
    try {
      mkdirSync(dirname(this.#options.path), { recursive: true, mode: PRIVATE_FOLDER });
      const { version } = this.#options;
      this.#file.write({ schemaVersion: version, data: value, ...(marks !== undefined && { marks }) });
    } catch (error) {
      this.#options.onNotice(toProblem(error, "WRITE_FAILED"));
    }
  }
}

function newestFirst(paths: string[]): string[] {
  const age = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return paths.toSorted((a, b) => age(b) - age(a));
}

type ReadResult<T> =
  | { kind: "good"; value: T; stored: StoredContent }
  | { kind: "missing" }
  | { kind: "damaged"; reason: string };

function isEnvelope(value: unknown): value is { schemaVersion: number; data: unknown; marks?: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "schemaVersion" in value &&
    typeof value.schemaVersion === "number" &&
    Number.isInteger(value.schemaVersion) &&
    "data" in value
  );
}

function reasonOf(main: ReadResult<unknown>): string | undefined {
  return main.kind === "damaged" ? main.reason : undefined;
}
