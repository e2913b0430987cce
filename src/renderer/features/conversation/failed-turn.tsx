import { FoldVertical, KeyRound, RotateCw, SlidersHorizontal } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ErrorCode, Problem } from "../../../contract/errors.ts";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { panels } from "../../store/panels.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { WhyLink } from "../why/public.ts";
import type { EndItem } from "./items.ts";

/** What a person can do about a turn that failed. */
type Step = "retry" | "compact" | "key" | "model";

interface FailedTurnProps {
  agentId: string;
  item: EndItem;
  /** Absent when the conversation has gone on, or an answer is under way: there is nothing to press then. */
  onRetry: (() => void) | undefined;
  /** Makes the conversation shorter first. */
  onCompact: (() => void) | undefined;
}

/** Why a turn failed, with the buttons that mend it. */
export function FailedTurn({ agentId, item, onRetry, onCompact }: FailedTurnProps) {
  const { t } = useTranslation();
  const { problem, outcome, retried } = item;
  if (outcome === "aborted" || !problem)
    return <p className="text-center text-xs text-mute">{t(`conversation.ended.${outcome}`)}</p>;
  if (retried)
    return (
      <p className="text-center text-xs text-pretty text-mute">
        {t("conversation.triedAgain", { problem: problemLine(problem).replace(/\.$/, "") })}
      </p>
    );
  return (
    <div>
      <ProblemNote
        problem={problem}
        action={
          onRetry && (
            <Steps agentId={agentId} problem={problem} onRetry={onRetry} onCompact={onCompact ?? onRetry} />
          )
        }
      />
      <p className="mt-1 px-1">
        <WhyLink agentId={agentId} turnId={item.turnId} at={{ culprit: { kind: "end" } }} />
      </p>
    </div>
  );
}

interface StepsProps {
  agentId: string;
  problem: Problem;
  onRetry(): void;
  onCompact(): void;
}

function Steps({ agentId, problem, onRetry, onCompact }: StepsProps) {
  const { t } = useTranslation();
  const retryTime = retryTimeOf(problem);
  const buttons = {
    retry: { words: t("conversation.retry"), Icon: RotateCw, act: onRetry },
    compact: {
      words: t("conversation.compactAndRetry"),
      Icon: FoldVertical,
      act: onCompact,
    },
    key: { words: t("conversation.changeKey"), Icon: KeyRound, act: () => panels.editAgent(agentId, "key") },
    model: {
      words: t("conversation.changeModel"),
      Icon: SlidersHorizontal,
      act: () => panels.editAgent(agentId, "model"),
    },
  };
  return (
    <>
      {retryTime !== null && <WaitButton until={retryTime} onOver={onRetry} />}
      {(known[problem.code] ?? (["retry"] as const)).map((step, place) => {
        const { words, Icon, act } = buttons[step];
        return (
          <Button
            key={step}
            size="sm"
            look={place === 0 && retryTime === null ? "accent" : "plain"}
            icon={<Icon className="size-3.5" aria-hidden="true" />}
            onClick={act}
          >
            {words}
          </Button>
        );
      })}
    </>
  );
}

/** What mends which failure; the first is the next step. */
const known: Partial<Record<ErrorCode, Step[]>> = {
  MODEL_NOT_SET: ["model"],
  MODEL_KEY_REFUSED: ["key", "model", "retry"],
  MISSING_SECRET: ["key", "retry"],
  MODEL_NO_CREDIT: ["model", "retry"],
  MODEL_NOT_FOUND: ["model", "retry"],
  MODEL_NOT_A_MODEL: ["model", "retry"],
  SCRIPT_INVALID: ["model", "retry"],
  MODEL_UNREACHABLE: ["retry", "model"],
  MODEL_CONTEXT_FULL: ["compact", "model"],
  MODEL_WITHHELD: ["retry", "model"],
  MODEL_BUSY: ["retry", "model"],
  MODEL_BROKEN: ["retry", "model"],
  MODEL_CUT: ["retry", "model"],
  MODEL_EMPTY: ["retry", "model"],
  MODEL_FAILED: ["retry", "model"],
};

/** When the provider takes requests again, in milliseconds since 1970; null when it did not say, or that is past. */
function retryTimeOf({ details }: Problem): number | null {
  const time = typeof details?.retryAt === "string" ? Date.parse(details.retryAt) : Number.NaN;
  return Number.isNaN(time) || time <= Date.now() ? null : time;
}

/** Waits as long as the provider asked for, and then goes on by itself. */
function WaitButton({ until, onOver }: { until: number; onOver(): void }) {
  const { t } = useTranslation();
  const [waiting, setWaiting] = useState(false);
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const isOver = waiting && seconds === 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);

  return (
    <Button size="sm" look={waiting ? "plain" : "accent"} onClick={() => setWaiting(!waiting)}>
      <span className="tabular-nums">
        {t(waiting ? "conversation.waiting" : "conversation.wait", { count: seconds })}
      </span>
    </Button>
  );
}
