import { RotateCcw, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ShownProblem } from "../../base/client/problem.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

interface RefusedNoteProps {
  problem: ShownProblem;
  /** Whether the plugin runs now, with the settings that worked. */
  running: boolean;
  busy: boolean;
  onBack(): void;
  onRetry(): void;
}

/** The plugin did not start with what was saved: what it runs with now, why, and the two ways on. */
export function RefusedNote({ problem, running, busy, onBack, onRetry }: RefusedNoteProps) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t("refused.title")}
      className="space-y-3 rounded-lg border border-line bg-surface p-4"
    >
      <div>
        <h2 className="text-sm font-semibold">{t("refused.title")}</h2>
        <p className="mt-0.5 text-sm text-mute">{t(running ? "refused.running" : "refused.back")}</p>
      </div>
      <ProblemNote problem={problem} />
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={onBack} disabled={busy} icon={<Undo2 className="size-3.5" aria-hidden="true" />}>
          {t("refused.goBack")}
        </Button>
        <Button
          look="quiet"
          onClick={onRetry}
          busy={busy}
          icon={<RotateCcw className="size-3.5" aria-hidden="true" />}
        >
          {t("refused.retry")}
        </Button>
      </div>
    </section>
  );
}
