import { useTranslation } from "react-i18next";
import type { Job, JobPhase } from "../../../contract/job.ts";
import { formatMs } from "../../base/i18n/time.ts";
import { cx } from "../../ui/class-names.ts";
import { type StepLook, StepMark } from "../../ui/controls/step-mark.tsx";
import { Face } from "../../ui/face.tsx";
import { useJobName } from "./job-name.ts";

type PhaseStatus = Job["phases"][number]["status"];
/** What took less than a second took no time that anybody wonders about. */
const leastMs = 1_000;
const order: JobPhase[] = ["resolve", "download", "verify", "inspect", "consent", "place", "check"];

/** The steps of an installation, each with how it went. */
export function PhaseList({ job }: { job: Job | null }) {
  const { t } = useTranslation();
  const all = job?.phases ?? order.map((phase) => ({ phase, status: "pending" as const, ms: null }));
  // Of an installation it is told what was not needed; here that is all that belongs to fetching a plugin.
  const phases = job?.kind === "packages" ? all.filter(({ status }) => status !== "skipped") : all;
  const name = useJobName(job) ?? t("install.newPlugin");
  return (
    <>
      <div className="mb-5 flex items-center gap-3">
        <Face
          seed={job?.consent?.manifestKey ?? job?.spec ?? "new"}
          name={job ? shortName(name) : "+"}
          letters={!job}
          ours={job?.consent?.trust === "built-in"}
          size="sm"
        />
        <div className="min-w-0">
          <p className="truncate font-semibold" title={name}>
            {job ? shortName(name) : name}
          </p>
          {job?.consent && <p className="figure truncate text-mute">{job.consent.packageVersion}</p>}
        </div>
      </div>
      <ol aria-label={t("job.phases")} className="space-y-1">
        {phases.map((entry, index) => {
          const status = job?.status === "waiting" && entry.phase === job.phase ? "running" : entry.status;
          return (
            <li
              key={entry.phase}
              data-phase={entry.phase}
              data-status={status}
              aria-current={status === "running" ? "step" : undefined}
              className={cx(
                "flex h-8 items-center gap-3 text-sm",
                status === "running" ? "font-semibold text-ink" : "text-mute",
              )}
            >
              <StepMark look={lookOf(status, job?.status === "waiting")} place={index + 1} />
              <span className="flex-1">{t(`phase.${entry.phase}`)}</span>
              <span className="sr-only">{t(`phase.status.${status}`)}</span>
              {entry.ms !== null && entry.ms >= leastMs && status === "done" && (
                <span className="text-xs font-normal text-hint tabular-nums">{formatMs(entry.ms)}</span>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** The last part of a path or address is enough to recognise it by. */
function shortName(name: string): string {
  return name.split(/[\\/]/).filter(Boolean).at(-1) ?? name;
}

function lookOf(status: PhaseStatus, waiting: boolean | undefined): StepLook {
  switch (status) {
    case "running":
      return waiting ? "current" : "busy";
    case "pending":
      return "next";
    default:
      return status;
  }
}
