import { z } from "zod";
import { type AuditVerdict, PatchbayError, type Problem, toProblem } from "../../../contract/index.ts";
import { type Clock, isoTime, systemClock } from "../../base/clock.ts";
import type { Signer } from "../signer.ts";
import type { Log, Storage } from "../storage.ts";
import { AuditFiles } from "./audit-files.ts";
import { AuditSeal } from "./audit-seal.ts";
import { type ChainEnd, hashOf, readLine, tie } from "./chain.ts";
import { verifyChain } from "./verify.ts";

const auditEventSchema = z.looseObject({
  at: z.iso.datetime(),
  /** What happened: `plugin.installed`, `agent_plugin.enabled`, `secret.set`, `tool.called`, … */
  kind: z.string(),
  agentId: z.string().optional(),
  pluginKey: z.string().optional(),
});
type StoredAuditEvent = z.infer<typeof auditEventSchema>;

/** An event to be recorded. It contains names and ids, never values of secrets. */
export interface AuditEvent {
  kind: string;
  agentId?: string;
  pluginKey?: string;
  [detail: string]: unknown;
}

export interface AuditLogOptions {
  storage: Pick<Storage, "log" | "places"> & Partial<Pick<Storage, "newestRows">>;
  /** Removes stored secrets from every text in a value: `vault.redactDeep`. */
  redact(value: unknown): unknown;
  onNotice(problem: Problem): void;
  /** Signs how far the log reaches; without one, lines that are cut off at its end are not noticed. */
  signer?: Signer;
  clock?: Clock;
}

/**
 * The audit log: what was done, one log for each day (UTC). Each line carries a running number (`n`) and the hash of
 * the line before it (`prev`), from one day to the next: a line that is changed, removed or put in breaks the chain.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #clock: Clock;
  readonly #files: AuditFiles;
  readonly #seal: AuditSeal;
  #day = "";
  #file: Log<StoredAuditEvent> | undefined;
  /** Where the chain ends; undefined when it has to be read from the files. */
  #end: ChainEnd | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #failed = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#files = new AuditFiles(options.storage.places.audit);
    const { signer, onNotice } = options;
    this.#seal = new AuditSeal({ files: this.#files, signer, clock: this.#clock, onNotice });
  }

  /**
   * Records events, all in one write. Each may give the time at which it happened as `at`. Never rejects: when a line
   * cannot be written, `onNotice` is called, once. Callers need not wait; `close` waits for writes under way.
   */
  async record(...events: AuditEvent[]): Promise<void> {
    if (events.length === 0) return;
    const at = isoTime(this.#clock);
    const stored = events.map((event) => auditEventSchema.parse(this.#options.redact({ at, ...event })));
    this.#writing = this.#writing
      .then(() => this.#append(at.slice(0, 10), stored))
      .catch((error: unknown) => this.#reportOnce(error));
    await this.#writing;
  }

  /** The events of one day (`YYYY-MM-DD`, UTC), oldest first. */
  async read(day: string): Promise<StoredAuditEvent[]> {
    if (day === this.#day && this.#file) return this.#file.readAll();
    const file = this.#open(day);
    try {
      return await file.readAll();
    } finally {
      await file.close();
    }
  }

  /** Reads the whole log and says whether it is as it was written. @throws PatchbayError READ_FAILED */
  async verify(): Promise<AuditVerdict> {
    await this.seal();
    const { signer, storage } = this.#options;
    const index = (signer && storage.newestRows?.(signer)) ?? null;
    return verifyChain(this.#files, signer, index);
  }

  /** Seals what was recorded so far, when the vault is open. Never rejects. */
  async seal(): Promise<void> {
    await this.#writing;
    await this.#seal.write();
  }

  /** Seals with another key than before, because the person began an empty vault. */
  async sealAnew(): Promise<void> {
    this.#seal.beginAnew();
    await this.seal();
  }

  async close(): Promise<void> {
    await this.seal();
    await this.#file?.close();
    this.#file = undefined;
    this.#day = "";
    this.#end = undefined;
  }

  async #append(day: string, events: StoredAuditEvent[]): Promise<void> {
    const file = this.#fileOf(day);
    let end = this.#end ?? (await this.#findEnd(file).catch(notContinued));
    this.#end = undefined;
    const entries = events.map((event) => {
      const tied = tie(event, end);
      end = tied.end;
      return tied.entry;
    });
    await file.append(...entries);
    this.#end = end;
    this.#seal.reaches(end, day);
  }

  /**
   * Where the chain ends in the files, after a torn last line was mended. When the seal knows of later lines, they were
   * cut off: their numbers stay free, so that the gap is seen.
   */
  async #findEnd(file: Log<StoredAuditEvent>): Promise<ChainEnd> {
    await file.read(await file.size());
    const newest = await this.#files.newest();
    const head = await this.#files.head();
    const sealed = head === null || head === "damaged" ? 0 : head.n;
    if (newest === null) return { n: sealed, hash: "" };
    return { n: Math.max(readLine(newest.text)?.n ?? 0, sealed), hash: hashOf(newest.text) };
  }

  #fileOf(day: string): Log<StoredAuditEvent> {
    if (this.#file && day === this.#day) return this.#file;
    void this.#file?.close();
    this.#day = day;
    this.#file = this.#open(day);
    return this.#file;
  }

  #open(day: string): Log<StoredAuditEvent> {
    return this.#options.storage.log({ place: { kind: "audit", day }, schema: auditEventSchema });
  }

  #reportOnce(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#options.onNotice(toProblem(error, "WRITE_FAILED"));
  }
}

function notContinued(cause: unknown): never {
  const { message, details } = toProblem(cause);
  throw new PatchbayError("WRITE_FAILED", `The audit log could not be continued: ${message}`, {
    details,
    cause,
  });
}
