import { z } from "zod";
import { type CallDay, callDaySchema, type InstanceView } from "../../../contract/index.ts";
import { localDay } from "../../../contract/shown/local-day.ts";
import { type Clock, isoOf } from "../../base/clock.ts";

/** Of so many calls it is kept how long they took. */
const KEPT = 200;
const DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

/** Figures as they are stored; at most about four kilobytes. */
export const storedFiguresSchema = z.object({
  count: z.number().int(),
  failed: z.number().int(),
  since: z.iso.datetime().nullable(),
  /** How long the last calls took in milliseconds, the oldest first. */
  durations: z.array(z.number()).max(KEPT),
  days: z.array(callDaySchema).max(DAYS),
  startMs: z.number().nullable(),
  restarts: z.number().int(),
});
export type StoredFigures = z.infer<typeof storedFiguresSchema>;

/** The view of what was never called. */
export const noCalls: Readonly<InstanceView["calls"]> = {
  count: 0,
  failed: 0,
  p50Ms: null,
  p95Ms: null,
  since: null,
  days: [],
};

/** What is counted of one (agent, plugin): its calls, how long the last 200 took, its last start and its restarts. */
export class Figures {
  readonly #clock: Pick<Clock, "now">;
  readonly #changed: () => void;
  /** A ring, made with the first call: most plugins are never called. */
  #durations: Float64Array | null = null;
  #added = 0;
  #count = 0;
  #failed = 0;
  #since: string | null = null;
  #days: CallDay[] = [];
  #startMs: number | null = null;
  #restarts = 0;

  /** @param changed called after each change; it has to be cheap */
  constructor(clock: Pick<Clock, "now">, changed: () => void = () => {}, stored?: StoredFigures) {
    this.#clock = clock;
    this.#changed = changed;
    if (stored) this.#restore(stored);
  }

  /** Nothing was counted. */
  get isEmpty(): boolean {
    return this.#count === 0 && this.#startMs === null && this.#restarts === 0;
  }

  /** How long the last start took, in milliseconds. */
  get startMs(): number | null {
    return this.#startMs;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Counts a call. @param ms duration in milliseconds */
  add(ms: number, failed: boolean): void {
    this.#since ??= isoOf(this.#clock.now());
    this.#durations ??= new Float64Array(KEPT);
    this.#durations[this.#added % KEPT] = ms;
    this.#added += 1;
    this.#count += 1;
    const today = this.#today();
    today.count += 1;
    if (failed) {
      this.#failed += 1;
      today.failed += 1;
    }
    this.#changed();
  }

  started(ms: number): void {
    this.#startMs = ms;
    this.#changed();
  }

  restarted(): void {
    this.#restarts += 1;
    this.#changed();
  }

  /** Begins anew, because the plugin or what it kept was removed. Nobody is told. */
  clear(): void {
    this.#durations = null;
    this.#added = 0;
    this.#count = 0;
    this.#failed = 0;
    this.#since = null;
    this.#days = [];
    this.#startMs = null;
    this.#restarts = 0;
  }

  view(): InstanceView["calls"] {
    if (this.#count === 0) return noCalls;
    const sorted = Float64Array.from(this.#last()).sort();
    return {
      count: this.#count,
      failed: this.#failed,
      p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95),
      since: this.#since,
      days: this.#recentDays(),
    };
  }

  toStored(): StoredFigures {
    return {
      count: this.#count,
      failed: this.#failed,
      since: this.#since,
      durations: this.#last().map(rounded),
      days: this.#recentDays(),
      startMs: this.#startMs === null ? null : rounded(this.#startMs),
      restarts: this.#restarts,
    };
  }

  #restore({ durations, days, ...stored }: StoredFigures): void {
    if (durations.length > 0) {
      this.#durations = new Float64Array(KEPT);
      this.#durations.set(durations);
    }
    this.#added = durations.length;
    this.#count = stored.count;
    this.#failed = stored.failed;
    this.#since = stored.since;
    this.#days = days.map((day) => ({ ...day }));
    this.#startMs = stored.startMs;
    this.#restarts = stored.restarts;
  }

  /** The durations in the order of the calls. */
  #last(): number[] {
    const ring = this.#durations ?? new Float64Array();
    if (this.#added <= KEPT) return [...ring.subarray(0, this.#added)];
    const oldest = this.#added % KEPT;
    return [...ring.subarray(oldest), ...ring.subarray(0, oldest)];
  }

  /** The entry of today. The clock may have been set back, so it need not be the last one. */
  #today(): CallDay {
    const day = localDay(this.#clock.now());
    const last = this.#days.at(-1);
    if (last?.day === day) return last;
    const known = this.#days.find((each) => each.day === day);
    if (known) return known;
    const made = { day, count: 0, failed: 0 };
    this.#days = [...this.#days, made].sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS);
    return made;
  }

  /** Copies, because the entries go on counting. */
  #recentDays(): CallDay[] {
    const first = localDay(this.#clock.now() - (DAYS - 1) * DAY_MS);
    return this.#days.filter(({ day }) => day >= first).map((day) => ({ ...day }));
  }
}

function percentile(sorted: Float64Array, share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : rounded(value);
}

/** Microseconds are enough. */
function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
