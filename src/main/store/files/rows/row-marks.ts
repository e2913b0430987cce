import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import type { Guard } from "../../signer.ts";
import type { RowScope } from "../../storage.ts";
import { type FileEntry, type NewestRows, printOf } from "./newest.ts";

/**
 * What stands in a file beside its rows: a signature for each, the number of this writing, which only grows, and one
 * signature over all of that, so that no row goes missing and none is exchanged for an older one. Files of before have no
 * number; then `ids` is over the ids alone.
 */
const marksSchema = z.object({
  rows: z.record(z.string(), z.string()),
  n: z.number().int().positive().optional(),
  ids: z.string(),
});
type Marks = z.infer<typeof marksSchema>;

/** Rows by id. */
export type Entries = readonly (readonly [id: string, value: unknown])[];

/** What is wrong with the rows of a file. */
export interface Judgement {
  /** Rows whose signature is missing or does not fit. */
  unfit: string[];
  /** Genuine rows that are older than those that were written last. */
  older: string[];
  /** Rows that were there when the file was signed. */
  missing: string[];
  /** The file bears no signatures at all. */
  unsigned: boolean;
}

/** Makes and judges the signatures of one file. */
export class RowMarks<T> {
  readonly #guard: Guard<T>;
  readonly #place: readonly (string | number)[];
  readonly #version: number;
  /** Signatures by the value in memory that they were made for, so that each write signs only what changed. */
  readonly #made = new WeakMap<object, string>();
  /** The signatures in the file, while they cannot be judged or made. */
  #unproven: Marks | null = null;
  readonly #newest: NewestRows;
  /** The name of the file in the index. */
  readonly #file: string;
  /** What the file holds, as far as it is known to be whole. */
  #last: Pick<Marks, "n" | "rows"> | null = null;
  readonly #numbers = new WeakMap<Marks, number>();
  /** What the write under way makes of it. */
  #next: { n: number; rows: Record<string, string> } | null = null;

  /** @param document the id of the only document, where each has a file of its own */
  constructor(
    guard: Guard<T>,
    collection: string,
    { scope, version, newest }: { scope: RowScope | undefined; version: number; newest: NewestRows },
    document = "",
  ) {
    this.#guard = guard;
    this.#place = [collection, scope?.agentId ?? "", scope?.pluginKey ?? ""];
    this.#version = version;
    this.#newest = newest;
    this.#file = [...this.#place, document].join("/");
  }

  /** Signatures that could not be judged yet. */
  get unproven(): boolean {
    return this.#unproven !== null;
  }

  /** Whether signatures can be judged and made now. */
  get ready(): boolean {
    return this.#guard.signer.mode !== "closed";
  }

  get adopting(): boolean {
    return this.#guard.signer.mode === "adopting";
  }

  /** Keeps the signatures of a file that cannot be judged now, to be written again as they are. */
  hold(marks: unknown): void {
    this.#unproven = parsed(marks);
  }

  /** Judges the rows of a file, as they are stored. Only when {@link ready}. */
  judge(version: number, rows: Entries, marks: unknown): Judgement {
    this.#unproven = null;
    const { signer } = this.#guard;
    const signed = parsed(marks);
    const unfit = rows
      .filter(([id, value]) => !signer.fits(this.#text(version, id, value), signed?.rows[id]))
      .map(([id]) => id);
    const older = rows.map(([id]) => id).filter((id) => !unfit.includes(id) && this.#isOlder(id, signed));
    const missing = this.#missing(
      rows.map(([id]) => id),
      signed,
    );
    this.#newest.saw(signed?.n ?? 0);
    if (signed && unfit.length + older.length + missing.length === 0) this.#know(signed);
    return { unfit, older, missing, unsigned: marks === undefined };
  }

  /** Whether one row of a copy, as it is stored, bears its signature and is not older than the newest one. */
  fits(version: number, id: string, value: unknown, marks: unknown): boolean {
    const signed = parsed(marks);
    return (
      this.#guard.signer.fits(this.#text(version, id, value), signed?.rows[id]) && !this.#isOlder(id, signed)
    );
  }

  /**
   * The signatures for rows that are about to be written. Undefined while nothing can be signed and nothing was.
   *
   * @param rows as they will be stored
   * @param kept the same rows as they are in memory
   */
  make(rows: Entries, kept: ReadonlyMap<string, unknown>): Marks | undefined {
    if (!this.ready) return this.#unproven ?? undefined;
    const signed: Record<string, string> = {};
    for (const [id, value] of rows) signed[id] = this.#signatureOf(id, value, kept.get(id));
    this.#newest.begin(this.#guard);
    const n = this.#numberFor(signed);
    this.#next = { n, rows: signed };
    return { rows: signed, n, ids: this.#guard.signer.sign(this.#wholeText(n, signed)) };
  }

  /** Called when what was made is on the disk. */
  done(): void {
    const { n, rows } = this.#next ?? {};
    this.#next = null;
    if (n === undefined || rows === undefined) return;
    if (n !== this.#last?.n) this.#newest.note(this.#file, n, rows);
    this.#last = { n, rows };
  }

  /** Called when the file was removed: what is put back of it later is older than that. */
  removed(): void {
    if (this.ready) this.#newest.note(this.#file, this.#newestNumber() + 1, {});
    this.#last = null;
  }

  /**
   * Refuses to change what is signed while nothing can be signed. What the signature leaves out may change.
   * @throws PatchbayError VAULT_CLOSED
   */
  refuseUnprovable(id: string, before: unknown, after: unknown): void {
    if (this.ready || !this.#unproven) return;
    if (before !== undefined && after !== undefined) {
      if (this.#text(this.#version, id, before) === this.#text(this.#version, id, after)) return;
    }
    throw new PatchbayError(
      "VAULT_CLOSED",
      "While the stored secrets are closed, what plugins and agents may do cannot be checked or changed.",
    );
  }

  /** Whether a genuine row is another one than the newest: the index knows it, and the file is not newer than the index. */
  #isOlder(id: string, signed: Marks | null): boolean {
    const known = this.#known();
    if (!known || !signed) return false;
    return this.#numberOf(signed) < known.n && printOf(signed.rows[id] ?? "") !== known.rows[id];
  }

  #missing(ids: readonly string[], signed: Marks | null): string[] {
    const { signer } = this.#guard;
    const there = new Set(ids);
    const known = this.#known();
    const isWhole = signed !== null && signed.n === undefined && signer.fits(this.#listText(ids), signed.ids);
    const isOld = known !== undefined && (signed === null || this.#numberOf(signed) < known.n);
    const wanted = [
      ...(signed && !isWhole ? Object.keys(signed.rows) : []),
      ...(isOld ? Object.keys(known.rows) : []),
    ];
    return [...new Set(wanted)].filter((id) => !there.has(id));
  }

  /** The number of a file whose signatures belong together; 0 for every other one. */
  #numberOf(marks: Marks): number {
    const { n, rows, ids } = marks;
    const counted = this.#numbers.get(marks);
    if (counted !== undefined) return counted;
    const number = n !== undefined && this.#guard.signer.fits(this.#wholeText(n, rows), ids) ? n : 0;
    this.#numbers.set(marks, number);
    return number;
  }

  /** What the index says of the file. Nothing counts when everything is taken as it is. */
  #known(): FileEntry | undefined {
    return this.adopting ? undefined : this.#newest.of(this.#file, this.#guard);
  }

  /** Notes a file that is in order. */
  #know(signed: Marks): void {
    const n = this.#numberOf(signed);
    this.#last = n > 0 ? { n, rows: signed.rows } : null;
    const known = this.#known();
    if (!known || n > known.n) this.#newest.note(this.#file, n, signed.rows);
  }

  #newestNumber(): number {
    return Math.max(this.#last?.n ?? 0, this.#newest.of(this.#file, this.#guard)?.n ?? 0);
  }

  /** The same number as before where nothing that is signed has changed. */
  #numberFor(rows: Record<string, string>): number {
    const last = this.#last;
    if (last?.n !== undefined && isDeepStrictEqual(last.rows, rows)) return last.n;
    return this.#newestNumber() + 1;
  }

  #signatureOf(id: string, value: unknown, kept: unknown): string {
    const known = isObject(kept) ? this.#made.get(kept) : undefined;
    if (known !== undefined) return known;
    const made = this.#guard.signer.sign(this.#text(this.#version, id, value));
    if (isObject(kept)) this.#made.set(kept, made);
    return made;
  }

  /** What is signed of a row: its place, and all of it but the fields by which nothing is decided. */
  #text(version: number, id: string, value: unknown): string {
    if (!isObject(value)) return JSON.stringify(["row", ...this.#place, version, id, value]);
    const volatile: readonly string[] = this.#guard.volatile;
    const signed = Object.fromEntries(Object.entries(value).filter(([name]) => !volatile.includes(name)));
    return JSON.stringify(["row", ...this.#place, version, id, signed]);
  }

  #wholeText(n: number, rows: Readonly<Record<string, string>>): string {
    return JSON.stringify(["file", ...this.#place, n, Object.entries(rows).toSorted(byId)]);
  }

  #listText(ids: readonly string[]): string {
    return JSON.stringify(["rows", ...this.#place, ids]);
  }
}

function byId([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1;
}

function parsed(marks: unknown): Marks | null {
  const result = marksSchema.safeParse(marks);
  return result.success ? result.data : null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
