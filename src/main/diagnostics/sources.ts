import type { Approval, Job } from "../../contract/index.ts";
import type { Platform } from "../platform/platform.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import type { AgentPlugins, AgentStore } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import type { Places } from "../store/index.ts";
import type { Notices } from "../views/notices.ts";
import type { Views } from "../views/views.ts";
import type { DoctorSources } from "./doctor.ts";

/** What a report looks at. The checks of the doctor are in it. */
export interface DiagnosticsSources extends DoctorSources {
  readonly platform: Pick<Platform, "version" | "shell" | "bundleDir" | "downloads">;
  readonly places: Pick<Places, "root" | "audit" | "sessions">;
  readonly startedAt: string;
  readonly vault: Pick<Vault, "status" | "redact" | "list">;
  readonly agents: Pick<AgentStore, "list">;
  readonly agentPlugins: Pick<AgentPlugins, "list">;
  readonly pool: Pick<PluginPool, "logs" | "view">;
  readonly jobs: { list(): Job[] };
  readonly approvals: { list(): Approval[] };
  readonly notices: Pick<Notices, "list">;
  readonly views: Pick<Views, "plugins" | "agentPlugin" | "secrets">;
}
