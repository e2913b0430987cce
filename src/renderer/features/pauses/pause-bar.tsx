import { CirclePause, Pencil } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Pause, PauseAnswer, PauseView } from "../../../contract/pauses/pauses.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatMoment } from "../../base/i18n/time.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { JsonTree } from "../../ui/json/json-tree.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { useKeyActions } from "../keys/public.ts";
import { pausesOf, usePauses } from "./pause-store.ts";
import { pauseWords } from "./pause-words.ts";
import { subjectOf } from "./subject.ts";
import { useNames } from "./use-names.ts";

const EditDialog = lazy(async () => ({ default: (await import("./edit-dialog.tsx")).EditDialog }));
const SkipDialog = lazy(async () => ({ default: (await import("./skip-dialog.tsx")).SkipDialog }));

const resume = (id: string, answer: PauseAnswer) => rpc.pauses.resume({ id, answer });

interface PauseBarProps {
  agentId: string;
  sessionId: string | null;
}

/** The turn that stands still, what it stands before, and the ways to go on. Nothing while none does. */
export function PauseBar({ agentId, sessionId }: PauseBarProps) {
  const all = usePauses((state) => state.pauses);
  const [pause, ...others] = pausesOf(all, agentId, sessionId);
  return pause ? <Bar key={pause.id} pause={pause} more={others.length} /> : null;
}

function Bar({ pause, more }: { pause: Pause; more: number }) {
  const { t } = useTranslation();
  const nameOf = useNames();
  const going = useAction(resume);
  const seen = useLook(pause.id);
  const [dialog, setDialog] = useState<"edit" | "skip" | null>(null);
  const go = (answer: PauseAnswer) => void going.act(pause.id, answer);
  useKeyActions({
    pauseContinue: () => go({ action: "continue", step: false }),
    pauseStep: () => go({ action: "continue", step: true }),
  });
  const { breakpoint, where } = pause;
  const close = () => setDialog(null);
  return (
    <section
      aria-label={t("pauses.bar")}
      className="mx-6 mb-3 shrink-0 rounded-lg border border-accent/45 bg-surface shadow-card"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
        <CirclePause className="size-4 shrink-0 text-accent" aria-hidden="true" />
        <p className="min-w-40 flex-1 text-sm" role="status">
          <strong className="font-semibold">{pauseWords(pause, { t, nameOf })}</strong>{" "}
          <span className="text-mute">
            {breakpoint === null
              ? `· ${t("pauses.byStep")}`
              : breakpoint.name !== "" && `· ${t("pauses.of", { name: breakpoint.name })}`}
            {pause.goesOnAt && ` · ${t("pauses.goesOn", { time: formatMoment(pause.goesOnAt) })}`}
          </span>
        </p>
        <div className="flex flex-wrap gap-1.5">
          <Button
            size="sm"
            look="accent"
            ahead
            aria-keyshortcuts="F8"
            disabled={going.busy}
            onClick={() => go({ action: "continue", step: false })}
          >
            {t("pauses.continue")}
          </Button>
          <Button
            size="sm"
            aria-keyshortcuts="F10"
            disabled={going.busy}
            onClick={() => go({ action: "continue", step: true })}
          >
            {t("pauses.step")}
          </Button>
          {pause.canEdit && (
            <Button
              size="sm"
              icon={<Pencil className="size-3" aria-hidden="true" />}
              disabled={going.busy || seen.view === null}
              onClick={() => setDialog("edit")}
            >
              {t("pauses.edit")}
            </Button>
          )}
          {pause.canSkip && (
            <Button
              size="sm"
              disabled={going.busy}
              onClick={() =>
                where === "hook" ? go({ action: "skip", step: false, text: "" }) : setDialog("skip")
              }
            >
              {t(where === "hook" ? "pauses.skip" : "pauses.skipTool")}
            </Button>
          )}
          <Button size="sm" look="danger" disabled={going.busy} onClick={() => go({ action: "stop" })}>
            {t("pauses.stop")}
          </Button>
        </div>
      </div>
      <div className="max-h-56 overflow-auto border-t border-line px-3.5 py-2.5">
        {seen.view && <JsonTree label={t(`pauses.subject.${where}`)} value={subjectOf(seen.view)} />}
        {seen.problem && <ProblemNote problem={seen.problem} />}
        {more > 0 && <p className="pt-2 text-xs text-mute">{t("pauses.more", { count: more })}</p>}
      </div>
      {going.problem && <ProblemNote className="mx-3.5 mb-3" problem={going.problem} />}
      <Suspense fallback={null}>
        {dialog === "edit" && seen.view && <EditDialog view={seen.view} onClose={close} />}
        {dialog === "skip" && <SkipDialog pause={pause} onClose={close} />}
      </Suspense>
    </section>
  );
}

function useLook(id: string): { view: PauseView | null; problem: ShownProblem | null } {
  const [view, setView] = useState<PauseView | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    const scope = new AbortController();
    rpc.pauses.look({ id }, { signal: scope.signal }).then(setView, (error: unknown) => {
      if (!scope.signal.aborted) setProblem(problemOf(error));
    });
    return () => scope.abort();
  }, [id]);
  return { view, problem };
}
