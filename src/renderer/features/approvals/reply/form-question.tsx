import { ClipboardList, ShieldAlert } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Dialog, DialogQuestion } from "../../../../contract/dialogs/dialog.ts";
import { formFaults } from "../../../../contract/dialogs/form-faults.ts";
import { asksForSecret } from "../../../../contract/dialogs/secret-fields.ts";
import { useAction } from "../../../ui/action.ts";
import { announce } from "../../../ui/announce.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { answerDialog } from "../answer-dialog.ts";
import { firstDraft, valuesOf } from "./form-draft.ts";
import { FormFields } from "./form-fields.tsx";
import { QuestionCard } from "./question-card.tsx";

interface FormQuestionProps {
  dialog: Dialog;
  question: Extract<DialogQuestion, { kind: "form" }>;
  withAgent?: boolean | undefined;
}

/** A form of a plugin. Each field is checked when it is left, and all of them before they are sent. */
export function FormQuestion({ dialog, question, withAgent }: FormQuestionProps) {
  const { t } = useTranslation();
  const { fields } = question;
  const [draft, setDraft] = useState(() => firstDraft(fields));
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const send = useAction(answerDialog);
  const body = useRef<HTMLDivElement>(null);
  const isSecret = asksForSecret(question);
  const values = valuesOf(fields, draft);
  const faults = formFaults(fields, values);

  const accept = () => {
    if (faults.length === 0) return void send.act(dialog.id, { action: "accept", values });
    setChecked(new Set(fields.map(({ name }) => name)));
    announce(t("reply.wrong"));
    // The fault is drawn before its field is looked for.
    requestAnimationFrame(() =>
      body.current
        ?.querySelector<HTMLElement>(
          "[aria-invalid=true] input, input[aria-invalid=true], select[aria-invalid=true]",
        )
        ?.focus(),
    );
  };
  const decline = () => void send.act(dialog.id, { action: "decline" });
  const answer = (
    <Button
      key="answer"
      look={isSecret ? "plain" : "accent"}
      ahead={!isSecret}
      size="sm"
      type={isSecret ? "button" : "submit"}
      busy={send.busy && !isSecret}
      disabled={send.busy}
      onClick={isSecret ? accept : undefined}
    >
      {t(isSecret ? "reply.answerAnyway" : fields.length === 0 ? "reply.agree" : "question.answer")}
    </Button>
  );
  const no = (
    <Button
      key="decline"
      look={isSecret ? "accent" : "plain"}
      ahead={isSecret}
      size="sm"
      type={isSecret ? "submit" : "button"}
      disabled={send.busy}
      onClick={isSecret ? undefined : decline}
    >
      {t("reply.decline")}
    </Button>
  );

  return (
    <QuestionCard
      dialog={dialog}
      withAgent={withAgent}
      icon={ClipboardList}
      problem={send.problem}
      skip={{ label: t("question.skip"), busy: send.busy, act: () => void send.act(dialog.id, null) }}
      onSubmit={isSecret ? decline : accept}
      buttons={isSecret ? [no, answer] : [answer, no]}
    >
      {isSecret && (
        <p className="flex items-start gap-2 rounded-md border border-bad/35 bg-bad-wash px-3 py-2 text-sm font-medium text-bad">
          <ShieldAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          <span>{t("reply.noSecrets")}</span>
        </p>
      )}
      <div ref={body} className="empty:hidden">
        {fields.length > 0 && (
          <FormFields
            fields={fields}
            draft={draft}
            faults={faults.filter(({ field }) => checked.has(field))}
            onChange={setDraft}
            onLeave={(name) => {
              // Nobody is told that a field is empty while they are on their way to it.
              if (draft[name] !== "") setChecked((before) => new Set([...before, name]));
            }}
          />
        )}
      </div>
    </QuestionCard>
  );
}
