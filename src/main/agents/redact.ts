import type { SecretLookup } from "./ports.ts";

/** The same value with every stored secret taken out of its texts; the very same object when there was none. */
export function redactDeep<T>(value: T, secrets: Pick<SecretLookup, "redact" | "hasNone">): T {
  if (secrets.hasNone) return value;
  return walk(value, secrets) as T;
}

function walk(value: unknown, secrets: Pick<SecretLookup, "redact">): unknown {
  if (typeof value === "string") return secrets.redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      const clean = walk(item, secrets);
      if (clean !== item) {
        copy ??= [...value];
        copy[index] = clean;
      }
    }
    return copy ?? value;
  }
  const fields = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(fields)) {
    const item = fields[key];
    const clean = walk(item, secrets);
    if (clean !== item) {
      copy ??= { ...fields };
      copy[key] = clean;
    }
  }
  return copy ?? value;
}
