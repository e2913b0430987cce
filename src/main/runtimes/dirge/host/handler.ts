import { Closure, JBuffer, Kw, Native, Sym, type Value } from "@patchbay/janet";

/** What a plugin names as the one that handles something: a function by its name, or the function itself. */
export type Handler = { name: string } | { fn: Closure | Native };

/** @returns null for what can be neither */
export function handlerOf(value: Value): Handler | null {
  if (typeof value === "string") return { name: value };
  if (value instanceof Sym || value instanceof Kw) return { name: value.name };
  if (value instanceof JBuffer) return { name: value.text() };
  if (value instanceof Closure || value instanceof Native) return { fn: value };
  return null;
}
