import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { Clock } from "../../../base/clock.ts";
import type { Guard, Signer } from "../../signer.ts";
import { writePrivateFile } from "../files.ts";

/** Milliseconds in which the index may lag behind the files: it costs two flushes of the disk, which no row waits for. */
const WRITE_AFTER_MS = 2_000;
/** Characters that are kept of a signature: they only tell genuine rows from each other. */
const PRINT_LENGTH = 12;

const fileEntrySchema = z.object({
  /** The number of the newest writing of the file. */
  n: z.number().int(),
  /** The beginning of each row's signature. */
  rows: z.record(z.string(), z.string()),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;

const indexSchema = z.object({
  /** Grows with each writing of the index. */
  n: z.number().int(),
  files: z.record(z.string(), fileEntrySchema),
  mac: z.string(),
});

/**
 * The index of signed rows: for each file the number of its newest writing, and which rows it held. With it a genuine
 * older row that was put back is told from the newest one.
 *
 * It is written only after the files, up to two seconds later. So a kill leaves files that are newer than it says, which
 * is no fault; older ones are.
 */
export class NewestRows {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #beforeWrite: () => void;
  #files: Map<string, FileEntry> | undefined;
  #n = 0;
  #trouble: "gone" | "changed" | null = null;
  #onDisk = false;
  /** Another one when the vault was begun anew, and with it the key: then the index is signed again at once. */
  #keyPrint: string | undefined;
  #guard: Pick<Guard<never>, "signer" | "onIndex"> | undefined;
  #cancel: (() => void) | undefined;

  /** @param beforeWrite throws when this process may not write any more */
  constructor(path: string, clock: Clock, beforeWrite: () => void) {
    this.#path = path;
    this.#clock = clock;
    this.#beforeWrite = beforeWrite;
  }

  /** What is known of a file; undefined when nothing is. Only while something can be signed. */
  of(place: string, guard: Pick<Guard<never>, "signer" | "onIndex">): FileEntry | undefined {
    return this.#open(guard).get(place);
  }

  /** Called with the number of a file that is there: an index must be, too. */
  saw(n: number): void {
    if (n === 0 || this.#trouble === null || this.#guard?.signer.mode !== "on") return;
    if (!this.#guard.onIndex) return;
    const kind = this.#trouble;
    this.#trouble = null;
    this.#guard.onIndex({ kind });
  }

  /** Makes sure that there is an index before the first file with a number is written. */
  begin(guard: Pick<Guard<never>, "signer" | "onIndex">): void {
    this.#open(guard);
    const print = guard.signer.sign("newest rows");
    if (!this.#onDisk || (this.#keyPrint !== undefined && this.#keyPrint !== print)) this.#write();
    this.#keyPrint = print;
  }

  /** Notes what a file on the disk holds. @param marks the signatures of its rows by id */
  note(place: string, n: number, marks: Readonly<Record<string, string>>): void {
    const rows = Object.fromEntries(Object.entries(marks).map(([id, mark]) => [id, printOf(mark)]));
    this.#files?.set(place, { n, rows });
    this.#cancel ??= this.#clock.after(WRITE_AFTER_MS, () => {
      this.#cancel = undefined;
      try {
        this.#write();
      } catch {
        // The next writing of a row tries again; until then the index lags behind, which is no fault.
      }
    });
  }

  /** Writes what is noted. Never throws. */
  flush(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = undefined;
    try {
      this.#write();
    } catch {
      // As above.
    }
  }

  /** The number of the index as it lies on the disk; 0 when there is none that is signed, null when that cannot be said. */
  number(signer: Signer): number | null {
    if (signer.mode === "closed") return null;
    const found = this.#read(signer);
    return typeof found === "string" ? 0 : found.n;
  }

  #open(guard: Pick<Guard<never>, "signer" | "onIndex">): Map<string, FileEntry> {
    if (guard.onIndex || !this.#guard) this.#guard = guard;
    if (this.#files) return this.#files;
    const found = this.#read(guard.signer);
    const isThere = typeof found !== "string";
    this.#files = new Map(Object.entries(isThere ? found.files : {}));
    this.#n = isThere ? found.n : 0;
    this.#onDisk = isThere;
    this.#trouble = isThere ? null : found;
    return this.#files;
  }

  #read(signer: Signer): z.infer<typeof indexSchema> | "gone" | "changed" {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch {
      return "gone";
    }
    try {
      const index = indexSchema.parse(JSON.parse(text));
      return signer.fits(textOf(index), index.mac) ? index : "changed";
    } catch {
      return "changed";
    }
  }

  #write(): void {
    const signer = this.#guard?.signer;
    // Nothing is written into a home that was removed meanwhile.
    if (!this.#files || !signer || signer.mode === "closed" || !existsSync(dirname(this.#path))) return;
    this.#beforeWrite();
    const said = { n: this.#n + 1, files: Object.fromEntries(this.#files) };
    writePrivateFile(this.#path, JSON.stringify({ ...said, mac: signer.sign(textOf(said)) }));
    this.#n = said.n;
    this.#onDisk = true;
    this.#guard?.onIndex?.({ kind: "written", n: said.n });
  }
}

/** What the index keeps of a signature. */
export function printOf(mark: string): string {
  return mark.slice(0, PRINT_LENGTH);
}

function textOf({ n, files }: Pick<z.infer<typeof indexSchema>, "n" | "files">): string {
  return JSON.stringify(["newest rows", n, files]);
}
