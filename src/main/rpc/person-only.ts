import type { PersonAct, ProcedureMeta } from "../../contract/index.ts";
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

/**
 * For acts of which only the work itself knows whether they happen: has a program, which may have stolen its token, prove
 * that the person wants it. Undefined for everybody else: a screen shows the person what they do.
 */
export function wordOfPrograms(caller: Caller, act: PersonAct): (() => Promise<void>) | undefined {
  return caller.asker.kind === "program" ? () => caller.prove(act) : undefined;
}
