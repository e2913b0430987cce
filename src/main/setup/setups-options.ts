import type { Plugin, Problem } from "../../contract/index.ts";
import type { Clock } from "../base/clock.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import type { AgentPlugins, AgentStore, PluginRegistry, SettingsStore } from "../registry/index.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import type { Vault } from "../secrets/index.ts";
import type { AuditLog } from "../store/index.ts";
import type { SignsIn } from "./oauth/types.ts";
import type { Grants } from "./persist/grants.ts";
import type { KeepsSetups } from "./persist/keeps-setups.ts";
import type { PluginCredentials } from "./persist/plugin-credentials.ts";

export interface SetupsOptions {
  registry: Pick<PluginRegistry, "get" | "changes">;
  agents: Pick<AgentStore, "get" | "list" | "changes">;
  agentPlugins: Pick<AgentPlugins, "get" | "list" | "set" | "report">;
  /** Keeps what a wizard has finished. */
  owner: KeepsSetups;
  vault: Pick<Vault, "hide" | "resolve" | "redactDeep" | "refuseWhenClosed">;
  credentials: Pick<PluginCredentials, "of" | "read">;
  grants: Pick<Grants, "scopes">;
  pool: Pick<PluginPool, "note" | "view">;
  permissions: Pick<Permissions, "walls">;
  runtimes: readonly PluginRuntime[];
  settings: Pick<SettingsStore, "get">;
  /** The language of each agent's chats. Default: setups are told none. */
  languages?: { of(agentId: string): string };
  audit: Pick<AuditLog, "record">;
  signIn: SignsIn;
  checkIntegrity(plugin: Plugin): Promise<Problem | null>;
  /** False when no page can be opened from here. */
  openUrl(url: string): Promise<boolean>;
  clock?: Clock;
}
