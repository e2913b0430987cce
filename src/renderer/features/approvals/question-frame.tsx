import type { LucideIcon } from "lucide-react";
import type { ReactNode, SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Dialog } from "../../../contract/dialogs/dialog.ts";
import type { ShownProblem } from "../../base/client/problem.ts";
import { useMirror } from "../../store/mirror.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { TimeLeft } from "./time-left.tsx";

interface QuestionFrameProps {
  dialog: Dialog;
  /** Names the agent too: for places that show several. */
  withAgent?: boolean | undefined;
  /** For who does not see it. */
  label: string;
  icon: LucideIcon;
  heading: ReactNode;
  /** What stands below the heading, before the agent. */
  says?: string;
  /** What the plugin does while it asks; null: it is not said. */
  context: string | null | undefined;
  /** Id of what explains the question. */
  describedBy?: string;
  problem: ShownProblem | null;
  /** Of the answers, in their order. */
  buttons: ReactNode;
  /** The last button, where nothing has to be answered. */
  skip?: { label: string; busy: boolean; act(): void };
  /** Enter was pressed. */
  onSubmit(): void;
  children: ReactNode;
}

/** The frame of every question: who asks, while doing what, how long it waits, and the answers. */
export function QuestionFrame(props: QuestionFrameProps) {
  const {
    dialog,
    withAgent,
    label,
    icon: Icon,
    heading,
    says,
    context,
    describedBy,
    problem,
    buttons,
    skip,
  } = props;
  const { t } = useTranslation();
  const agent = useMirror((state) => state.agents.get(dialog.agentId)?.name ?? dialog.agentId);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  const below = [says, withAgent && t("approvals.forAgent", { agent }), context].filter(Boolean);
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label={label}
      aria-describedby={describedBy}
      className="rounded-lg border border-accent/45 bg-surface shadow-card"
    >
      <header className="flex items-center gap-2.5 px-3.5 pt-3">
        <Icon className="size-4 shrink-0 text-accent" aria-hidden="true" />
        <h3 className="min-w-0 flex-1 text-sm font-semibold break-words whitespace-pre-line">{heading}</h3>
        <TimeLeft from={dialog.createdAt} until={dialog.expiresAt} />
      </header>
      <p className="pt-0.5 pr-3.5 pl-10 text-xs text-mute">{below.join(" · ")}</p>
      {props.children}
      {problem && <ProblemNote className="mx-3.5 mt-3" problem={problem} />}
      <footer className="mt-3 flex flex-wrap items-center gap-2 border-t border-line px-3.5 py-2.5">
        {buttons}
        {skip && (
          <Button look="quiet" size="sm" className="-mr-2.5 ml-auto" disabled={skip.busy} onClick={skip.act}>
            {skip.label}
          </Button>
        )}
      </footer>
    </form>
  );
}
