import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Consent, Job } from "../../../../contract/job.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { type Agreed, ConsentView, nothingAgreed } from "../../../features/install/consent/consent-view.tsx";
import { useMirror } from "../../../store/mirror.ts";
import { panels } from "../../../store/panels.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";

/** The newest installation of a spec that is not over, or that failed. */
export function useInstallOf(spec: string): Job | undefined {
  return useMirror((state) => {
    const [newest] = [...state.jobs.values()]
      .filter((job) => job.kind === "install" && job.spec === spec)
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
    return newest?.status === "done" || newest?.status === "cancelled" ? undefined : newest;
  });
}

interface InstallLineProps {
  job: Job;
  /** Called once when the person has agreed here and it is installed, with its key. */
  onInstalled(key: string): Promise<unknown>;
}

/** An installation in one line; what it asks for stands below while the person has not answered. */
export function InstallLine({ job, onInstalled }: InstallLineProps) {
  const { t } = useTranslation();
  const agreedHere = useAgreedHere(onInstalled);
  if (job.status === "waiting" && job.question === "install" && job.consent)
    return <Asks job={job} consent={job.consent} onAgreed={() => agreedHere(job.id)} />;
  return (
    <div className="mt-3 flex min-h-8 items-center gap-2.5 border-t border-line pt-3 text-sm text-mute">
      <Spinner className="shrink-0 text-accent" />
      <p role="status" className="min-w-0 flex-1 truncate">
        {t(`phase.${job.phase}.doing`)}
      </p>
      {job.status === "waiting" && (
        <Button size="sm" look="accent" ahead onClick={() => panels.showJob(job.id)}>
          {t("job.review")}
        </Button>
      )}
    </div>
  );
}

async function answer(id: string, agreed: Agreed | null): Promise<true> {
  await rpc.jobs.consent({
    id,
    question: "install",
    ...(agreed ? { accept: true, ...agreed } : { accept: false }),
  });
  return true;
}

interface AsksProps {
  job: Job;
  consent: Consent;
  onAgreed(): void;
}

/** The whole question of consent, and the two answers. */
function Asks({ job, consent, onAgreed }: AsksProps) {
  const { t } = useTranslation();
  const [agreed, setAgreed] = useState(nothingAgreed);
  const answering = useAction(answer);
  return (
    <section
      aria-label={t("consent.title", { name: consent.displayName, version: consent.packageVersion })}
      className="mt-3 border-t border-line pt-3"
    >
      <ConsentView consent={consent} question="install" agreed={agreed} onAgree={setAgreed} />
      {answering.problem && <ProblemNote className="mt-3" problem={answering.problem} />}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button disabled={answering.busy} onClick={() => void answering.act(job.id, null)}>
          {t("consent.decline")}
        </Button>
        <Button
          look="accent"
          ahead
          busy={answering.busy}
          disabled={consent.risk !== undefined && !agreed.acceptRisk}
          onClick={async () => (await answering.act(job.id, agreed)) && onAgreed()}
        >
          {t("welcome.installOn")}
        </Button>
      </div>
    </section>
  );
}

/** Follows what was agreed to here to its end; the line itself is gone by then. */
function useAgreedHere(onInstalled: (key: string) => Promise<unknown>) {
  const after = useRef(onInstalled);
  useEffect(() => {
    after.current = onInstalled;
  });
  return (id: string) => {
    const look = (job: Job | undefined) => {
      if (job?.status === "running" || job?.status === "waiting") return;
      stop();
      if (job?.status === "done" && job.pluginKey) void after.current(job.pluginKey);
    };
    const stop = useMirror.subscribe((state) => look(state.jobs.get(id)));
    look(useMirror.getState().jobs.get(id));
  };
}
