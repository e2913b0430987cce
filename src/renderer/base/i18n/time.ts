import { useEffect, useState } from "react";
import { i18n } from "./index.ts";

/** Milliseconds as a person reads them: 488 ms, 5.06 s, 3 min. */
export function formatMs(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${formatNumber(ms / 1_000, ms < 10_000 ? 2 : 1)} s`;
  return `${formatNumber(ms / 60_000, 0)} min`;
}

/** Bytes as a person reads them: 812 B, 4.1 MB, 12 MB; with tenths for numbers below `tenthsBelow`. */
export function formatBytes(bytes: number, tenthsBelow = 10): string {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${formatNumber(value, value < tenthsBelow && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** A number in the chosen language, with exactly so many places after the point. */
export function formatNumber(value: number, places: number): string {
  return new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(value);
}

/** Dollars, with as many places as a small sum needs: "$0.00420". */
export function formatCost(dollars: number): string {
  const places = dollars === 0 || dollars >= 1 ? 2 : dollars >= 0.01 ? 3 : 5;
  return `$${formatNumber(dollars, places)}`;
}

/** Day and time in the chosen language. */
export function formatMoment(at: string): string {
  return new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(
    Date.parse(at),
  );
}

/** Since when: the time alone when it was today. */
export function formatSince(at: string, now: number): string {
  if (new Date(at).toDateString() !== new Date(now).toDateString()) return formatMoment(at);
  return new Intl.DateTimeFormat(i18n.language, { timeStyle: "short" }).format(Date.parse(at));
}

/** A count as a person reads it: 10,002. */
export function formatCount(count: number): string {
  return count.toLocaleString(i18n.language);
}

/** From the largest unit to the smallest; the first one that fits is used. */
const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long ago, in words. */
export function formatAgo(at: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1_000));
  if (seconds < 5) return i18n.t("time.justNow");
  const format = new Intl.RelativeTimeFormat(i18n.language, { numeric: "always", style: "short" });
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? (["second", 1] as const);
  return format.format(-Math.floor(seconds / size), unit);
}

export function formatClock(at: string): string {
  const { language } = i18n;
  if (clock?.language !== language) {
    const options = { hour: "numeric", minute: "numeric", second: "numeric", hour12: false } as const;
    clock = { language, format: new Intl.DateTimeFormat(language, options) };
  }
  return clock.format.format(Date.parse(at));
}

/** Kept, because making a formatter takes longer than formatting a screenful of lines. */
let clock: { language: string; format: Intl.DateTimeFormat } | undefined;

/** The time now, drawn again every `everyMs` while it is on the screen. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
