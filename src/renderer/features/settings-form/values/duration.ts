/** Units of time that a person can choose, in milliseconds, the smallest first. */
export const timeUnits = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export type TimeUnit = keyof typeof timeUnits;

export interface Duration {
  amount: number;
  unit: TimeUnit;
}

const names: Record<string, TimeUnit> = {
  ms: "ms",
  milliseconds: "ms",
  s: "s",
  sec: "s",
  seconds: "s",
  min: "min",
  minutes: "min",
  h: "h",
  hours: "h",
  d: "d",
  days: "d",
};
const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const isoWeeks = /^P(\d+)W$/;

/** The unit of time that a schema names, or null when it names another unit. */
export function timeUnit(name: string | undefined): TimeUnit | null {
  return names[name ?? ""] ?? null;
}

/** `PT1H30M` in milliseconds; null for what has months or years, which have no fixed length, or is no duration. */
export function isoMs(text: string): number | null {
  const weeks = isoWeeks.exec(text);
  if (weeks) return Number(weeks[1]) * 7 * timeUnits.d;
  const parts = iso.exec(text);
  if (!parts || text === "P" || text.endsWith("T")) return null;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return (
    Number(days) * timeUnits.d +
    Number(hours) * timeUnits.h +
    Number(minutes) * timeUnits.min +
    Math.round(Number(seconds) * timeUnits.s)
  );
}

/** In the largest unit in which it is a whole number. `least`: the smallest unit that is offered. */
export function readable(ms: number, least: TimeUnit): Duration {
  const units = (Object.keys(timeUnits) as TimeUnit[]).filter((unit) => timeUnits[unit] >= timeUnits[least]);
  const fitting = ms === 0 ? least : units.findLast((unit) => ms % timeUnits[unit] === 0);
  const unit = fitting ?? least;
  return { amount: ms / timeUnits[unit], unit };
}

/** As a schema of `format: "duration"` wants it. */
export function toIso({ amount, unit }: Duration): string {
  if (!Number.isInteger(amount) || unit === "ms") return `PT${(amount * timeUnits[unit]) / timeUnits.s}S`;
  if (unit === "d") return `P${amount}D`;
  return `PT${amount}${unit === "h" ? "H" : unit === "min" ? "M" : "S"}`;
}
