import type { AgentPluginService } from "../agent-plugins/agent-plugin-service.ts";
import type { HeldPlugins } from "../agent-plugins/held-plugins.ts";
import type { Agents } from "../agents/index.ts";
import type { Catalog, InstallJobs, Uploads } from "../catalog/index.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { Holds } from "../holds/holds.ts";
import type { Platform } from "../platform/platform.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import type { AgentPlugins, AgentStore, PluginRegistry, SettingsStore } from "../registry/index.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import type { SecretService, Vault } from "../secrets/index.ts";
import type { Grants } from "../setup/persist/grants.ts";
import type { PluginCredentials } from "../setup/persist/plugin-credentials.ts";
import type { Setups } from "../setup/setups.ts";
import type { AuditLog, Places, Storage } from "../store/index.ts";
import type { AppEvents } from "../views/app-events.ts";
import type { AppEntities } from "../views/entities.ts";
import type { LoadChecks } from "../views/load-checks.ts";
import type { Notices } from "../views/notices.ts";
import type { AppValues } from "../views/values.ts";
import type { Views } from "../views/views.ts";

/** Everything that a procedure of the contract may ask for. The router alone has all of it; each area takes what it needs. */
export interface Services {
  readonly platform: Platform;
  readonly places: Places;
  /** Tells how much space is used. The stored things themselves are reached through the services below. */
  readonly storage: Pick<Storage, "usedSpace">;
  readonly startedAt: string;
  readonly runtimes: readonly PluginRuntime[];
  readonly settings: SettingsStore;
  readonly vault: Vault;
  /** Changes what is in the vault for a person, and notes it in the audit log. */
  readonly secretService: SecretService;
  readonly audit: AuditLog;
  readonly registry: PluginRegistry;
  readonly agents: AgentStore;
  readonly agentPlugins: AgentPlugins;
  /** Changes the rows of `agentPlugins`, with their secrets and what runs for them. */
  readonly agentPluginService: AgentPluginService;
  readonly pool: PluginPool;
  readonly catalog: Catalog;
  readonly jobs: InstallJobs;
  readonly uploads: Uploads;
  /** Agents at work: conversations, turns, tools, hooks, commands, questions. */
  readonly work: Agents;
  /** The setup wizards that are open. */
  readonly setups: Setups;
  readonly grants: Grants;
  readonly credentials: PluginCredentials;
  readonly diagnostics: Diagnostics;
  readonly notices: Notices;
  /** What keeps switched-on plugins off: safe mode, or the search for a problem. */
  readonly holds: Holds;
  /** Changes `holds` for a person, with what runs. */
  readonly heldPlugins: HeldPlugins;
  readonly loadChecks: LoadChecks;
  readonly views: Views;
  /** Reads the items that are announced to screens. */
  readonly entities: AppEntities;
  /** Reads the values that exist once. */
  readonly values: AppValues;
  readonly events: AppEvents;
  /** Resolves when the agent's plugins with hooks, commands or channels have started or failed to. */
  ready(agentId: string): Promise<void>;
}

/** The few services that one area of procedures takes. */
export type Needs<Names extends keyof Services> = Pick<Services, Names>;
