import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A program and what a real Janet answered to it; README-janet-truth.md beside the data says what the fields are. */
export interface TruthCase {
  group: string;
  code: string;
  value?: string;
  error?: string;
  phase?: string;
  errorType?: string;
  stdout?: string;
  line?: number;
  column?: number;
}

/** Beside the checkout, or beside the folder of worktrees. */
const places = ["../../../..", "../../../../.."].map((up) =>
  join(import.meta.dirname, up, "shared/data/janet-truth.json"),
);

/** The cases of `JANET_TRUTH`, or of the shared data when that is not set; null when there is no such file. */
export function truthCases(): TruthCase[] | null {
  const file = process.env.JANET_TRUTH ?? places.find((place) => existsSync(place));
  if (file === undefined) return null;
  return (JSON.parse(readFileSync(file, "utf8")) as { cases: TruthCase[] }).cases;
}

/** What a case says of its end, in a form that two of them can be compared in. */
export function outcomeOf(of: Partial<TruthCase>) {
  return {
    value: of.value ?? null,
    error: of.error ?? null,
    phase: of.phase ?? null,
    errorType: of.errorType ?? null,
    stdout: of.stdout ?? null,
  };
}
