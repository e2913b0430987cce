import { PatchbayError } from "../../contract/index.ts";
import { done, procedures } from "./implementer.ts";
import type { Services } from "./services.ts";

export function secretProcedures({ vault, views, agents, audit }: Services) {
  const area = procedures.secrets;
  return {
    list: area.list.handler(() => views.secrets()),
    set: area.set.handler(async ({ input: { name, value, agentId } }) => {
      if (agentId !== null && !agents.get(agentId))
        throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent with the id ${agentId}.`);
      await vault.set(name, agentId, value);
      audit.record({ kind: "secret.set", name, ...(agentId !== null && { agentId }) });
      return done;
    }),
    setPassphrase: area.setPassphrase.handler(async ({ input: { passphrase } }) => {
      await vault.setPassphrase(passphrase);
      audit.record({ kind: passphrase === null ? "secret.passphrase_removed" : "secret.passphrase_set" });
      return done;
    }),
    backup: area.backup.handler(async ({ input: { passphrase } }) => {
      const backup = await vault.backup(passphrase);
      audit.record({ kind: "secret.backed_up" });
      return { backup };
    }),
    restore: area.restore.handler(async ({ input: { backup, passphrase, replace } }) => {
      const restored = await vault.restore(backup, passphrase, replace);
      audit.record({ kind: "secret.restored", names: restored.stored });
      return restored;
    }),
    remove: area.remove.handler(async ({ input: { name, agentId } }) => {
      await vault.remove(name, agentId);
      audit.record({ kind: "secret.removed", name, ...(agentId !== null && { agentId }) });
      return done;
    }),
  };
}
