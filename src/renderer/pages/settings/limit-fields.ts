import type { Settings } from "../../../contract/settings.ts";

export type LimitName = keyof Settings["limits"] | "hostMemoryMb";

interface LimitField {
  name: LimitName;
  unit: "seconds" | "milliseconds" | "megabytes";
  /** How much of the stored unit (milliseconds, MiB) one shown unit is. */
  size: number;
  /** In the shown unit: the least that the core accepts, and the default. */
  least: number;
  usual: number;
}

const seconds = (name: LimitName, least: number, usual: number): LimitField => ({
  name,
  unit: "seconds",
  size: 1_000,
  least,
  usual,
});

export const timeFields: LimitField[] = [
  seconds("startMs", 0.1, 20),
  seconds("stopMs", 0.1, 5),
  seconds("drainMs", 0, 5),
  { name: "hookMs", unit: "milliseconds", size: 1, least: 10, usual: 2_000 },
  seconds("toolMs", 0.1, 120),
  seconds("approvalMs", 1, 120),
  seconds("dialogMs", 1, 120),
  seconds("inspectMs", 0.1, 10),
];
export const memoryFields: LimitField[] = [
  { name: "hostMemoryMb", unit: "megabytes", size: 1, least: 32, usual: 256 },
];
export const limitFields = [...timeFields, ...memoryFields];

export type LimitDraft = Record<LimitName, string>;

export function draftOfLimits({ limits, hostMemoryMb }: Settings): LimitDraft {
  const stored = { ...limits, hostMemoryMb };
  return Object.fromEntries(
    limitFields.map(({ name, size }) => [name, String(stored[name] / size)]),
  ) as LimitDraft;
}

/** The value to store for the text in a field, or why the text does not fit. */
export function readLimit(
  field: LimitField,
  text: string,
): { ok: true; value: number } | { ok: false; why: "notNumber" | "least" } {
  const number = Number(text.trim().replace(",", "."));
  if (text.trim() === "" || !Number.isFinite(number)) return { ok: false, why: "notNumber" };
  if (number < field.least) return { ok: false, why: "least" };
  return { ok: true, value: Math.round(number * field.size) };
}
