import type { Run } from "./run.ts";

/**
 * Milliseconds between two beats. Silence is measured in beats and not in time, so that no plugin is killed because the
 * computer was asleep.
 */
export const BEAT_MS = 1_000;
const SILENT_BEATS = 3;
const DEAD_BEATS = 10;
/** After this many beats a host is asked for its memory, even when it has sent other messages. */
const MEMORY_BEATS = 5;

export interface HeartbeatEvents {
  silent(): void;
  answered(): void;
  dead(): void;
  /** The process's memory has changed by more than a twentieth since the last report. */
  memory(): void;
}

/** Pings one started plugin once a second while it sends nothing, to find out whether it still responds. */
export class Heartbeat {
  readonly #run: Run;
  readonly #events: HeartbeatEvents;
  readonly #ended = new AbortController();
  #waiting = 0;
  #beats = 0;
  notResponding = false;

  constructor(run: Run, events: HeartbeatEvents) {
    this.#run = run;
    this.#events = events;
    this.#ask();
  }

  /** Called once a second. */
  beat(): void {
    this.#beats += 1;
    if (this.#waiting > 0) this.#keepWaiting();
    else if (!this.#run.heard || this.#beats % MEMORY_BEATS === 0) this.#ask();
    this.#run.heard = false;
  }

  stop(): void {
    this.#ended.abort();
  }

  #keepWaiting(): void {
    this.#waiting += 1;
    if (this.#waiting === SILENT_BEATS + 1) {
      this.notResponding = true;
      this.#events.silent();
    }
    if (this.#waiting === DEAD_BEATS + 1) this.#events.dead();
  }

  #ask(): void {
    this.#waiting = 1;
    this.#run.instance.ping(this.#ended.signal).then(
      ({ memoryBytes }) => this.#answered(memoryBytes),
      // The process ended meanwhile; its exit is handled elsewhere.
      () => {},
    );
  }

  #answered(memoryBytes: number): void {
    this.#waiting = 0;
    const before = this.#run.memoryBytes;
    this.#run.memoryBytes = memoryBytes;
    if (this.notResponding) {
      this.notResponding = false;
      this.#events.answered();
    }
    if (before === null || Math.abs(memoryBytes - before) > before / 20) this.#events.memory();
  }
}
