import { z } from "zod";
import { type Problem, toProblem } from "../../contract/errors.ts";
import type { Log, Storage } from "./storage.ts";

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
  storage: Pick<Storage, "log">;
  /** Removes stored secrets from every text in a value: `vault.redactDeep`. */
  redact(value: unknown): unknown;
  onNotice(problem: Problem): void;
}

/** The audit log: what was done, one log for each day (UTC). */
export class AuditLog {
  readonly #options: AuditLogOptions;
  #day = "";
  #file: Log<StoredAuditEvent> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #failed = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /**
   * Records events, all in one write. Each may give the time at which it happened as `at`. Never rejects: when a line
   * cannot be written, `onNotice` is called, once. Callers need not wait; `close` waits for writes under way.
   */
  async record(...events: AuditEvent[]): Promise<void> {
    if (events.length === 0) return;
    const at = new Date().toISOString();
    const stored = events.map((event) => auditEventSchema.parse(this.#options.redact({ at, ...event })));
    this.#writing = this.#fileOf(at.slice(0, 10))
      .append(...stored)
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

  async close(): Promise<void> {
    await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
    this.#day = "";
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
