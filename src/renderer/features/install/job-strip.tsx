import { ChevronRight, CircleX, PackageOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { Job } from "../../../contract/job.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useJobName } from "./job-name.ts";

const dropJob = async (id: string) => {
  await rpc.jobs.remove({ id });
};

interface JobStripProps {
  /** What is shown elsewhere on the screen, by its spec. */
  without?: readonly string[];
}

/** Installations that are under way, wait for the person, or failed: nothing that was asked for goes missing. */
export function JobStrip({ without = [] }: JobStripProps) {
  const { t } = useTranslation();
  const jobs = useMirror(
    useShallow((state) =>
      [...state.jobs.values()]
        .filter((job) => !without.includes(job.spec))
        .filter((job) => job.status === "running" || job.status === "waiting" || job.status === "failed")
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt)),
    ),
  );
  if (jobs.length === 0) return null;
  return (
    <ul aria-label={t("job.list")} className="mb-4 space-y-2">
      {jobs.map((job) => (
        <li key={job.id}>
          <JobLine job={job} />
        </li>
      ))}
    </ul>
  );
}

function JobLine({ job }: { job: Job }) {
  const { t } = useTranslation();
  const remove = useAction(dropJob);
  const name = useJobName(job) ?? job.spec;
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line bg-surface px-4 py-2 text-sm shadow-card animate-appear">
      <JobIcon job={job} />
      <p className="min-w-0 flex-1 truncate">
        <span className="font-semibold">{t(`job.title.${job.kind}`, { name })}</span>{" "}
        <span className={job.status === "failed" ? "text-bad" : "text-mute"}>
          {job.status === "failed"
            ? (remove.problem?.message ?? job.problem?.message ?? "")
            : job.status === "waiting"
              ? t(job.question === "look" ? "job.needsLook" : "job.needsConsent")
              : t(`phase.${job.phase}.doing`)}
        </span>
      </p>
      {job.status === "failed" && (
        <Button size="sm" look="quiet" busy={remove.busy} onClick={() => void remove.act(job.id)}>
          {t("job.remove")}
        </Button>
      )}
      <Button
        size="sm"
        look={job.status === "waiting" ? "accent" : "plain"}
        ahead
        onClick={() => panels.showJob(job.id)}
      >
        {job.status === "waiting" ? t("job.review") : t("job.show")}
        <ChevronRight className="size-3.5" aria-hidden="true" />
      </Button>
    </div>
  );
}

function JobIcon({ job }: { job: Job }) {
  if (job.status === "failed") return <CircleX className="size-4 shrink-0 text-bad" aria-hidden="true" />;
  if (job.status === "waiting")
    return <PackageOpen className="size-4 shrink-0 text-accent" aria-hidden="true" />;
  return <Spinner className="shrink-0 text-accent" />;
}
