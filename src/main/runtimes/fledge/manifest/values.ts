import { isObject } from "../../../../contract/is-object.ts";
import type { ManifestProblems } from "../../manifest-problems.ts";

export type Table = Record<string, unknown>;

export function isTable(value: unknown): value is Table {
  return isObject(value) && !(value instanceof Date);
}

/** A text field, or undefined when it is absent; anything else is a problem of the manifest. */
export function readText(
  table: Table,
  name: string,
  field: string,
  problems: ManifestProblems,
): string | undefined {
  const value = table[name];
  if (value === undefined || typeof value === "string") return value;
  problems.add(
    field,
    `\`${field}\` must be a text, but it is ${words(value)}. The plugin's author must correct it.`,
  );
  return undefined;
}

/** A value of a manifest as it is named in a sentence. */
export function words(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty text" : `“${value.slice(0, 80)}”`;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  return value === undefined ? "missing" : "a table";
}
