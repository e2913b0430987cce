import { Maximize2, PanelRightClose } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { conversationPath } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { IconButton } from "../../ui/controls/button.tsx";
import { ConversationView } from "./conversation-view.tsx";

/** The conversation with the agent, beside whatever page is open. */
export function ConversationPanel({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const name = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  return (
    <aside
      aria-label={t("conversation.title", { agent: name })}
      className="flex w-[min(400px,50%)] shrink-0 flex-col border-l border-line bg-surface animate-slide-in 2xl:w-[480px]"
    >
      <ConversationView
        agentId={agentId}
        actions={
          <>
            <IconButton
              label={t("conversation.asPage")}
              onClick={() => void navigate(conversationPath(agentId))}
            >
              <Maximize2 className="size-4" aria-hidden="true" />
            </IconButton>
            <IconButton label={t("conversation.hide")} onClick={() => panels.toggleConversation(false)}>
              <PanelRightClose className="size-4" aria-hidden="true" />
            </IconButton>
          </>
        }
      />
    </aside>
  );
}
