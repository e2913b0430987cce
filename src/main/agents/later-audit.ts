import type { AuditSink } from "./ports.ts";

type AuditEvent = Parameters<AuditSink["record"]>[number];

/** Milliseconds for which events are gathered. */
const GATHER_MS = 50;

/**
 * Gathers events and records them together, in order, with the time at which they happened: a tool's answer does not
 * wait for the line about it, and many calls are one write.
 */
export class LaterAudit implements AuditSink {
  private readonly audit: AuditSink;
  private readonly waiting: { at: number; event: AuditEvent }[] = [];
  private due: NodeJS.Timeout | undefined;

  constructor(audit: AuditSink) {
    this.audit = audit;
  }

  record(...events: AuditEvent[]): void {
    const at = Date.now();
    for (const event of events) this.waiting.push({ at, event });
    this.due ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Records what waits, at once. */
  flush(): void {
    clearTimeout(this.due);
    this.due = undefined;
    const due = this.waiting.splice(0);
    if (due.length > 0) {
      this.audit.record(...due.map(({ at, event }) => ({ at: new Date(at).toISOString(), ...event })));
    }
  }
}
