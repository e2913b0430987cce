import type { LogEntry, RecordEvent } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { auditOf } from "./project-audit.ts";
import { type RecordSink, Span, TurnRecorder } from "./recorder.ts";

/** What takes lines of the audit. */
interface AuditSink {
  record(...events: { kind: string; [detail: string]: unknown }[]): void;
}

/** The agent and session that events belong to. */
export interface RecordPlace {
  agentId: string;
  sessionId: string;
}

/**
 * Makes the recorders of turns, and the spans for what happens outside of them. The audit lines are made from their
 * events.
 */
export class Recording {
  private readonly clock: Clock;
  private readonly audit: AuditSink;
  private readonly running = new Map<string, TurnRecorder>();

  constructor(options: { clock: Clock; audit: AuditSink }) {
    this.clock = options.clock;
    this.audit = options.audit;
  }

  /** The recorder of a turn; `sink` keeps and streams it. */
  begin(turnId: string, place: RecordPlace, sink: RecordSink): TurnRecorder {
    const { clock } = this;
    const recorder = new TurnRecorder({
      turnId,
      clock,
      sink: {
        take: (event, turn) => {
          sink.take(event, turn);
          tellAudit(this.audit, event, turn, place);
          if (event.type === "turn_ended") this.running.delete(turnId);
        },
        stream: (id, fact) => sink.stream(id, fact),
      },
    });
    this.running.set(turnId, recorder);
    return recorder;
  }

  /** A span for a call or an event outside of turns. It is kept in the audit alone. */
  outside(place: RecordPlace): Span {
    const { audit, clock } = this;
    return new TurnRecorder({ turnId: null, clock, sink: new AuditOnly(audit, place) }).root;
  }

  /**
   * Adds a plugin's log line to the record of the turn during which it was written. A line that arrives after the turn
   * is dropped.
   */
  log(owner: string, { call, level, origin, text }: LogEntry): void {
    if (!call) return;
    const { turnId, spanId } = call;
    const recorder = this.running.get(turnId);
    const known = recorder?.events.findLast((event) => event.spanId === spanId);
    if (!recorder || !known) return;
    const span = new Span(recorder, spanId, known.parentId);
    recorder.recordNoise(span, { type: "log", owner, level, origin, text });
  }
}

/** The sink for events outside of turns. */
class AuditOnly implements RecordSink {
  private readonly audit: AuditSink;
  private readonly place: RecordPlace;

  constructor(audit: AuditSink, place: RecordPlace) {
    this.audit = audit;
    this.place = place;
  }

  take(event: RecordEvent, turn: readonly RecordEvent[]): void {
    tellAudit(this.audit, event, turn, this.place);
  }

  stream(): void {}
}

function tellAudit(
  audit: AuditSink,
  event: RecordEvent,
  turn: readonly RecordEvent[],
  place: RecordPlace,
): void {
  const line = auditOf(event, turn, place);
  if (line) audit.record(line);
}
