import type { InstanceView } from "../agent-plugin.ts";

/** Whether a plugin has everything that it needs but for the stored secrets, which are locked or cannot be opened. */
export function waitsForVault({ state, reason }: Pick<InstanceView, "state" | "reason">): boolean {
  return state === "needs_setup" && reason?.code === "VAULT_CLOSED";
}
