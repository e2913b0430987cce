import type { AuditSink } from "./ports.ts";

type AuditEvent = Parameters<AuditSink["record"]>[0];

/**
 * Records a moment later, in order: whoever waits for a tool's answer does not wait for the line about it. The line is
 * written while the next call is on its way to its process.
 */
export class LaterAudit implements AuditSink {
  private readonly audit: AuditSink;
  private readonly waiting: AuditEvent[] = [];
  private due: NodeJS.Immediate | undefined;

  constructor(audit: AuditSink) {
    this.audit = audit;
  }

  record(event: AuditEvent): void {
    this.waiting.push(event);
    this.due ??= setImmediate(() => this.flush());
  }

  /** Records what waits, at once. */
  flush(): void {
    clearImmediate(this.due);
    this.due = undefined;
    for (const event of this.waiting.splice(0)) this.audit.record(event);
  }
}
