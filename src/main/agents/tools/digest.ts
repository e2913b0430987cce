import { createHash } from "node:crypto";
import { isObject } from "../../../contract/is-object.ts";

/** A digest over arguments that does not depend on the order of their keys. */
export function digestOf(tool: string, input: Record<string, unknown>): string {
  return createHash("sha256").update(tool).update("\0").update(canonical(input)).digest("hex");
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
      : item,
  );
}
