import type { Job } from "../../../contract/job.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";

interface InstallOptions {
  /** Use the folder in place. */
  link?: boolean;
  registry?: string;
}

/** Begins an installation and shows its job. */
export async function startInstall(spec: string, options: InstallOptions = {}) {
  const job = await beginInstall(spec, options);
  panels.showJob(job.id);
}

/** Begins an installation that is shown where it was begun. */
export async function beginInstall(spec: string, { link = false, registry = "" }: InstallOptions = {}) {
  const job = await rpc.jobs.install({
    spec: spec.trim(),
    link,
    ...(registry.trim() && { registry: registry.trim() }),
  });
  knowJob(job);
  return job;
}

/** Installs a package file of the person's own: its bytes are handed over, then it is a job as any other. */
export async function installFile(file: File): Promise<void> {
  const job = await rpc.jobs.upload({ file });
  knowJob(job);
  panels.showJob(job.id);
}

function knowJob(job: Job): void {
  useMirror.setState((state) =>
    state.jobs.has(job.id) ? state : { jobs: new Map(state.jobs).set(job.id, job) },
  );
}
