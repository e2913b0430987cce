import type { LucideIcon } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { Dialog } from "../../../../contract/dialogs/dialog.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { answerDialog } from "../answer-dialog.ts";
import { QuestionFrame } from "../question-frame.tsx";

interface VerdictQuestionProps {
  dialog: Dialog;
  withAgent: boolean | undefined;
  label: string;
  icon: LucideIcon;
  heading: ReactNode;
  says: string;
  /** What the plugin does while it is asked about; null: it is not said. */
  context: string | null | undefined;
  /** The words of the two answers that there always are: `no`, which Enter presses, and `once`. */
  words: { no: string; once: string };
  /** A yes that lasts; null: there is none. */
  lasting: { answer: "always" | "session"; words: string } | null;
  /** What explains the question. */
  children: ReactNode;
}

/** Something that Patchbay itself asks for a plugin: no is the form's own answer, at the other end stands what allows it. */
export function VerdictQuestion({ words, lasting, children, ...frame }: VerdictQuestionProps) {
  const text = useId();
  const send = useAction(answerDialog);
  const answer = (verdict: "no" | "once" | "always" | "session") => void send.act(frame.dialog.id, verdict);
  return (
    <QuestionFrame
      {...frame}
      describedBy={text}
      problem={send.problem}
      onSubmit={() => answer("no")}
      buttons={
        <>
          <Button look="accent" ahead size="sm" type="submit" busy={send.busy}>
            {words.no}
          </Button>
          <Button size="sm" className="ml-auto" disabled={send.busy} onClick={() => answer("once")}>
            {words.once}
          </Button>
          {lasting && (
            <Button size="sm" disabled={send.busy} onClick={() => answer(lasting.answer)}>
              {lasting.words}
            </Button>
          )}
        </>
      }
    >
      <div id={text} className="space-y-2 px-3.5 pt-2.5 text-sm">
        {children}
      </div>
    </QuestionFrame>
  );
}
