import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import { Catalog, InstallJobs, type InstallJobsOptions, Uploads } from "../../catalog/index.ts";

type InstallingNeeds = Omit<InstallJobsOptions, "limits" | "gone"> & {
  owner: Pick<AgentPluginService, "gone">;
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
  const jobs = new InstallJobs({ ...needs, gone: owner.gone });
  stack.defer(() => jobs.close());
  return { catalog, jobs, uploads: new Uploads({ places: needs.storage.places, jobs }) };
}
