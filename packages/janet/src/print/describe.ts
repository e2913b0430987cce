import type { Value } from "../values/value.ts";

/** A value as an error message shows it (`%v`). */
export function show(value: Value): string {
  return String(value);
}
