import type { Clock } from "../../../base/clock.ts";

/**
 * The clock of a replay. It shows the time of the next recorded event, and its timers never fire: the recorded events
 * stand for them.
 */
export class RecordedClock implements Clock {
  private at: number;

  constructor(at: number) {
    this.at = at;
  }

  moveTo(at: number): void {
    this.at = at;
  }

  now(): number {
    return this.at;
  }

  ticks(): number {
    return this.at;
  }

  after(): () => void {
    return () => {};
  }
}
