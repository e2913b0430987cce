import type { Clock } from "../../base/clock.ts";

/** A clock that stands at the time of the next recorded event. Nothing is ever due by itself. */
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
