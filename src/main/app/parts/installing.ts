import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import { Catalog, InstallJobs, type InstallJobsOptions, Uploads } from "../../catalog/index.ts";

type InstallingNeeds = Omit<InstallJobsOptions, "limits" | "onUninstall"> & {
  owner: Pick<AgentPluginService, "keepGone">;
};

export interface Installing {
  catalog: Catalog;
  jobs: InstallJobs;
  uploads: Uploads;
}

/** What can be installed, and the jobs that do it. */
export function openInstalling(
  { owner, ...needs }: InstallingNeeds,
  stack: AsyncDisposableStack,
): Installing {
  const catalog = new Catalog(needs);
  stack.defer(() => catalog.close());
  const jobs = new InstallJobs({ ...needs, onUninstall: (plugin) => owner.keepGone(plugin) });
  stack.defer(() => jobs.close());
  return { catalog, jobs, uploads: new Uploads({ places: needs.storage.places, jobs }) };
}
