import { createHash } from "node:crypto";

/** The idempotency id of a message: the same whenever it is tried, at most 22 of `A-Za-z0-9_-`. */
export function pieceId(entryId: string, index: number): string {
  return createHash("sha256").update(`${entryId}\n${index}`).digest("base64url").slice(0, 22);
}
