import { useNow } from "../../../base/i18n/time.ts";

const tickMs = 250;

/** How much longer something on the screen stays valid. */
export interface Countdown {
  /** Whole seconds, rounded up. */
  seconds: number;
  /** The part of the time that is left, from 1 to 0. */
  part: number;
  over: boolean;
}

/** @param until ISO time; null: valid as long as it is shown */
export function useCountdown(from: string, until: string | null): Countdown | null {
  const now = useNow(tickMs);
  if (until === null) return null;
  const end = Date.parse(until);
  const whole = Math.max(1, end - Date.parse(from));
  const left = Math.max(0, end - now);
  return { seconds: Math.ceil(left / 1_000), part: Math.min(1, left / whole), over: left === 0 };
}

/** 31 → "31", 600 → "10:00". */
export function clockText(seconds: number): string {
  if (seconds < 100) return String(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** 31 → "31 s", 600 → "10:00 min". */
export function lengthText(seconds: number): string {
  return `${clockText(seconds)} ${seconds < 100 ? "s" : "min"}`;
}
