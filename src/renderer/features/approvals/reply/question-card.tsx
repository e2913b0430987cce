import type { LucideIcon } from "lucide-react";
import type { ReactNode, SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Dialog } from "../../../../contract/dialogs/dialog.ts";
import type { ShownProblem } from "../../../base/client/problem.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { useMirror } from "../../../store/mirror.ts";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { TimeLeft } from "../time-left.tsx";

interface QuestionCardProps {
  dialog: Dialog;
  withAgent?: boolean | undefined;
  icon: LucideIcon;
  problem: ShownProblem | null;
  /** Of the answers, in their order. */
  buttons: ReactNode;
  onSubmit(): void;
  children: ReactNode;
}

/** The frame of a question that a plugin asks in its own words. */
export function QuestionCard({
  dialog,
  withAgent,
  icon: Icon,
  problem,
  buttons,
  onSubmit,
  children,
}: QuestionCardProps) {
  const { t } = useTranslation();
  const plugin = useDisplayName(dialog.pluginKey) ?? dialog.pluginKey;
  const agent = useMirror((state) => state.agents.get(dialog.agentId)?.name ?? dialog.agentId);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label={t("question.label", { plugin })}
      className="rounded-lg border border-accent/45 bg-surface shadow-card"
    >
      <header className="flex items-center gap-2.5 px-3.5 pt-3">
        <Icon className="size-4 shrink-0 text-accent" aria-hidden="true" />
        <h3 className="min-w-0 flex-1 text-sm font-semibold">{t("question.asks", { plugin })}</h3>
        <TimeLeft from={dialog.createdAt} until={dialog.expiresAt} />
      </header>
      <p className="pt-0.5 pr-3.5 pl-10 text-xs text-mute">
        {[
          ...(withAgent ? [t("approvals.forAgent", { agent })] : []),
          ...(dialog.context ? [dialog.context] : []),
        ].join(" · ")}
      </p>
      <div className="space-y-3.5 px-3.5 pt-2.5">
        <p className="max-h-48 overflow-y-auto text-sm break-words whitespace-pre-line">
          {dialog.question.message}
        </p>
        {children}
        {problem && <ProblemNote problem={problem} />}
      </div>
      <footer className="mt-3.5 flex flex-wrap items-center gap-2 border-t border-line px-3.5 py-2.5">
        {buttons}
      </footer>
    </form>
  );
}
