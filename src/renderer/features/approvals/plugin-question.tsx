import { MessageCircleQuestion } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Dialog, DialogAnswer, DialogQuestion } from "../../../contract/dialogs/dialog.ts";
import { useDisplayName } from "../../model/rows.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { answerDialog } from "./answer-dialog.ts";
import { HostQuestion } from "./own/host-question.tsx";
import { ModelQuestion } from "./own/model-question.tsx";
import { QuestionControl } from "./question-control.tsx";
import { QuestionFrame } from "./question-frame.tsx";
import { FormQuestion } from "./reply/form-question.tsx";
import { LinkQuestion } from "./reply/link-question.tsx";

type SingleQuestion = Exclude<DialogQuestion, { kind: "form" | "link" }>;

function firstAnswer(question: SingleQuestion): DialogAnswer {
  switch (question.kind) {
    case "confirm":
      return question.default ?? true;
    case "select":
      return question.default ?? question.options[0]?.value ?? "";
    case "multi_select":
      return question.default ?? [];
    case "text":
      return question.default ?? "";
  }
}

interface PluginQuestionProps {
  dialog: Dialog;
  /** Names the agent too: for places that show several. */
  withAgent?: boolean;
}

/** A question of a running plugin, or of Patchbay about one. */
export function PluginQuestion(props: PluginQuestionProps) {
  const { about, question } = props.dialog;
  if (about?.kind === "host") return <HostQuestion {...props} about={about} />;
  if (about) return <ModelQuestion {...props} about={about} />;
  switch (question.kind) {
    case "form":
      return <FormQuestion {...props} question={question} />;
    case "link":
      return <LinkQuestion {...props} question={question} />;
    case "confirm":
    case "select":
    case "multi_select":
    case "text":
      return <OwnQuestion {...props} question={question} />;
  }
}

/** A question in the plugin's words, with who asks and while doing what. */
function OwnQuestion({ dialog, question, withAgent }: PluginQuestionProps & { question: SingleQuestion }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<DialogAnswer>(() => firstAnswer(question));
  const send = useAction(answerDialog);
  const plugin = useDisplayName(dialog.pluginKey) ?? dialog.pluginKey;

  return (
    <QuestionFrame
      dialog={dialog}
      withAgent={withAgent}
      label={t("question.label", { plugin })}
      icon={MessageCircleQuestion}
      heading={question.message}
      says={t("question.asks", { plugin })}
      context={dialog.context}
      problem={send.problem}
      skip={{ label: t("question.skip"), busy: send.busy, act: () => void send.act(dialog.id, null) }}
      onSubmit={() => void send.act(dialog.id, draft)}
      buttons={
        question.kind === "confirm" ? (
          <>
            <Button
              look="accent"
              ahead
              size="sm"
              disabled={send.busy}
              onClick={() => void send.act(dialog.id, true)}
            >
              {t("question.yes")}
            </Button>
            <Button size="sm" disabled={send.busy} onClick={() => void send.act(dialog.id, false)}>
              {t("question.no")}
            </Button>
          </>
        ) : (
          <Button look="accent" ahead size="sm" type="submit" busy={send.busy}>
            {t("question.answer")}
          </Button>
        )
      }
    >
      <div className="px-3.5 not-empty:pt-2.5">
        <QuestionControl question={question} value={draft} onChange={setDraft} />
      </div>
    </QuestionFrame>
  );
}
