import { createHash } from "node:crypto";

/** The idempotency id of a message: 22 characters of `A-Za-z0-9_-`, the same at each try. */
export function pieceId(entryId: string, index: number): string {
  return createHash("sha256").update(`${entryId}\n${index}`).digest("base64url").slice(0, 22);
}
