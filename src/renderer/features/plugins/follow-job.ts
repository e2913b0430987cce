import type { Job } from "../../../contract/job.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";

/** Shows a job that was just begun, also before the core has announced it. */
export function followJob(job: Job): void {
  useMirror.setState((state) =>
    state.jobs.has(job.id) ? state : { jobs: new Map(state.jobs).set(job.id, job) },
  );
  panels.showJob(job.id);
}
