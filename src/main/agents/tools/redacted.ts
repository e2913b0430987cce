import { isNamedLikeSecret } from "../../base/private-names.ts";
import type { SecretLookup } from "../ports.ts";
import { redactDeep } from "../redact.ts";
import type { Ending } from "./tool-call.ts";

/** What stands in the place of a secret. */
const MASK = "•••";

/**
 * Which parts of a call held something private, for the audit: names of arguments, and `result` or `problem` where the
 * mark of a secret stands in what came back. Nothing of the values is told. It is read from what is recorded, so that a
 * turn that is run again from its record says the same; whoever writes the mark without a secret is taken at its word.
 */
export function redactedIn(
  args: Record<string, unknown>,
  { output, problem }: Ending,
  secrets: Pick<SecretLookup, "redact" | "hasNone">,
): { redacted?: string[] } {
  const isMasked = (value: unknown) => JSON.stringify(value)?.includes(MASK) === true;
  const isPrivate = ([name, value]: [string, unknown]) =>
    (typeof value === "string" && isNamedLikeSecret(name)) || isMasked(redactDeep(value, secrets));
  const redacted = [
    ...Object.entries(args)
      .filter(isPrivate)
      .map(([name]) => `arguments.${name}`),
    ...(isMasked(output) ? ["result"] : []),
    ...(isMasked(problem) ? ["problem"] : []),
  ];
  return redacted.length > 0 ? { redacted } : {};
}
