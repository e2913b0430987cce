import type { Agents } from "../agents/index.ts";
import type { InstallJobs } from "../catalog/index.ts";
import type { Platform } from "../platform/platform.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import type { AgentPlugins, AgentStore, PluginRegistry, SettingsStore } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import type { Places } from "../store/index.ts";
import type { LoadChecks } from "../views/load-checks.ts";
import type { Notices } from "../views/notices.ts";
import type { Views } from "../views/views.ts";

/** What a report and the checks of the doctor look at. */
export interface DiagnosticsSources {
  readonly platform: Pick<Platform, "version" | "shell" | "bundleDir" | "downloads">;
  readonly places: Places;
  readonly startedAt: string;
  readonly settings: SettingsStore;
  readonly vault: Vault;
  readonly registry: PluginRegistry;
  readonly agents: AgentStore;
  readonly agentPlugins: AgentPlugins;
  readonly pool: PluginPool;
  readonly jobs: InstallJobs;
  readonly work: Agents;
  readonly notices: Notices;
  readonly loadChecks: LoadChecks;
  readonly views: Views;
}
