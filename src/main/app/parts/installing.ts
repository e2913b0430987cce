import type { Problem } from "../../../contract/index.ts";
import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import { Catalog, InstallJobs, type IntegrityCheck, Uploads } from "../../catalog/index.ts";
import type { Platform } from "../../platform/platform.ts";
import type { PluginPool } from "../../pool/plugin-pool.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";
import type { Storage } from "../../store/index.ts";
import type { State } from "./state.ts";

interface InstallingNeeds extends Pick<State, "registry" | "settings" | "audit"> {
  platform: Platform;
  storage: Storage;
  runtimes: readonly PluginRuntime[];
  pool: PluginPool;
  owner: AgentPluginService;
  checkIntegrity: IntegrityCheck;
  onNotice(problem: Problem): void;
}

/** What can be installed, and the jobs that do it. */
export function openInstalling(
  {
    platform,
    storage,
    registry,
    settings,
    audit,
    runtimes,
    pool,
    owner,
    checkIntegrity,
    onNotice,
  }: InstallingNeeds,
  stack: AsyncDisposableStack,
): { catalog: Catalog; jobs: InstallJobs; uploads: Uploads } {
  const catalog = new Catalog({ storage, platform, registry, settings, runtimes });
  stack.defer(() => catalog.close());
  const jobs = new InstallJobs({
    storage,
    platform,
    registry,
    runtimes,
    pool,
    settings,
    audit,
    checkIntegrity,
    onNotice,
    gone: owner.gone,
  });
  stack.defer(() => jobs.close());
  return { catalog, jobs, uploads: new Uploads({ places: storage.places, jobs }) };
}
