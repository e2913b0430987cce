import { PatchbayError, type Problem } from "../../../contract/errors.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { Signer } from "../signer.ts";
import type { AuditFiles, AuditHead, ChainBreak } from "./audit-files.ts";
import { type ChainEnd, readLine } from "./chain.ts";

/** Milliseconds in which the seal may lag behind the log: a seal costs two flushes of the disk, a line none. */
const SEAL_AFTER_MS = 2_000;
/** How many breaks the seal remembers, the first ones and the newest. */
const MOST_BREAKS = 50;

export interface AuditSealOptions {
  files: AuditFiles;
  signer: Signer | undefined;
  clock: Clock;
  onNotice(problem: Problem): void;
}

/** The text that the seal's signature is made over. */
export function sealedText({ n, hash, day, breaks }: Omit<AuditHead, "mac">): string {
  return JSON.stringify(["audit head", n, hash, day, breaks]);
}

/**
 * Keeps the seal of the audit log: how far it reached, signed with a key of the vault. What it said at the start is
 * compared with the log before it is replaced for the first time; what does not fit stays in it for good, so that
 * going on does not wipe out the trace.
 */
export class AuditSeal {
  readonly #options: AuditSealOptions;
  #breaks: ChainBreak[] = [];
  #inspected = false;
  #wanted: (ChainEnd & { day: string }) | undefined;
  #cancel: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: AuditSealOptions) {
    this.#options = options;
  }

  /** Notes that the log reaches this far; the seal follows within two seconds. */
  reaches(end: ChainEnd, day: string): void {
    this.#wanted = { ...end, day };
    this.#cancel ??= this.#options.clock.after(SEAL_AFTER_MS, () => {
      this.write().catch(() => {});
    });
  }

  /** Begins anew, because the person began an empty vault, and with it another key. */
  beginAnew(): void {
    this.#inspected = true;
  }

  /** Writes the seal now, if it lags behind and the key is there. Never rejects: the next line tries again. */
  write(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#writing = this.#writing.then(() => this.#write()).catch(() => {});
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { files, signer } = this.#options;
    const wanted = this.#wanted;
    if (!wanted || !signer || signer.mode === "closed") return;
    await this.#inspect();
    const head = { n: wanted.n, hash: wanted.hash, day: wanted.day, breaks: this.#breaks };
    await files.writeHead({ ...head, mac: signer.sign(sealedText(head)) });
    if (this.#wanted === wanted) this.#wanted = undefined;
  }

  /** Looks once, with the key, whether the seal of the last time fits the log. */
  async #inspect(): Promise<void> {
    if (this.#inspected) return;
    const { files, signer, clock } = this.#options;
    const head = await files.head();
    const found = await this.#whatIsWrong(head);
    if (head !== null && head !== "damaged" && signer?.fits(sealedText(head), head.mac)) {
      this.#breaks = head.breaks;
    }
    if (found) {
      const n = head === null || head === "damaged" ? 0 : head.n;
      const first = this.#breaks.slice(0, MOST_BREAKS / 2);
      const newest = this.#breaks.slice(MOST_BREAKS / 2).slice(1 - MOST_BREAKS / 2);
      this.#breaks = [...first, ...newest, { noticedAt: isoTime(clock), kind: found, n }];
      this.#options.onNotice(broken().toProblem());
    }
    this.#inspected = true;
  }

  async #whatIsWrong(head: AuditHead | null | "damaged"): Promise<ChainBreak["kind"] | null> {
    const { files, signer } = this.#options;
    if (!signer) return null;
    if (head === null) return signer.mode === "adopting" ? null : "seal_gone";
    if (head === "damaged" || !signer.fits(sealedText(head), head.mac)) return "seal_changed";
    let newest = 0;
    for await (const { text } of files.lines(head.day)) {
      const line = readLine(text);
      if (line?.n === head.n) return line.hash === head.hash ? null : "rewritten";
      newest = Math.max(newest, line?.n ?? 0);
    }
    return "cut";
  }
}

/** The notice for a log that was changed from outside. */
export function broken(): PatchbayError {
  return new PatchbayError(
    "AUDIT_BROKEN",
    "The audit log was changed by something other than Patchbay: lines are missing or are not those that were written.",
  );
}
