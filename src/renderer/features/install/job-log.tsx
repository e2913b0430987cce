import { useTranslation } from "react-i18next";
import type { Job } from "../../../contract/job.ts";
import { formatClock } from "../../base/i18n/time.ts";

export function JobLog({ job, open = true }: { job: Job; open?: boolean }) {
  const { t } = useTranslation();
  if (job.log.length === 0) return null;
  return (
    <details open={open}>
      <summary className="w-fit rounded-sm text-xs text-mute hover:text-ink">{t("job.log")}</summary>
      <ol
        tabIndex={0}
        aria-label={t("job.log")}
        className="figure mt-2 max-h-72 overflow-auto rounded-md border border-line bg-sunk px-3 py-2"
      >
        {numbered(job).map((line) => (
          <li key={line.place} className="flex gap-3">
            <span className="shrink-0 text-hint">{formatClock(line.at)}</span>
            <span className="min-w-0 break-words whitespace-pre-wrap">{line.text}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** A log only grows at its end, so a line's place names it. */
function numbered(job: Job): (Job["log"][number] & { place: number })[] {
  return job.log.map((line, place) => ({ ...line, place }));
}
