import { isNamedLikeSecret } from "../../base/private-names.ts";
import type { SecretLookup } from "../ports.ts";
import { redactDeep } from "../redact.ts";
import type { Ending } from "./tool-call.ts";

/**
 * Which parts of a call held something private, for the audit: names of arguments, and `result` or `problem` where a
 * stored secret was taken out of what came back. Nothing of the values is told.
 */
export function redactedIn(
  args: Record<string, unknown>,
  raw: Ending,
  clean: Ending,
  secrets: Pick<SecretLookup, "redact" | "hasNone">,
): { redacted?: string[] } {
  const isPrivate = ([name, value]: [string, unknown]) =>
    (typeof value === "string" && isNamedLikeSecret(name)) ||
    (secrets.hasNone !== true && JSON.stringify(redactDeep(value, secrets)) !== JSON.stringify(value));
  const redacted = [
    ...Object.entries(args)
      .filter(isPrivate)
      .map(([name]) => `arguments.${name}`),
    ...(["output", "problem"] as const)
      .filter(
        (part) => raw[part] !== clean[part] && JSON.stringify(raw[part]) !== JSON.stringify(clean[part]),
      )
      .map((part) => (part === "output" ? "result" : part)),
  ];
  return redacted.length > 0 ? { redacted } : {};
}
