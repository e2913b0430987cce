import { Check, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMs } from "../../../base/i18n/time.ts";
import { useAgentId } from "../../../base/routes.ts";
import { JobStrip } from "../../../features/install/job-strip.tsx";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { cx } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/controls/button.tsx";
import { Face } from "../../../ui/face.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { type Answered, ModelStep } from "./model-step.tsx";
import { PluginStep } from "./plugin-step.tsx";
import { RunStep } from "./run-step.tsx";
import { useSuggested } from "./use-suggested.ts";
import { closeWelcome } from "./use-welcome.ts";

const steps = ["model", "plugin", "run"] as const;
type StepName = (typeof steps)[number];

/** The first start: choose a model, pick a plugin, see it run. Closed for good by the cross or at its end. */
export function WelcomePage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const hasPlugin = useMirror((state) =>
    [...state.agentPlugins.values()].some((row) => row.agentId === agentId && row.enabled),
  );
  const [step, setStep] = useState<StepName>("model");
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [works, setWorks] = useState(false);
  const close = useAction(closeWelcome);
  const { suggested } = useSuggested();
  const done: Record<StepName, boolean> = { model: answered !== null, plugin: hasPlugin, run: works };

  return (
    <div className="@container flex h-full min-w-0 flex-col overflow-y-auto px-4 py-5 @2xl:px-7">
      <JobStrip without={step === "plugin" ? suggested.map(({ spec }) => spec) : []} />
      <div className="grid flex-1 place-items-center">
        <section
          aria-label={t("welcome.title")}
          className="flex w-full max-w-[840px] flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-card @2xl:min-h-[560px] @2xl:flex-row"
        >
          <aside className="shrink-0 border-line bg-sunk px-5 py-4 max-@2xl:border-b @2xl:w-[232px] @2xl:border-r @2xl:py-6">
            <div className="flex items-center gap-3">
              <Face letters seed={`agent:${agentId}`} name={agent.slice(0, 1).toUpperCase()} size="sm" />
              <p className="truncate font-semibold">{agent}</p>
            </div>
            <ol
              aria-label={t("welcome.steps")}
              className="mt-3 flex flex-wrap items-center gap-x-4 @2xl:mt-6 @2xl:block @2xl:space-y-1"
            >
              {steps.map((name, index) => (
                <li
                  key={name}
                  className="flex items-center gap-3 @2xl:block"
                  aria-current={name === step ? "step" : undefined}
                >
                  <button
                    type="button"
                    onClick={() => setStep(name)}
                    className={cx(
                      "flex h-9 items-center gap-3 @2xl:w-full rounded-md text-left",
                      name === step ? "font-semibold text-ink" : "text-mute hover:text-ink",
                    )}
                  >
                    <StepMark number={index + 1} done={done[name]} now={name === step} />
                    <span className={cx("flex-1", name !== step && "max-@2xl:sr-only")}>
                      {t(`welcome.${name}`)}
                    </span>
                    <span className="sr-only">
                      {t(`welcome.status.${name === step ? "now" : done[name] ? "done" : "later"}`)}
                    </span>
                  </button>
                  {name === "model" && answered && (
                    <p className="text-sm @2xl:pb-1.5 @2xl:pl-8 break-words text-mute">
                      {t("models.works", { model: answered.model, time: formatMs(answered.ms) })}
                    </p>
                  )}
                </li>
              ))}
            </ol>
          </aside>
          <div className="relative flex min-w-0 flex-1 flex-col px-5 pt-6 pb-6 @2xl:px-8">
            <h1 className="pr-10 text-sm font-semibold text-mute">{t("welcome.title")}</h1>
            <IconButton
              label={t("welcome.close")}
              title={t("welcome.closeHelp")}
              className="absolute top-4 right-4"
              disabled={close.busy}
              onClick={() => void close.act()}
            >
              <X className="size-4" aria-hidden="true" />
            </IconButton>
            {close.problem && <ProblemNote className="mt-3" problem={close.problem} />}
            {step === "model" && (
              <ModelStep
                agentId={agentId}
                agentName={agent}
                onSkip={() => setStep("plugin")}
                onAnswered={(answer) => {
                  setAnswered(answer);
                  setStep("plugin");
                }}
              />
            )}
            {step === "plugin" && (
              <PluginStep agentId={agentId} agentName={agent} onDone={() => setStep("run")} />
            )}
            {step === "run" && (
              <RunStep
                agentId={agentId}
                agentName={agent}
                closing={close.busy}
                onWorks={() => setWorks(true)}
                onFinish={() => void close.act()}
              />
            )}
          </div>
        </section>
      </div>
    </div>
  );
}

function StepMark({ number, done, now }: { number: number; done: boolean; now: boolean }) {
  const base = "grid size-5 shrink-0 place-items-center rounded-full text-[11px] leading-none font-bold";
  if (done && !now)
    return (
      <span className={cx(base, "bg-ok text-surface")}>
        <Check className="size-3" strokeWidth={3.5} aria-hidden="true" />
      </span>
    );
  return (
    <span
      aria-hidden="true"
      className={cx(base, "border-2", now ? "border-accent text-accent" : "border-line bg-surface text-hint")}
    >
      {number}
    </span>
  );
}
