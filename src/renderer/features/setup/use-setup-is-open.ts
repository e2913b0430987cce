import { rowId, useMirror } from "../../store/mirror.ts";

/** Whether a wizard waits for the person, in this window or elsewhere. */
export function useSetupIsOpen(agentId: string, key: string): boolean {
  return useMirror((state) => {
    const setup = state.setups.get(rowId(agentId, key));
    return setup !== undefined && setup.step.kind !== "done";
  });
}
