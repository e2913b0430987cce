import { PanelRightClose, SquarePen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { IconButton } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { PluginQuestion, useOpenDialogs, useWaitingApprovals } from "../approvals/public.ts";
import { Composer } from "./composer.tsx";
import { Transcript } from "./transcript-view.tsx";
import { useConversation } from "./use-conversation.ts";

/** The conversation with the agent, beside whatever page is open. */
export function ConversationPanel({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const conversation = useConversation(agentId);
  const agent = useMirror((state) => state.agents.get(agentId));
  const questions = useOpenDialogs(agentId);
  const approvals = useWaitingApprovals(agentId).filter(
    (approval) => approval.sessionId === conversation.sessionId,
  );
  const name = agent?.name ?? agentId;
  const noModel = agent?.model.kind === "none";

  return (
    <aside
      aria-label={t("conversation.title", { agent: name })}
      className="flex w-[400px] shrink-0 flex-col border-l border-line bg-surface animate-slide-in 2xl:w-[480px]"
    >
      <header className="flex items-center gap-1 border-b border-line py-3 pr-3 pl-5">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-lg leading-5 font-semibold">
            {t("conversation.title", { agent: name })}
          </h2>
          <p className="truncate text-xs text-mute">{noModel ? t("model.kind.none") : agent?.modelLabel}</p>
        </div>
        <IconButton
          label={t("conversation.new")}
          onClick={() => void conversation.startNew()}
          disabled={conversation.running}
        >
          <SquarePen className="size-4" aria-hidden="true" />
        </IconButton>
        <IconButton label={t("conversation.hide")} onClick={() => panels.toggleConversation(false)}>
          <PanelRightClose className="size-4" aria-hidden="true" />
        </IconButton>
      </header>
      <Transcript
        agentId={agentId}
        items={conversation.items}
        approvals={approvals}
        // An approval or question that waits is shown by its own card.
        working={conversation.running && approvals.length === 0 && questions.length === 0}
        empty={
          conversation.loaded
            ? t(noModel ? "conversation.noModel" : "conversation.empty", { agent: name })
            : ""
        }
        onChooseModel={noModel ? () => panels.editAgent(agentId) : undefined}
        onRetry={conversation.retry}
        after={
          <>
            {questions.map((dialog) => (
              <PluginQuestion key={dialog.id} dialog={dialog} />
            ))}
            {conversation.problem && <ProblemNote problem={conversation.problem} />}
          </>
        }
      />
      <Composer
        agentId={agentId}
        agentName={name}
        running={conversation.running}
        onSend={conversation.send}
        onStop={conversation.stop}
      />
    </aside>
  );
}
