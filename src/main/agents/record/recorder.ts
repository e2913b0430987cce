import type { LiveFact, RecordEvent, RecordFact } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";

/** Most log lines and progress reports of one turn that are recorded; further ones are only counted. */
const MOST_NOISE = 5_000;

/** Where the events of a turn go as they happen. */
export interface RecordSink {
  /** `turn` is everything recorded so far, this event the last of it. */
  take(event: RecordEvent, turn: readonly RecordEvent[]): void;
  /** An event that is streamed and not stored. */
  stream(turnId: string, fact: LiveFact): void;
}

/**
 * The one place where the events of a turn are reported. It gives each event its number, span and time, and passes it
 * to the sink. Transcript, live stream, traces and audit are made from these events. Recording does nothing slow:
 * redacting, hashing and writing are done later by the sink.
 */
export class TurnRecorder {
  /** Null outside of turns. */
  readonly turnId: string | null;
  /** The span of the turn itself. */
  readonly root: Span;
  readonly events: RecordEvent[] = [];
  private readonly clock: Clock;
  private readonly sink: RecordSink;
  /** The time of day at which the clock's ticks were 0, milliseconds since 1970. */
  private origin: number;
  private spans = 0;
  private noise = { logs: 0, progress: 0 };

  constructor(options: { turnId: string | null; clock: Clock; sink: RecordSink }) {
    this.turnId = options.turnId;
    this.clock = options.clock;
    this.sink = options.sink;
    this.origin = options.clock.now() - options.clock.ticks();
    this.root = new Span(this, "0", null);
  }

  record(span: Span, fact: RecordFact): RecordEvent {
    const { id: spanId, parentId } = span;
    const place = { turnId: this.turnId ?? "", seq: this.events.length, spanId, parentId, at: this.time() };
    // `Object.assign` and not a spread: events have many shapes, and a spread is slower on objects of many shapes.
    const event = Object.assign(place, fact) as RecordEvent;
    this.events.push(event);
    this.sink.take(event, this.events);
    return event;
  }

  /**
   * The time of the newest event, milliseconds since 1970. Durations that are measured from it are the same in a
   * replay.
   */
  get lastAt(): number {
    return this.events.at(-1)?.at ?? this.time();
  }

  /** Records an event of which a plugin can make any number, up to a limit. */
  recordNoise(span: Span, fact: RecordFact & { type: "log" | "tool_progress" }): void {
    const { noise } = this;
    if (noise.logs + noise.progress < MOST_NOISE) this.record(span, fact);
    if (fact.type === "log") noise.logs += 1;
    else noise.progress += 1;
  }

  /** Records how many of those events were left out, if any were. */
  closeNoise(): void {
    const { logs, progress } = this.noise;
    if (logs + progress <= MOST_NOISE) return;
    const kept = { logs: 0, progress: 0 };
    for (const { type } of this.events) {
      if (type === "log") kept.logs += 1;
      if (type === "tool_progress") kept.progress += 1;
    }
    this.record(this.root, { type: "left_out", logs: logs - kept.logs, progress: progress - kept.progress });
  }

  stream(fact: LiveFact): void {
    this.sink.stream(this.turnId ?? "", fact);
  }

  nextSpan(parent: Span): Span {
    this.spans += 1;
    return new Span(this, String(this.spans), parent.id);
  }

  /**
   * Milliseconds since 1970, with the precision of the clock's ticks. Follows the time of day when somebody sets that.
   */
  private time(): number {
    const { clock } = this;
    const ticks = clock.ticks();
    const now = clock.now();
    if (Math.abs(this.origin + ticks - now) > 1_000) this.origin = now - ticks;
    return Math.round((this.origin + ticks) * 1_000) / 1_000;
  }
}

/** A part of a turn: the turn itself, a model call, a tool call, a hook. */
export class Span {
  readonly recorder: TurnRecorder;
  readonly id: string;
  readonly parentId: string | null;

  constructor(recorder: TurnRecorder, id: string, parentId: string | null) {
    this.recorder = recorder;
    this.id = id;
    this.parentId = parentId;
  }

  /** The ids that name this span in a call into a plugin; both null outside of turns. */
  get place(): { turnId: string | null; spanId: string | null } {
    const { turnId } = this.recorder;
    return { turnId, spanId: turnId === null ? null : this.id };
  }

  record(fact: RecordFact): RecordEvent {
    return this.recorder.record(this, fact);
  }

  /** A new span inside this one. */
  child(): Span {
    return this.recorder.nextSpan(this);
  }
}
