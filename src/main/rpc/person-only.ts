import type { ProcedureMeta } from "../../contract/index.ts";
import type { Caller } from "../authority/index.ts";

/**
 * Has the caller prove that the person wants this call, where the contract says that only they may make it.
 * @param input the input as the procedure's schema made it
 * @throws PatchbayError CONFIRMATION_NEEDED, CONFIRMATION_LOCKED, ABORTED
 */
export async function proveWanted(
  { personOnly = [] }: ProcedureMeta,
  caller: Caller,
  input: unknown,
): Promise<void> {
  for (const { act, when, of } of personOnly) {
    if (of === "programs" && caller.asker.kind !== "program") continue;
    if (when && !when(input)) continue;
    await caller.prove(act);
  }
}
