import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Dialog } from "../../../../contract/dialogs/dialog.ts";
import type { ShownProblem } from "../../../base/client/problem.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { QuestionFrame } from "../question-frame.tsx";

interface QuestionCardProps {
  dialog: Dialog;
  withAgent?: boolean | undefined;
  icon: LucideIcon;
  problem: ShownProblem | null;
  /** Of the answers, in their order. */
  buttons: ReactNode;
  /** The last button: nothing is answered. */
  skip: { label: string; busy: boolean; act(): void };
  onSubmit(): void;
  children: ReactNode;
}

/** A question of a plugin that explains itself in a text, in its frame. */
export function QuestionCard({ dialog, children, ...frame }: QuestionCardProps) {
  const { t } = useTranslation();
  const plugin = useDisplayName(dialog.pluginKey) ?? dialog.pluginKey;
  return (
    <QuestionFrame
      {...frame}
      dialog={dialog}
      label={t("question.label", { plugin })}
      heading={t("question.asks", { plugin })}
      context={dialog.context}
    >
      <div className="space-y-3.5 px-3.5 pt-2.5">
        <p className="max-h-48 overflow-y-auto text-sm break-words whitespace-pre-line">
          {dialog.question.message}
        </p>
        {children}
      </div>
    </QuestionFrame>
  );
}
