import { PatchbayError } from "../../../contract/index.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AgentStore } from "../../registry/index.ts";
import { backUp, bringIn, parseSecrets, restore, type Vault } from "../../secrets/index.ts";
import { type AuditLog, saveNew } from "../../store/index.ts";
import { type VaultSources, vaultStatus } from "../../views/values.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

export interface SecretNeeds {
  vault: Vault;
  views: Pick<Views, "secrets" | "missingSecrets">;
  agents: Pick<AgentStore, "get">;
  audit: Pick<AuditLog, "record">;
  platform: VaultSources["platform"] & Pick<Platform, "downloads">;
}

export function secretProcedures({ vault, views, agents, audit, platform }: SecretNeeds) {
  const area = procedures.secrets;
  const status = () => vaultStatus({ vault, platform });
  const refuseUnknown = (agentId: string | null) => {
    if (agentId !== null && !agents.get(agentId))
      throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent with the id ${agentId}.`);
  };
  return {
    list: area.list.handler(() => views.secrets()),
    missing: area.missing.handler(() => views.missingSecrets()),
    vault: area.vault.handler(status),
    set: area.set.handler(async ({ input: { name, value, agentId } }) => {
      refuseUnknown(agentId);
      await vault.set(name, agentId, value);
      audit.record({ kind: "secret.set", name, ...(agentId !== null && { agentId }) });
      return done;
    }),
    remove: area.remove.handler(async ({ input: { name, agentId } }) => {
      await vault.remove(name, agentId);
      audit.record({ kind: "secret.removed", name, ...(agentId !== null && { agentId }) });
      return done;
    }),
    import: area.import.handler(async ({ input: { text, agentId, replace } }) => {
      refuseUnknown(agentId);
      const broughtIn = await bringIn(vault, parseSecrets(text), agentId, replace);
      audit.record({
        kind: "secret.imported",
        names: broughtIn.stored,
        ...(agentId !== null && { agentId }),
      });
      return broughtIn;
    }),
    unlock: area.unlock.handler(async ({ input: { passphrase } }) => {
      await vault.unlock(passphrase);
      audit.record({ kind: "secret.unlocked" });
      return status();
    }),
    retry: area.retry.handler(async () => {
      await vault.retry();
      return status();
    }),
    startOver: area.startOver.handler(async () => {
      const setAside = await vault.startOver();
      audit.record({ kind: "secret.started_over", setAside });
      return { setAside, vault: status() };
    }),
    setPassphrase: area.setPassphrase.handler(async ({ input: { passphrase, askAtStart } }) => {
      await vault.setPassphrase(passphrase, askAtStart);
      const kind = passphrase === null ? "secret.passphrase_removed" : "secret.passphrase_set";
      audit.record({ kind, ...(passphrase !== null && { askAtStart }) });
      return status();
    }),
    backup: area.backup.handler(async ({ input: { passphrase, save } }) => {
      const fileName = `patchbay-secrets-${new Date().toISOString().slice(0, 10)}.backup`;
      const backup = await backUp(vault, passphrase);
      const path = save && platform.downloads ? await saveNew(platform.downloads, fileName, backup) : null;
      audit.record({ kind: "secret.backed_up" });
      return { fileName, backup: path === null ? backup : "", path };
    }),
    restore: area.restore.handler(async ({ input: { backup, passphrase, replace } }) => {
      const restored = await restore(vault, backup, passphrase, replace);
      audit.record({ kind: "secret.restored", names: restored.stored });
      return restored;
    }),
  };
}
