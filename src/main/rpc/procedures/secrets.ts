import type { SecretService, Vault } from "../../secrets/index.ts";
import { type VaultSources, vaultStatus } from "../../views/values.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

export interface SecretNeeds {
  vault: VaultSources["vault"] & Pick<Vault, "retry">;
  secrets: SecretService;
  views: Pick<Views, "secrets" | "missingSecrets">;
  platform: VaultSources["platform"];
}

export function secretProcedures({ vault, secrets, views, platform }: SecretNeeds) {
  const area = procedures.secrets;
  const status = () => vaultStatus({ vault, platform });
  return {
    list: area.list.handler(() => views.secrets()),
    missing: area.missing.handler(() => views.missingSecrets()),
    vault: area.vault.handler(status),
    set: area.set.handler(({ input: { name, value, agentId } }) =>
      secrets.set(name, agentId, value).then(() => done),
    ),
    remove: area.remove.handler(({ input: { name, agentId } }) =>
      secrets.remove(name, agentId).then(() => done),
    ),
    import: area.import.handler(({ input: { text, agentId, replace } }) =>
      secrets.import(text, agentId, replace),
    ),
    unlock: area.unlock.handler(({ input }) => secrets.unlock(input.passphrase).then(status)),
    retry: area.retry.handler(() => vault.retry().then(status)),
    startOver: area.startOver.handler(async () => ({
      setAside: await secrets.startOver(),
      vault: status(),
    })),
    setPassphrase: area.setPassphrase.handler(({ input: { passphrase, askAtStart } }) =>
      secrets.setPassphrase(passphrase, askAtStart).then(status),
    ),
    backup: area.backup.handler(({ input: { passphrase, save } }) => secrets.backUp(passphrase, save)),
    restore: area.restore.handler(({ input: { backup, passphrase, replace } }) =>
      secrets.restore(backup, passphrase, replace),
    ),
  };
}
