import type { SecretLookup } from "./ports.ts";

/** The same value with every stored secret taken out of its texts; the very same object when there was none. */
export function redactDeep<T>(value: T, secrets: Pick<SecretLookup, "redact">): T {
  return walk(value, secrets) as T;
}

function walk(value: unknown, secrets: Pick<SecretLookup, "redact">): unknown {
  if (typeof value === "string") return secrets.redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const clean = walk(item, secrets);
      if (clean !== item) {
        copy ??= [...value];
        copy[index] = clean;
      }
    }
    return copy ?? value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const clean = walk(item, secrets);
    if (clean !== item) {
      copy ??= { ...value };
      copy[key] = clean;
    }
  }
  return copy ?? value;
}
