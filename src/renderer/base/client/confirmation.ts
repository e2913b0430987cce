import { ORPCError } from "@orpc/client";
import type { ConfirmationAsked } from "../../../contract/access.ts";
import { isObject } from "../../../contract/is-object.ts";

/** Asks the person for their word. Resolves with whether they gave it. */
export type AskPerson = (asked: ConfirmationAsked) => Promise<boolean>;

let ask: AskPerson | null = null;
let asking: Promise<boolean> | null = null;

/** From now on the person is asked so; null: nobody asks. */
export function askPersonBy(next: AskPerson | null): void {
  ask = next;
}

/**
 * For a call that failed because only the person may make it: asks them, and says whether the call may be made again.
 * Calls that fail meanwhile wait for the same answer.
 */
export async function isConfirmed(error: unknown): Promise<boolean> {
  const asked = askedBy(error);
  if (!asked || !ask) return false;
  asking ??= ask(asked).finally(() => {
    asking = null;
  });
  return asking;
}

function askedBy(error: unknown): ConfirmationAsked | null {
  if (!(error instanceof ORPCError) || error.code !== "CONFIRMATION_NEEDED") return null;
  const details = isObject(error.data) ? error.data.details : undefined;
  const isAsked = isObject(details) && Array.isArray(details.ways) && details.ways.length > 0;
  return isAsked ? (details as unknown as ConfirmationAsked) : null;
}
