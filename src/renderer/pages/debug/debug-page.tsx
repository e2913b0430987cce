import { useTranslation } from "react-i18next";
import { useAgentId } from "../../base/routes.ts";
import { ConversationView } from "../../features/conversation/conversation-view.tsx";
import { useMirror } from "../../store/mirror.ts";
import { SessionTree } from "./session-tree.tsx";

/** The conversation with the agent, and beside it what happened in it. */
export function DebugPage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const name = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  return (
    <div className="@container h-full animate-appear">
      <div className="flex h-full min-w-0">
        <section
          aria-label={t("conversation.title", { agent: name })}
          className="hidden w-[clamp(340px,42%,560px)] shrink-0 flex-col border-r border-line bg-surface @3xl:flex"
        >
          <ConversationView key={agentId} agentId={agentId} titleIs="h2" actions={null} />
        </section>
        <SessionTree key={agentId} agentId={agentId} />
      </div>
    </div>
  );
}
