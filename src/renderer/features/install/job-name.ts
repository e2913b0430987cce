import type { Job } from "../../../contract/job.ts";
import { useMirror } from "../../store/mirror.ts";

/**
 * What a job is about, by the best name that is known: what it would install, what is installed of the same package, the
 * name of the package, or what was typed. Null without a job.
 */
export function useJobName(job: Job | null): string | null {
  const packageName = job?.firstLook?.packageName;
  const installed = useMirror((state) => {
    const known = job?.pluginKey ? state.plugins.get(job.pluginKey) : undefined;
    if (known || packageName === undefined) return known?.displayName;
    return [...state.plugins.values()].find((plugin) => plugin.packageName === packageName)?.displayName;
  });
  if (!job) return null;
  return job.consent?.displayName ?? installed ?? packageName ?? job.pluginKey ?? job.spec;
}
