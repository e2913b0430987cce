import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Versions } from "../../../../contract/conversation/attached.ts";
import { IconButton } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { useOwnerNames } from "../../approvals/public.ts";
import { WhyLink } from "../../why/public.ts";
import type { AssistantItem, UserItem } from "../items.ts";
import { RichText } from "../markdown/rich-text.tsx";
import type { MessageActs } from "./message-acts.ts";
import { MessageTools } from "./message-tools.tsx";

interface AnswerProps {
  agentId: string;
  item: AssistantItem;
  /** The message of the person that it answers, where it is the last that is said to it. */
  asked: UserItem | undefined;
  /** Absent where the conversation can only be read. */
  acts: MessageActs | undefined;
  /** The agent is at work in this conversation. */
  isBusy: boolean;
  versions: Versions | undefined;
}

/** What the agent said, with what the person can do with its last words. */
export function Answer({ agentId, item, asked, acts, isBusy, versions }: AnswerProps) {
  const { t } = useTranslation();
  return (
    <div className="group/message mr-8">
      <div className="flex">
        <div className="min-w-0 rounded-lg rounded-bl-sm bg-sunk px-3.5 py-2.5 break-words">
          <RichText text={item.text} streaming={item.streaming} />
          {item.changedBy && (
            <ChangedNote agentId={agentId} turnId={item.turnId} messageId={item.id} by={item.changedBy} />
          )}
          {item.cut && <p className="mt-1.5 text-xs text-mute">{t("conversation.cutOff")}</p>}
        </div>
      </div>
      {!item.streaming && (
        <MessageTools
          label={t("conversation.toolsOfAnswer")}
          side="left"
          of="answer"
          versions={asked ? (versions?.answers ?? null) : null}
          onVersion={isBusy ? undefined : acts?.goTo}
        >
          <CopyButton bare text={() => item.text} label={t("conversation.copyAnswer")} />
          {acts && asked && (
            <IconButton
              label={t("conversation.answerAgain")}
              className="size-7"
              disabled={isBusy}
              onClick={() =>
                acts.rewrite(
                  asked.turnId,
                  asked.text,
                  (asked.attachments ?? []).map(({ file }) => ({ kept: file })),
                )
              }
            >
              <RotateCw className="size-3.5" aria-hidden="true" />
            </IconButton>
          )}
        </MessageTools>
      )}
    </div>
  );
}

interface ChangedNoteProps {
  agentId: string;
  turnId: string;
  messageId: string;
  /** Keys of plugins. */
  by: string[];
}

/** Says below an answer that plugins changed it. */
function ChangedNote({ agentId, turnId, messageId, by }: ChangedNoteProps) {
  const { t } = useTranslation();
  const plugins = useOwnerNames(by).join(", ");
  return (
    <p className="mt-1.5 text-xs text-mute">
      {t("why.answerChanged", { plugins })} ·{" "}
      <WhyLink agentId={agentId} turnId={turnId} at={{ culprit: { kind: "answer", messageId } }} />
    </p>
  );
}
