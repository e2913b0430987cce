import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import type { Guard } from "../../signer.ts";
import type { RowScope } from "../../storage.ts";

/** What stands in a file beside its rows: a signature for each, and one for their ids, so that none goes missing. */
const marksSchema = z.object({ rows: z.record(z.string(), z.string()), ids: z.string() });
type Marks = z.infer<typeof marksSchema>;

/** Rows by id. */
export type Entries = readonly (readonly [id: string, value: unknown])[];

/** What is wrong with the rows of a file. */
export interface Judgement {
  /** Rows whose signature is missing or does not fit. */
  unfit: string[];
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

  constructor(guard: Guard<T>, collection: string, scope: RowScope | undefined, version: number) {
    this.#guard = guard;
    this.#place = [collection, scope?.agentId ?? "", scope?.pluginKey ?? ""];
    this.#version = version;
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
    const ids = rows.map(([id]) => id);
    const there = new Set(ids);
    const missing =
      signed && !signer.fits(this.#listText(ids), signed.ids)
        ? Object.keys(signed.rows).filter((id) => !there.has(id))
        : [];
    return { unfit, missing, unsigned: marks === undefined };
  }

  /** Whether one row of a file, as it is stored, bears its signature. */
  fits(version: number, id: string, value: unknown, marks: unknown): boolean {
    return this.#guard.signer.fits(this.#text(version, id, value), parsed(marks)?.rows[id]);
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
    return { rows: signed, ids: this.#guard.signer.sign(this.#listText(rows.map(([id]) => id))) };
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
    const signed: Record<string, unknown> = { ...value };
    for (const name of this.#guard.volatile) delete signed[name];
    return JSON.stringify(["row", ...this.#place, version, id, signed]);
  }

  #listText(ids: readonly string[]): string {
    return JSON.stringify(["rows", ...this.#place, ids]);
  }
}

function parsed(marks: unknown): Marks | null {
  const result = marksSchema.safeParse(marks);
  return result.success ? result.data : null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
