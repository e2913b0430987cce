import { useRef } from "react";
import type { Job } from "../../../contract/job.ts";

/** The job as it is now. Its consent is kept on the screen after it was answered, when the core no longer sends it. */
export function useShownJob(job: Job): Job {
  const consent = useRef(job.consent);
  if (job.consent) consent.current = job.consent;
  return job.consent ? job : { ...job, consent: consent.current };
}
