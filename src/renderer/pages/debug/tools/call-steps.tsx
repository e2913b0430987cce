import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ToolTrace } from "../../../../contract/turn.ts";
import { formatMs } from "../../../base/i18n/time.ts";
import { cx } from "../../../ui/class-names.ts";
import { HookStep, plainEvent } from "../by-hand/hook-step.tsx";

/** The way of one call through the pipeline, step by step, with who did what to it and how long that took. */
export function CallSteps({ trace }: { trace: ToolTrace }) {
  const { t } = useTranslation();
  const { policy, hooks, approval, executeMs, problem, outcome, straight } = trace;
  const before = hooks.filter(({ event }) => plainEvent(event) === "tool.before");
  const after = hooks.filter((hook) => !before.includes(hook));
  const isWrong = problem?.code === "ARGUMENTS_INVALID";
  const isChecked = approval !== null || executeMs !== null || isWrong;
  return (
    <ol
      aria-label={t("callTool.steps")}
      className="divide-y divide-line rounded-lg border border-line bg-surface px-4"
    >
      <Step
        name={t("callTool.step.policy")}
        isBad={outcome === "denied"}
        text={t(`callTool.policy.${policy.effect}`)}
      />
      {straight && <Step name={t("callTool.step.hooks")} text={t("callTool.noHooks")} />}
      {before.map((hook, index) => (
        <li key={`${hook.hookId} ${hook.stage ?? ""} ${hook.startedAt}`}>
          <HookStep hook={hook} place={index + 1} />
        </li>
      ))}
      {isChecked && (
        <Step
          name={t("callTool.step.schema")}
          isBad={isWrong}
          text={t(isWrong ? "callTool.schemaWrong" : "callTool.schemaFits")}
        />
      )}
      {approval && (
        <Step
          name={t("callTool.step.approval")}
          isBad={approval.status !== "allowed"}
          text={t(`callTool.approval.${approvalWord(trace)}`)}
          ms={approval.waitedMs > 0 ? approval.waitedMs : null}
        />
      )}
      {executeMs !== null && (
        <Step
          name={trace.title ?? trace.tool}
          isCode
          isBad={outcome === "failed" || outcome === "timed_out"}
          text={t(`callTool.ran.${ranWord(trace)}`)}
          ms={executeMs}
        />
      )}
      {after.map((hook) => (
        <li key={`${hook.event} ${hook.hookId} ${hook.startedAt}`}>
          <HookStep hook={hook} />
        </li>
      ))}
      <Step name={t("callTool.step.whole")} text="" ms={trace.ms} />
    </ol>
  );
}

function approvalWord({ approval, straight }: ToolTrace) {
  if (approval?.status !== "allowed")
    return approval?.status === "timed_out" ? ("timedOut" as const) : ("refused" as const);
  if (straight && approval.id === "in-advance") return "pressed" as const;
  return approval.scope === "session" ? ("session" as const) : ("allowed" as const);
}

function ranWord({ outcome }: ToolTrace) {
  if (outcome === "executed") return "done" as const;
  return outcome === "timed_out" ? ("timedOut" as const) : ("failed" as const);
}

interface StepProps {
  name: string;
  isCode?: boolean;
  text: ReactNode;
  isBad?: boolean;
  /** Milliseconds; null: not measured. */
  ms?: number | null;
}

function Step({ name, isCode = false, text, isBad = false, ms = null }: StepProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-2.5 py-2.5">
      <span className={isCode ? "figure font-semibold" : "text-sm font-semibold"}>{name}</span>
      <span className={cx("text-sm", isBad ? "font-medium text-bad" : "text-mute")}>{text}</span>
      {ms !== null && <span className="figure ml-auto text-mute">{formatMs(ms)}</span>}
    </li>
  );
}
