import { MessageCircleQuestion } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Dialog, DialogAnswer, DialogQuestion } from "../../../contract/dialogs/dialog.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useDisplayName } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { HostQuestion } from "./host-question.tsx";
import { ModelQuestion } from "./model-question.tsx";
import { QuestionControl } from "./question-control.tsx";
import { FormQuestion } from "./reply/form-question.tsx";
import { LinkQuestion } from "./reply/link-question.tsx";
import { TimeLeft } from "./time-left.tsx";

async function answerDialog(id: string, answer: DialogAnswer) {
  await rpc.dialogs.answer({ id, answer });
}

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
  const agent = useMirror((state) => state.agents.get(dialog.agentId)?.name ?? dialog.agentId);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send.act(dialog.id, draft);
  };

  return (
    <form
      onSubmit={submit}
      aria-label={t("question.label", { plugin })}
      className="rounded-lg border border-accent/45 bg-surface shadow-card"
    >
      <header className="flex items-center gap-2.5 px-3.5 pt-3">
        <MessageCircleQuestion className="size-4 shrink-0 text-accent" aria-hidden="true" />
        <h3 className="min-w-0 flex-1 text-sm font-semibold break-words whitespace-pre-line">
          {dialog.question.message}
        </h3>
        <TimeLeft from={dialog.createdAt} until={dialog.expiresAt} />
      </header>
      <p className="pt-0.5 pr-3.5 pl-10 text-xs text-mute">
        {[
          t("question.asks", { plugin }),
          ...(withAgent ? [t("approvals.forAgent", { agent })] : []),
          ...(dialog.context ? [dialog.context] : []),
        ].join(" · ")}
      </p>
      <div className="px-3.5 not-empty:pt-2.5">
        <QuestionControl question={question} value={draft} onChange={setDraft} />
        {send.problem && <ProblemNote className="mt-3" problem={send.problem} />}
      </div>
      <footer className="mt-3 flex items-center gap-2 border-t border-line px-3.5 py-2.5">
        {dialog.question.kind === "confirm" ? (
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
        )}
        <Button
          look="quiet"
          size="sm"
          className="-mr-2.5 ml-auto"
          disabled={send.busy}
          onClick={() => void send.act(dialog.id, null)}
        >
          {t("question.skip")}
        </Button>
      </footer>
    </form>
  );
}
