import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../../contract/index.ts";
import type { Platform } from "../../platform/platform.ts";
import { AgentPlugins, AgentStore, PluginRegistry, SettingsStore } from "../../registry/index.ts";
import { withoutForeignParts, withSettingsPaths } from "../../runtimes/native/older-rows.ts";
import { Vault } from "../../secrets/index.ts";
import { AuditLog, acquireHomeLock } from "../../store/index.ts";

/** Everything that is kept from one start to the next. */
export interface State {
  settings: SettingsStore;
  vault: Vault;
  audit: AuditLog;
  registry: PluginRegistry;
  agents: AgentStore;
  agentPlugins: AgentPlugins;
  isFirstStart: boolean;
}

/**
 * Opens what is kept; the lock is let go last.
 *
 * @throws PatchbayError HOME_IN_USE, STATE_FILE_NEWER, READ_FAILED
 */
export async function openState(
  { home, keychain }: Platform,
  stack: AsyncDisposableStack,
  onNotice: (problem: Problem) => void,
): Promise<State> {
  const lock = acquireHomeLock(home);
  stack.defer(() => lock.release());
  const isFirstStart = !existsSync(join(home, "agents"));
  const settings = new SettingsStore({ home, onNotice });
  const passphrase = process.env.PATCHBAY_PASSPHRASE;
  const vault = await Vault.open({ home, keychain, passphrase, onNotice });
  stack.defer(() => vault.close());
  const audit = new AuditLog({ home, redact: (value) => vault.redactDeep(value), onNotice });
  stack.defer(() => audit.close());
  stack.defer(() => settings.close());
  const registry = new PluginRegistry({ home, onNotice, upgrade: withSettingsPaths });
  stack.defer(() => registry.close());
  const agents = new AgentStore({ home, onNotice });
  stack.defer(() => agents.close());
  const agentPlugins = new AgentPlugins({
    home,
    onNotice,
    upgrade: withoutForeignParts((key) => registry.get(key)?.runtime),
  });
  stack.defer(() => agentPlugins.close());
  return { settings, vault, audit, registry, agents, agentPlugins, isFirstStart };
}
