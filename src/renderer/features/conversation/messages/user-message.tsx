import { Pencil, RotateCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Versions } from "../../../../contract/conversation/attached.ts";
import type { Aside } from "../../../../contract/turn.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { cx } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { WhyLink } from "../../why/public.ts";
import { MessageFiles } from "../files/message-files.tsx";
import type { UserItem } from "../items.ts";
import { EditMessage } from "./edit-message.tsx";
import { FoldedText } from "./folded-text.tsx";
import type { MessageActs } from "./message-acts.ts";
import { MessageTools } from "./message-tools.tsx";
import { PromptSaid } from "./prompt-said.tsx";

interface UserMessageProps {
  item: UserItem;
  place: { agentId: string; sessionId: string | null };
  /** Absent where the conversation can only be read. */
  acts: MessageActs | undefined;
  /** The agent is at work in this conversation. */
  isBusy: boolean;
  versions: Versions | undefined;
  /** No answer stands below, which would show its versions. */
  isUnanswered: boolean;
}

/** A message to the agent, with what the person can do with one of theirs. */
export function UserMessage({ item, place, acts, isBusy, versions, isUnanswered }: UserMessageProps) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const { attachments = [] } = item;
  const isOwn = item.from === undefined && item.by === undefined && !item.heard;
  const kept = attachments.map(({ file }) => ({ kept: file }));
  if (isEditing && acts)
    return (
      <EditMessage
        item={item}
        place={place}
        isBusy={isBusy}
        onSend={(text, files) => {
          setEditing(false);
          acts.rewrite(item.turnId, text, files);
        }}
        onClose={() => setEditing(false)}
      />
    );
  return (
    <div className="group/message ml-8 flex flex-col items-end" data-turn={item.turnId}>
      {item.prompt && <PromptSaid prompt={item.prompt} />}
      <MessageFiles files={attachments} place={place} />
      {item.text !== "" && (
        <div
          className={cx(
            "max-w-full rounded-lg rounded-br-sm px-3.5 py-2.5 break-words whitespace-pre-wrap",
            attachments.length > 0 && "mt-1.5",
            item.heard || item.aside?.kind === "dropped" || item.by !== undefined
              ? "border border-dashed border-line-strong text-mute"
              : "bg-ink/8",
          )}
        >
          <Writer item={item} />
          <FoldedText text={item.text} />
        </div>
      )}
      {item.aside && <AsideNote agentId={place.agentId} turnId={item.turnId} aside={item.aside} />}
      {isOwn && (
        <MessageTools
          label={t("conversation.toolsOfMessage")}
          side="right"
          of={versions?.messages || !isUnanswered ? "message" : "answer"}
          versions={versions?.messages ?? (isUnanswered ? (versions?.answers ?? null) : null)}
          onVersion={isBusy ? undefined : acts?.goTo}
        >
          <CopyButton bare text={() => item.text} label={t("conversation.copyMessage")} />
          {acts && (
            <>
              <IconButton
                label={t("conversation.editMessage")}
                className="size-7"
                disabled={isBusy}
                onClick={() => setEditing(true)}
              >
                <Pencil className="size-3.5" aria-hidden="true" />
              </IconButton>
              <IconButton
                label={t("conversation.sendAgain")}
                className="size-7"
                disabled={isBusy}
                onClick={() => acts.rewrite(item.turnId, item.text, kept)}
              >
                <RotateCw className="size-3.5" aria-hidden="true" />
              </IconButton>
            </>
          )}
        </MessageTools>
      )}
    </div>
  );
}

/** Who wrote a message; only read out where it was the person at this screen. */
function Writer({ item }: { item: UserItem }) {
  const { t } = useTranslation();
  const plugin = useDisplayName(item.by ?? null) ?? item.by;
  const name = plugin === undefined ? item.from : t("said.toAgent", { plugin });
  if (name === undefined) return <span className="sr-only">{t("conversation.you")} </span>;
  return <span className="mb-0.5 block text-xs text-mute">{name}</span>;
}

/** Says under a message why the agent does not answer it. */
function AsideNote({ agentId, turnId, aside }: { agentId: string; turnId: string; aside: Aside }) {
  const { t } = useTranslation();
  const plugin = useDisplayName(aside.by) ?? aside.by;
  const reason = aside.kind === "dropped" ? aside.reason : "";
  const key = aside.kind === "command" ? "madeCommand" : reason ? "dropped" : "droppedMute";
  return (
    <p className="mt-1 max-w-full text-right text-xs break-words text-mute">
      <span>{t(`conversation.${key}`, { plugin, reason })}</span>{" "}
      <WhyLink agentId={agentId} turnId={turnId} at={{ culprit: { kind: "message" } }} />
    </p>
  );
}
