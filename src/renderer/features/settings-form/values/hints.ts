import type { RJSFSchema } from "@rjsf/utils";
import { isObject } from "../../../../contract/is-object.ts";

/** Hints for which JSON Schema has no keyword (`x-patchbay` beside a property). */
export interface Hints {
  kind?: string;
  unit?: string;
  placeholder?: string;
  multiline?: boolean;
  secret?: boolean;
  /** A list among the settings on the top: the value is chosen from it. */
  from?: string;
  /** Nothing works without a value here; the text says so. Read by `contract/shown/of-use.ts`. */
  whenEmpty?: string;
  /** How many entries a list has, for the card; read there, too. */
  count?: { one: string; other: string };
  showWhen?: { field: string; equals: unknown };
}

export function hintsOf(schema: unknown): Hints {
  if (!isObject(schema)) return {};
  const hints = schema["x-patchbay"];
  return isObject(hints) ? (hints as Hints) : {};
}

/** Whether a property is shown, given the present values of its siblings. */
export function isShown(property: unknown, siblings: unknown): boolean {
  const { showWhen } = hintsOf(property);
  if (!isObject(showWhen) || typeof showWhen.field !== "string") return true;
  const value = isObject(siblings) ? siblings[showWhen.field] : undefined;
  return JSON.stringify(value) === JSON.stringify(showWhen.equals);
}

/** A property with only one possible value is kept and not shown. */
export function isFixed(property: unknown): boolean {
  return isObject(property) && "const" in property;
}

export type PathKind = "file" | "folder";

export function pathKind(schema: RJSFSchema): PathKind | null {
  const said = hintsOf(schema).kind ?? schema.format;
  if (said === "file" || said === "file-path") return "file";
  return said === "folder" || said === "directory" || said === "directory-path" ? "folder" : null;
}

/**
 * What can be chosen for a value that comes `from` a list of the settings: each entry up to its first space, since what
 * follows is a key or a password.
 */
export function choicesFrom(settings: unknown, list: string): string[] {
  const entries: unknown = isObject(settings) ? settings[list] : undefined;
  const names = Array.isArray(entries)
    ? entries.map(
        (entry) =>
          String(entry ?? "")
            .trim()
            .split(/\s+/)[0] ?? "",
      )
    : [];
  return [...new Set(names)].filter((name) => name !== "");
}
