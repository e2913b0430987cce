import { isSecretAnswer, type LogEntry, type RecordEvent, type RecordFact } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { RunNote } from "../../pool/ports.ts";
import type { DialogStep } from "../dialogs.ts";
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
  private readonly onEnded: ((place: RecordPlace, turn: readonly RecordEvent[]) => void) | undefined;
  private readonly running = new Map<string, { recorder: TurnRecorder; agentId: string }>();

  /** @param options.onEnded called with all events of a turn when it has ended */
  constructor(options: { clock: Clock; audit: AuditSink; onEnded?: Recording["onEnded"] }) {
    this.clock = options.clock;
    this.audit = options.audit;
    this.onEnded = options.onEnded;
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
          if (event.type !== "turn_ended") return;
          this.running.delete(turnId);
          this.onEnded?.(place, turn);
        },
        stream: (id, fact) => sink.stream(id, fact),
      },
    });
    this.running.set(turnId, { recorder, agentId: place.agentId });
    return recorder;
  }

  /**
   * A span for a call or an event outside of turns. It is kept in the audit alone.
   * @param also told each event, with all up to it
   */
  outside(place: RecordPlace, also?: RecordSink["take"]): Span {
    const { audit, clock } = this;
    return new TurnRecorder({ turnId: null, clock, sink: new AuditOnly(audit, place, also) }).root;
  }

  /**
   * Adds a plugin's log line to the record of the turn during which it was written. A line that arrives after the turn
   * is dropped.
   */
  log(owner: string, { call, level, origin, text }: LogEntry): void {
    if (!call) return;
    const span = this.spanOf(call);
    span?.recorder.recordNoise(span, { type: "log", owner, level, origin, text });
  }

  /** Adds a question that was asked in the middle of a call, or its answer, to the record of the call's turn. */
  dialog({ dialog, during, over }: DialogStep): void {
    const span = this.spanOf(during);
    if (!span) return;
    const { id: dialogId, pluginKey, question } = dialog;
    const owner = dialog.about ? null : pluginKey;
    if (!over) {
      span.record({ type: "dialog_asked", dialogId, owner, question });
      return;
    }
    const isSecret = isSecretAnswer(question, over.answer);
    span.record({
      type: "dialog_answered",
      dialogId,
      owner,
      answer: isSecret ? null : over.answer,
      ...(isSecret && { secret: true }),
      end: over.end,
      answeredBy: over.by,
    });
  }

  /** Adds what the agent's model was asked for a plugin, and answered, to the record of the call's turn. */
  modelLent(during: DialogStep["during"], fact: RecordFact & { type: "model_lent" }): void {
    this.spanOf(during)?.record(fact);
  }

  /** Adds what became of a plugin to the records of the agent's turns that run. */
  pluginRan({ agentId, pluginKey: owner, what, version, ms, reason, problem }: RunNote): void {
    for (const turn of this.running.values()) {
      if (turn.agentId !== agentId) continue;
      turn.recorder.root.record({
        type: "plugin_ran",
        owner,
        what,
        ...(version !== undefined && { version }),
        ...(ms !== undefined && { ms }),
        ...(reason !== undefined && { reason }),
        ...(problem !== undefined && { problem }),
      });
    }
  }

  /** The span of a call, as long as its turn runs. */
  private spanOf({ turnId, spanId }: DialogStep["during"]): Span | undefined {
    const recorder = turnId === null ? undefined : this.running.get(turnId)?.recorder;
    const known = recorder?.events.findLast((event) => event.spanId === spanId);
    return recorder && known && new Span(recorder, known.spanId, known.parentId);
  }
}

/** The sink for events outside of turns. */
class AuditOnly implements RecordSink {
  private readonly audit: AuditSink;
  private readonly place: RecordPlace;
  private readonly also: RecordSink["take"] | undefined;

  constructor(audit: AuditSink, place: RecordPlace, also: RecordSink["take"] | undefined) {
    this.audit = audit;
    this.place = place;
    this.also = also;
  }

  take(event: RecordEvent, turn: readonly RecordEvent[]): void {
    tellAudit(this.audit, event, turn, this.place);
    this.also?.(event, turn);
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
