import { Maximize2, PanelRightClose } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { conversationPath } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { cx } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/controls/button.tsx";
import { ConversationView } from "./conversation-view.tsx";

interface ConversationPanelProps {
  agentId: string;
  /** It has the place of the page, which has no room beside it. */
  alone: boolean;
}

/** The conversation with the agent, beside whatever page is open. */
export function ConversationPanel({ agentId, alone }: ConversationPanelProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const name = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const Part = alone ? "main" : "aside";
  return (
    <Part
      aria-label={t("conversation.title", { agent: name })}
      className={cx(
        "flex flex-col bg-surface animate-slide-in",
        alone ? "min-w-0 flex-1" : "w-[clamp(360px,36%,480px)] max-w-[50%] shrink-0 border-l border-line",
      )}
    >
      <ConversationView
        agentId={agentId}
        titleIs={alone ? "h1" : "h2"}
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
    </Part>
  );
}
