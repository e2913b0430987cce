import type { TFunction } from "i18next";
import { ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { CallWhy } from "../../../contract/permissions/explanation.ts";
import { cleanText } from "../../../contract/shown/clean-text.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { toolsPath } from "../../base/routes.ts";
import { cx } from "../../ui/class-names.ts";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { JudgementLines } from "./judgement-lines.tsx";
import { type RuleWords, useRuleWords } from "./use-rule-words.ts";

/** A call of a recorded turn. */
interface RecordedCall {
  agentId: string;
  sessionId: string;
  turnId: string;
  toolCallId: string;
}

interface WhyCalledProps extends RecordedCall {
  /** The tool's name on the screen. */
  title: string;
}

/** "Why?" on a call: which rule let it run, held it up or refused it, and who had a say after that. */
export function WhyCalled({ title, ...call }: WhyCalledProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-2">
      <button
        type="button"
        aria-expanded={open}
        aria-label={t("why.openOf", { tool: title })}
        className="flex items-center gap-1 rounded-sm text-xs text-mute hover:text-ink"
        onClick={() => setOpen(!open)}
      >
        <ChevronRight className={cx("size-3 transition-transform", open && "rotate-90")} aria-hidden="true" />
        {t("why.open")}
      </button>
      {open && <Answer {...call} />}
    </div>
  );
}

function Answer(call: RecordedCall) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const { why, problem } = useWhy(call);
  if (problem?.code === "TURN_NOT_FOUND" || problem?.code === "SESSION_NOT_FOUND")
    return <p className="mt-1.5 text-xs text-mute">{t("why.gone")}</p>;
  if (problem) return <ProblemNote className="mt-2" problem={problem} />;
  if (!why) return <p className="mt-1.5 text-xs text-mute">{t("why.loading")}</p>;
  return (
    <div className="mt-1.5 space-y-2 rounded-md bg-sunk px-3 py-2 text-sm">
      <p className="font-medium">{t(`why.was.${why.effect}`)}</p>
      {why.judgement ? (
        <JudgementLines judgement={why.judgement} tool={why.tool} title={why.title} />
      ) : (
        <p>{t("why.changed")}</p>
      )}
      {why.after.map((step) => (
        <p key={JSON.stringify(step)}>{afterWords(t, words, step)}</p>
      ))}
      {why.now === null && <p className="text-mute">{t("why.nowGone")}</p>}
      {why.now !== null && why.now !== why.effect && (
        <p className="text-mute">{t("why.now", { effect: t(`effect.${why.now}`) })}</p>
      )}
      <Link
        to={toolsPath(call.agentId, "rules")}
        className="inline-block rounded-sm text-xs font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
      >
        {t("why.toRules")}
      </Link>
    </div>
  );
}

/** Asked once for each call: what was recorded does not change. */
function useWhy({ agentId, sessionId, turnId, toolCallId }: RecordedCall) {
  const [why, setWhy] = useState<CallWhy | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    const life = new AbortController();
    rpc.policies
      .call({ agentId, sessionId, turnId, toolCallId }, { signal: life.signal })
      .then(setWhy, (error: unknown) => {
        if (!life.signal.aborted) setProblem(problemOf(error));
      });
    return () => life.abort();
  }, [agentId, sessionId, turnId, toolCallId]);
  return { why, problem };
}

function afterWords(t: TFunction, words: RuleWords, step: CallWhy["after"][number]): string {
  switch (step.kind) {
    case "rewritten":
      return t("why.after.rewritten", { plugins: step.by.map((key) => words.owner(key)).join(", ") });
    case "vetoed": {
      const plugin = words.owner(step.by);
      return step.reason
        ? t("why.after.vetoedReason", { plugin, reason: cleanText(step.reason) })
        : t("why.after.vetoed", { plugin });
    }
    case "known":
      return t(`why.after.${step.basis}`);
    case "answered":
      return answerWords(t, words, step);
  }
}

type Answered = Extract<CallWhy["after"][number], { kind: "answered" }>;

function answerWords(t: TFunction, words: RuleWords, { status, scope, by }: Answered): string {
  if (status === "timed_out" || status === "cancelled") return t(`why.after.${status}`);
  if (by?.kind === "channel")
    return t(`why.after.${status}By`, { user: by.userId, channel: words.owner(by.channel) });
  if (status === "denied") return t("why.after.denied");
  if (scope === "session") return t("why.after.allowedSession");
  return scope === "always" ? t("why.after.allowedAlways") : t("why.after.allowed");
}
