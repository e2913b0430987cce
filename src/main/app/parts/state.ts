import type { Problem } from "../../../contract/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { AgentPlugins, AgentStore, PluginRegistry, SettingsStore } from "../../registry/index.ts";
import { withoutForeignParts, withSettingsPaths } from "../../runtimes/native/older-rows.ts";
import { IntegrityKey, Vault } from "../../secrets/index.ts";
import { AuditLog, type Lease, openStorage, type Storage, type StoreEngine } from "../../store/index.ts";

/** Everything that is kept from one start to the next. */
export interface State {
  storage: Storage;
  lease: Lease;
  settings: SettingsStore;
  vault: Vault;
  audit: AuditLog;
  registry: PluginRegistry;
  agents: AgentStore;
  agentPlugins: AgentPlugins;
  isFirstStart: boolean;
}

/**
 * Opens the store and everything that is read from it. The lease is released last, so that nobody else writes while
 * this app still does.
 *
 * @throws PatchbayError HOME_IN_USE, STATE_FILE_NEWER, READ_FAILED
 */
export async function openState(
  { store, keychain }: Platform,
  engine: StoreEngine | undefined,
  stack: AsyncDisposableStack,
  onNotice: (problem: Problem) => void,
): Promise<State> {
  const storage = openStorage(store, { engine, onNotice });
  const lease = await storage.leases.acquire();
  stack.defer(() => lease.release());
  const isFirstStart = !storage.agents.any();
  const settings = new SettingsStore({ storage });
  const passphrase = process.env.PATCHBAY_PASSPHRASE;
  const vault = await Vault.open({ storage, keychain, passphrase, onNotice });
  stack.defer(() => vault.close());
  const integrity = await IntegrityKey.open(vault);
  const redact = (value: unknown) => vault.redactDeep(value);
  const audit = new AuditLog({ storage, redact, onNotice, signer: integrity });
  if (passphrase !== undefined && !vault.status().open && vault.failedUnlocks > 0) {
    audit.record({ kind: "vault.unlock_failed", code: "PASSPHRASE_WRONG", failures: vault.failedUnlocks });
  }
  stack.defer(() => audit.close());
  stack.defer(() => settings.close());
  const registry = new PluginRegistry({ storage, upgrade: withSettingsPaths });
  stack.defer(() => registry.close());
  const agents = new AgentStore({ storage });
  stack.defer(() => agents.close());
  const agentPlugins = new AgentPlugins({
    storage,
    onNotice,
    upgrade: withoutForeignParts((key) => registry.get(key)?.runtime),
  });
  stack.defer(() => agentPlugins.close());
  await adopt(integrity, audit);
  return { storage, lease, settings, vault, audit, registry, agents, agentPlugins, isFirstStart };
}

/** The first start with signatures: everything that is there is signed, and from then on must be. */
async function adopt(integrity: IntegrityKey, audit: AuditLog): Promise<void> {
  if (integrity.mode !== "adopting") return;
  audit.record({ kind: "state.adopted" });
  await audit.seal();
  await integrity.adopted();
}
