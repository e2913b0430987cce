import { History, Paperclip, SquarePen } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseSession } from "../../store/chosen-session.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { noteSeen } from "../../store/seen-sessions.ts";
import { cx } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { PluginQuestion, useOpenDialogs, useWaitingApprovals } from "../approvals/public.ts";
import { ModelPicker, ThinkingPicker } from "../models/public.ts";
import { lookAtHeld } from "../offered/public.ts";
import { PauseBar } from "../pauses/public.ts";
import { Composer } from "./composer/composer.tsx";
import { useDroppedFiles } from "./composer/dropped-files.ts";
import { attach } from "./files/attached-files.ts";
import { useViewKeys } from "./keys/view-keys.ts";
import { ConversationList } from "./list/conversation-list.tsx";
import { titleOf } from "./list/session-line.tsx";
import { useSession } from "./list/use-session.ts";
import { Transcript } from "./transcript-view.tsx";
import { useConversation } from "./use-conversation.ts";

interface ConversationViewProps {
  agentId: string;
  /** Where there is room, the list of conversations stands at its side. */
  wide?: boolean;
  /** The title is that of the whole screen, or of a part of it. */
  titleIs: "h1" | "h2";
  /** At the end of the header. */
  actions: ReactNode;
  /** A turn that stands still is shown here; not where the page around it does. */
  hasPauseBar?: boolean;
}

/** One conversation with the agent, with the way to all the others. */
export function ConversationView({
  agentId,
  wide = false,
  titleIs: Title,
  actions,
  hasPauseBar = true,
}: ConversationViewProps) {
  const { t } = useTranslation();
  const conversation = useConversation(agentId);
  const [listed, setListed] = useState(false);
  useViewKeys({ agentId, ...conversation });
  const written = useMemo(
    () =>
      conversation.items.flatMap((item) =>
        item.kind === "user" && item.from === undefined ? [item.text] : [],
      ),
    [conversation.items],
  );
  const session = useSession(agentId, conversation.sessionId);
  useEffect(() => {
    if (session) noteSeen(session);
  }, [session]);
  const agent = useMirror((state) => state.agents.get(agentId));
  const questions = useOpenDialogs(agentId);
  const approvals = useWaitingApprovals(agentId).filter(
    (approval) => approval.sessionId === conversation.sessionId,
  );
  const name = agent?.name ?? agentId;
  const noModel = agent?.model.kind === "none";
  const model = noModel ? t("model.kind.none") : agent?.modelLabel;
  const title = session && session.messages > 0 ? titleOf(session, "") : "";
  const isForReading = session?.source.kind === "channel" || session?.status === "closed";
  const place = `${agentId}/${conversation.sessionId ?? "new"}`;
  const dropped = useDroppedFiles(
    isForReading ? undefined : ({ files, folders }) => attach(place, files, folders),
  );
  const list = (
    <ConversationList
      agentId={agentId}
      sessionId={conversation.sessionId}
      onOpen={(id) => {
        chooseSession(agentId, id);
        setListed(false);
      }}
    />
  );

  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex items-center gap-1 border-b border-line py-3 pr-3 pl-5">
        <div className="min-w-0 flex-1">
          <Title className="truncate text-lg leading-5 font-semibold">
            {t("conversation.title", { agent: name })}
          </Title>
          <p className="truncate text-xs text-mute">{[title, model].filter(Boolean).join(" · ")}</p>
        </div>
        <IconButton
          label={t(listed ? "conversations.hide" : "conversations.show")}
          aria-expanded={listed}
          className={cx(wide && "@3xl:hidden")}
          onClick={() => setListed(!listed)}
        >
          <History className="size-4" aria-hidden="true" />
        </IconButton>
        <IconButton
          label={t("conversation.new")}
          onClick={() => {
            setListed(false);
            void conversation.startNew();
          }}
        >
          <SquarePen className="size-4" aria-hidden="true" />
        </IconButton>
        {actions}
      </header>
      <div className="flex min-h-0 flex-1">
        {wide && <div className="hidden w-72 shrink-0 border-r border-line @3xl:flex">{list}</div>}
        {listed ? <div className={cx("flex min-w-0 flex-1", wide && "@3xl:hidden")}>{list}</div> : null}
        <div
          {...dropped.on}
          className={cx(
            "relative min-w-0 flex-1 flex-col",
            wide && "mx-auto max-w-[880px]",
            listed ? (wide ? "hidden @3xl:flex" : "hidden") : "flex",
          )}
        >
          <Transcript
            agentId={agentId}
            sessionId={conversation.sessionId}
            items={conversation.items}
            approvals={approvals}
            versions={conversation.versions}
            running={conversation.running}
            asked={conversation.asked}
            acts={isForReading ? undefined : conversation.acts}
            // An approval or question that waits is shown by its own card.
            working={conversation.running && approvals.length === 0 && questions.length === 0}
            empty={
              conversation.loaded
                ? {
                    title: t(noModel ? "conversation.noModel" : "conversation.empty", { agent: name }),
                    text: t(noModel ? "conversation.noModelText" : "conversation.emptyText"),
                  }
                : null
            }
            onChooseModel={noModel ? () => panels.editAgent(agentId) : undefined}
            onRetry={isForReading ? undefined : conversation.retry}
            onAsk={isForReading ? undefined : (text) => void conversation.send(text)}
            after={
              <>
                {questions.map((dialog) => (
                  <PluginQuestion key={dialog.id} dialog={dialog} />
                ))}
                {conversation.problem && (
                  <ProblemNote
                    problem={conversation.problem}
                    action={lookAtHeld(agentId, conversation.problem)}
                  />
                )}
              </>
            }
          />
          {dropped.isOver && (
            <div className="pointer-events-none absolute inset-3 z-20 grid place-items-center rounded-xl border-2 border-dashed border-accent bg-surface/90 text-center animate-appear">
              <p className="grid justify-items-center gap-2 font-semibold">
                <Paperclip className="size-7 text-accent" aria-hidden="true" />
                {t("conversation.dropHere")}
              </p>
            </div>
          )}
          {hasPauseBar && <PauseBar agentId={agentId} sessionId={conversation.sessionId} />}
          {isForReading ? (
            <p className="border-t border-line px-5 py-3 text-center text-sm text-pretty text-mute">
              {t(session?.source.kind === "channel" ? "conversations.ofChannel" : "conversations.isOver")}
            </p>
          ) : (
            <Composer
              place={place}
              agentId={agentId}
              agentName={name}
              running={conversation.running}
              written={written}
              onSend={conversation.send}
              onStop={conversation.stop}
              foot={
                <>
                  <ModelPicker agentId={agentId} />
                  <ThinkingPicker agentId={agentId} />
                </>
              }
            />
          )}
        </div>
      </div>
    </div>
  );
}
