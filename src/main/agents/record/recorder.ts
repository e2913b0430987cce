import type { LiveFact, RecordEvent, RecordFact } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";

/** Log lines and progress reports that one turn may have in its record; more are counted. */
const MOST_NOISE = 5_000;

/** Where the events of a turn go as they happen. */
export interface RecordSink {
  /** `turn` is everything recorded so far, this event the last of it. */
  take(event: RecordEvent, turn: readonly RecordEvent[]): void;
  /** What is streamed and not kept. */
  stream(turnId: string, fact: LiveFact): void;
}

/**
 * The one place where what happens in a turn is told. It gives each event its number, place and time and hands it on;
 * transcript, live stream, traces and audit are made from the events. Recording is a push: what costs time (redacting,
 * hashing, writing) is done later by whoever takes the events.
 */
export class TurnRecorder {
  /** Null outside of turns. */
  readonly turnId: string | null;
  /** The turn itself. */
  readonly root: Span;
  readonly events: RecordEvent[] = [];
  private readonly clock: Clock;
  private readonly sink: RecordSink;
  /** What the measuring clock is behind the time of day. */
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
    // Facts have many shapes, and a spread would look at each of their fields anew.
    const event = Object.assign(place, fact) as RecordEvent;
    this.events.push(event);
    this.sink.take(event, this.events);
    return event;
  }

  /** When the newest event was; what is measured here is the same when the turn is run again. */
  get lastAt(): number {
    return this.events.at(-1)?.at ?? this.time();
  }

  /** Events that a plugin makes as many of as it likes. */
  recordNoise(span: Span, fact: RecordFact & { type: "log" | "tool_progress" }): void {
    const { noise } = this;
    if (noise.logs + noise.progress < MOST_NOISE) this.record(span, fact);
    if (fact.type === "log") noise.logs += 1;
    else noise.progress += 1;
  }

  /** Says how much noise was left out, if any was. */
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

  /** Milliseconds since 1970, as fine as the measuring clock; it follows the time of day when that is set. */
  private time(): number {
    const { clock } = this;
    const ticks = clock.ticks();
    const now = clock.now();
    if (Math.abs(this.origin + ticks - now) > 1_000) this.origin = now - ticks;
    return Math.round((this.origin + ticks) * 1_000) / 1_000;
  }
}

/** A stretch of a turn: the turn, a model call, a tool call, a hook. */
export class Span {
  readonly recorder: TurnRecorder;
  readonly id: string;
  readonly parentId: string | null;

  constructor(recorder: TurnRecorder, id: string, parentId: string | null) {
    this.recorder = recorder;
    this.id = id;
    this.parentId = parentId;
  }

  /** How a call into a plugin names it; nulls outside of turns. */
  get place(): { turnId: string | null; spanId: string | null } {
    const { turnId } = this.recorder;
    return { turnId, spanId: turnId === null ? null : this.id };
  }

  record(fact: RecordFact): RecordEvent {
    return this.recorder.record(this, fact);
  }

  /** A stretch within this one. */
  child(): Span {
    return this.recorder.nextSpan(this);
  }
}
