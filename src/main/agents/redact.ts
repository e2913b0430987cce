import { redactDeep as withoutSecrets } from "../base/redact-deep.ts";
import type { SecretLookup } from "./ports.ts";

/**
 * The same value with every stored secret taken out of its texts, names of fields too; the very same object when there
 * was none.
 */
export function redactDeep<T>(value: T, secrets: Pick<SecretLookup, "redact" | "hasNone">): T {
  return secrets.hasNone ? value : withoutSecrets(value, (text) => secrets.redact(text));
}
