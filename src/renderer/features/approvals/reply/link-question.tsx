import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Dialog, DialogQuestion } from "../../../../contract/dialogs/dialog.ts";
import { addressParts } from "../../../../contract/dialogs/page-address.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { answerDialog } from "../answer-dialog.ts";
import { QuestionCard } from "./question-card.tsx";

interface LinkQuestionProps {
  dialog: Dialog;
  question: Extract<DialogQuestion, { kind: "link" }>;
  withAgent?: boolean | undefined;
}

/** A page that a plugin wants opened. Nothing of it is loaded before the person presses the button. */
export function LinkQuestion({ dialog, question, withAgent }: LinkQuestionProps) {
  const { t } = useTranslation();
  const [isOpened, setOpened] = useState(false);
  const send = useAction(answerDialog);
  const { before, host, after, disguised } = addressParts(question.url);
  const open = () => {
    // The desktop app hands it to the system's browser, and only addresses of pages.
    window.open(question.url, "_blank", "noopener,noreferrer");
    setOpened(true);
  };
  const finish = () => void send.act(dialog.id, { action: "accept", values: {} });
  return (
    <QuestionCard
      dialog={dialog}
      withAgent={withAgent}
      icon={ExternalLink}
      problem={send.problem}
      skip={{ label: t("common.cancel"), busy: send.busy, act: () => void send.act(dialog.id, null) }}
      onSubmit={isOpened ? finish : open}
      buttons={
        <>
          <Button look="accent" ahead size="sm" type="submit" busy={send.busy}>
            {t(isOpened ? "reply.finished" : "reply.open")}
          </Button>
          {isOpened ? (
            <Button size="sm" disabled={send.busy} onClick={open}>
              {t("reply.openAgain")}
            </Button>
          ) : (
            <Button
              size="sm"
              disabled={send.busy}
              onClick={() => void send.act(dialog.id, { action: "decline" })}
            >
              {t("reply.decline")}
            </Button>
          )}
        </>
      }
    >
      <p className="rounded-md border border-line bg-sunk px-3 py-2 text-sm">
        <bdi className="figure break-all text-mute">
          {before}
          <strong className="font-semibold text-ink">{host}</strong>
          {after}
        </bdi>
      </p>
      {disguised && (
        <p className="rounded-md border border-warn/35 bg-warn-wash px-3 py-2 text-sm">{t("host.letters")}</p>
      )}
      <p className="text-xs text-mute">
        {t(isOpened ? "reply.afterOpening" : "reply.beforeOpening", { host })}
      </p>
    </QuestionCard>
  );
}
