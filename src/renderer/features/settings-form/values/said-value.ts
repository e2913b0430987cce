import { isObject } from "../../../../contract/is-object.ts";
import { i18n } from "../../../base/i18n/index.ts";
import { isoMs, readable, type TimeUnit, timeUnit, timeUnits } from "./duration.ts";
import { hintsOf } from "./hints.ts";

const intlUnits = { ms: "millisecond", s: "second", min: "minute", h: "hour", d: "day" } as const;

/**
 * A value as a person reads it, by its schema: "30 seconds" for `30` with the unit `s` and for `"PT30S"` with the format
 * `duration`. Null where the schema gives it no other words than its own.
 */
export function saidValue(schema: unknown, value: unknown): string | null {
  if (!isObject(schema)) return null;
  const stored = timeUnit(hintsOf(schema).unit);
  if (stored && typeof value === "number") return spoken(value * timeUnits[stored], stored);
  if (schema.format !== "duration" || typeof value !== "string") return null;
  const ms = isoMs(value);
  return ms === null ? null : spoken(ms, "s");
}

function spoken(ms: number, least: TimeUnit): string {
  const { amount, unit } = readable(ms, least);
  return new Intl.NumberFormat(i18n.language, {
    style: "unit",
    unit: intlUnits[unit],
    unitDisplay: "long",
    maximumFractionDigits: 3,
  }).format(amount);
}
