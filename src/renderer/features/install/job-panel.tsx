import { Dialog as RadixDialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConsentQuestion, Job } from "../../../contract/job.ts";
import type { PluginView } from "../../../contract/plugin.ts";
import { rpc } from "../../base/client/rpc.ts";
import { rowId, useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { CheckNote } from "../offered/public.ts";
import { switchOn } from "../plugins/public.ts";
import { type Agreed, ConsentView, nothingAgreed } from "./consent/consent-view.tsx";
import { FirstLookView } from "./consent/first-look-view.tsx";
import { InstalledView } from "./installed-view.tsx";
import { JobLog } from "./job-log.tsx";
import { useJobName } from "./job-name.ts";
import { claimsTaken, OtherKey } from "./other-key.tsx";
import { useShownJob } from "./use-shown-job.ts";

type JobAct = "accept" | "decline" | "cancel" | "retry" | "remove";

async function actOnJob({ id, question }: Job, act: JobAct, agreed: Agreed): Promise<void> {
  switch (act) {
    case "accept":
      if (question) await rpc.jobs.consent({ id, accept: true, question, ...agreed });
      return;
    case "decline":
      if (question) await rpc.jobs.consent({ id, accept: false, question });
      return;
    case "cancel":
      await rpc.jobs.cancel({ id });
      return;
    case "retry": {
      const job = await rpc.jobs.retry({ id });
      panels.showJob(job.id);
      return;
    }
    case "remove":
      await rpc.jobs.remove({ id });
      panels.closeInstall();
      return;
  }
}

async function plugIn(agentId: string, key: string, sourceKind: Job["sourceKind"]): Promise<void> {
  // What was brought comes with what was set elsewhere; only the core reads that.
  if (sourceKind === "mcp-import") await rpc.agentPlugins.bring({ agentId, key });
  else await switchOn(agentId, key);
  panels.closeInstall();
}

/** One job from its first phase to its end: progress, the question of consent, the failure or what to do next. */
export function JobPanel({ job: given, agentId }: { job: Job; agentId: string }) {
  const { t } = useTranslation();
  const job = useShownJob(given);
  const [agreed, setAgreed] = useState(nothingAgreed);
  const acting = useAction(actOnJob);
  const switching = useAction(plugIn);
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const alreadyOn = useMirror((state) =>
    job.pluginKey ? (state.agentPlugins.get(rowId(agentId, job.pluginKey))?.enabled ?? false) : false,
  );
  const looking = useMirror((state) => lookedAt(job, state.plugins));
  const act = (what: JobAct) => void acting.act(job, what, agreed);
  const name = useJobName(job) ?? job.spec;
  const problem = acting.problem ?? switching.problem;

  const frame = (title: string, text: string, body: ReactNode, buttons: ReactNode) => (
    <>
      <div className="px-7 pt-6 pr-14">
        <RadixDialog.Title className="title break-words">{title}</RadixDialog.Title>
        <p aria-live="polite" className="text-sm break-words text-mute">
          {text}
        </p>
      </div>
      <section
        aria-label={title}
        tabIndex={0}
        className="mt-3 min-h-0 flex-1 overflow-y-auto border-t border-line px-7 py-4 focus-visible:-outline-offset-2"
      >
        {problem && <ProblemNote className="mb-4" problem={problem} />}
        {body}
      </section>
      <footer className="flex items-center justify-end gap-2 border-t border-line px-7 py-3">
        {buttons}
      </footer>
    </>
  );

  switch (job.status) {
    case "running":
      return frame(
        t(`job.title.${job.kind}`, { name }),
        looking ? t("phase.check.looking") : t(`phase.${job.phase}.doing`),
        <>
          <Progress value={job.progress} />
          {looking && <CheckNote className="mb-4" agentId={agentId} plugin={looking} />}
          <JobLog job={job} />
        </>,
        <>
          <Button look="quiet" onClick={panels.closeInstall}>
            {t("job.background")}
          </Button>
          <Button busy={acting.busy} onClick={() => act("cancel")}>
            {t(looking ? "check.skip" : "common.cancel")}
          </Button>
        </>,
      );
    case "waiting": {
      const { question, consent, firstLook } = job;
      const words =
        question && wordsOf(question, job.kind, consent?.replaces !== undefined && !consent.takesPlaceOf);
      return frame(
        words ? t(words.title, { name, version: consent?.packageVersion ?? "" }) : name,
        question === "look" ? t("look.text") : (consent?.description ?? ""),
        question === "look"
          ? firstLook && <FirstLookView look={firstLook} />
          : consent && question && (
              <ConsentView consent={consent} question={question} agreed={agreed} onAgree={setAgreed} />
            ),
        words && (
          <>
            <Button disabled={acting.busy} onClick={() => act("decline")}>
              {t(words.decline)}
            </Button>
            <Button
              look="accent"
              busy={acting.busy}
              disabled={question === "install" && consent?.risk !== undefined && !agreed.acceptRisk}
              onClick={() => act("accept")}
            >
              {t(words.accept)}
            </Button>
          </>
        ),
      );
    }
    case "failed":
    case "cancelled":
      return frame(
        t(`job.notDone.${job.kind}`, { name }),
        t(job.problem?.code === "CONSENT_REFUSED" ? "job.declined" : "job.nothingLeft"),
        <>
          {job.problem && job.status === "failed" && <ProblemNote className="mb-4" problem={job.problem} />}
          {claimsTaken(job) && <OtherKey job={job} />}
          <JobLog job={job} open={job.status === "failed"} />
        </>,
        <>
          <Button look="quiet" disabled={acting.busy} onClick={() => act("remove")}>
            {t("job.remove")}
          </Button>
          {job.kind === "install" && (
            <Button onClick={() => panels.openInstall(job.spec)}>{t("job.other")}</Button>
          )}
          <Button look="accent" busy={acting.busy} onClick={() => act("retry")}>
            {t("job.retry")}
          </Button>
        </>,
      );
    case "done":
      return frame(
        t(`job.doneTitle.${job.kind}`, { name }),
        job.pluginVersion && job.kind !== "packages"
          ? t("job.doneVersion", { version: job.pluginVersion })
          : "",
        job.kind === "packages" ? <JobLog job={job} /> : <InstalledView job={job} agentId={agentId} />,
        <>
          <Button onClick={panels.closeInstall}>{t("common.close")}</Button>
          {job.kind === "install" && job.pluginKey && !alreadyOn && (
            <Button
              look="accent"
              busy={switching.busy}
              onClick={() => void switching.act(agentId, job.pluginKey ?? "", job.sourceKind)}
            >
              {t("job.switchOn", { agent })}
            </Button>
          )}
        </>,
      );
  }
}

/** The plugin, where the job has installed it and still looks at what it offers. */
function lookedAt(
  { phase, pluginKey }: Job,
  plugins: ReadonlyMap<string, PluginView>,
): PluginView | undefined {
  const plugin = phase === "check" && pluginKey !== null ? plugins.get(pluginKey) : undefined;
  return plugin?.check?.state === "running" ? plugin : undefined;
}

/** The words of a question; `replaces`: a version of the plugin is installed, which this one takes the place of. */
function wordsOf(question: ConsentQuestion, kind: Job["kind"], replaces: boolean) {
  switch (question) {
    case "look":
      return { title: "look.title", accept: "look.accept", decline: "consent.decline" } as const;
    case "more":
      return { title: "more.title", accept: "more.accept", decline: "consent.decline" } as const;
    case "install":
      if (kind === "rollback")
        return {
          title: "consent.backTitle",
          accept: "consent.acceptBack",
          decline: "consent.keepPresent",
        } as const;
      return replaces
        ? ({ title: "consent.updateTitle", accept: "consent.acceptUpdate", decline: "consent.keep" } as const)
        : ({ title: "consent.title", accept: "consent.accept", decline: "consent.decline" } as const);
  }
}

function Progress({ value }: { value: number | null }) {
  const { t } = useTranslation();
  return (
    <progress
      aria-label={t("job.progress")}
      className="mb-5 h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunk [&::-webkit-progress-bar]:bg-sunk [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent [&:indeterminate::-webkit-progress-bar]:animate-pulse [&:indeterminate::-webkit-progress-bar]:bg-accent/40"
      {...(value !== null && { value, max: 1 })}
    />
  );
}
