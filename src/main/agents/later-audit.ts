import { type Clock, isoOf } from "../base/clock.ts";
import type { AuditSink } from "./ports.ts";

type AuditEvent = Parameters<AuditSink["record"]>[number];

/** Milliseconds for which events are gathered. */
const GATHER_MS = 50;

/**
 * Gathers audit events and writes them together, in order, each with the time at which it happened. A tool's answer
 * does not wait for its audit line, and many calls need one write.
 */
export class LaterAudit implements AuditSink {
  private readonly audit: AuditSink;
  private readonly waiting: { at: number; event: AuditEvent }[] = [];
  private readonly clock: Clock;
  private cancel: (() => void) | undefined;

  constructor(audit: AuditSink, clock: Clock) {
    this.audit = audit;
    this.clock = clock;
  }

  record(...events: AuditEvent[]): void {
    const at = this.clock.now();
    for (const event of events) this.waiting.push({ at, event });
    this.cancel ??= this.clock.after(GATHER_MS, () => this.flush());
  }

  /** Records what waits, at once. */
  flush(): void {
    this.cancel?.();
    this.cancel = undefined;
    const due = this.waiting.splice(0);
    if (due.length > 0) {
      this.audit.record(...due.map(({ at, event }) => ({ at: isoOf(at), ...event })));
    }
  }
}
