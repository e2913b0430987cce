import { PanelRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { homePath, useAgentId } from "../../base/routes.ts";
import { ConversationView } from "../../features/conversation/conversation-view.tsx";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { IconButton } from "../../ui/controls/button.tsx";

/** The conversation with the agent over the whole width, with the list of all of them. */
export function ConversationPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const agentId = useAgentId();
  const name = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  return (
    <section
      aria-label={t("conversation.title", { agent: name })}
      className="flex h-full flex-col bg-surface animate-appear"
    >
      <ConversationView
        key={agentId}
        agentId={agentId}
        wide
        titleIs="h1"
        actions={
          <IconButton
            label={t("conversation.asPanel")}
            onClick={() => {
              panels.toggleConversation(true);
              void navigate(homePath(agentId));
            }}
          >
            <PanelRight className="size-4" aria-hidden="true" />
          </IconButton>
        }
      />
    </section>
  );
}
