import { Brain, Check, ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AgentView } from "../../../../contract/agent.ts";
import type { AgentThinking } from "../../../../contract/models/thinking.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Menu, MenuItem } from "../../../ui/controls/menu.tsx";
import { useLevels } from "./use-levels.ts";

async function setThinking(agentId: string, thinking: AgentThinking): Promise<AgentView> {
  const saved = await rpc.agents.update({ agentId, thinking });
  useMirror.setState((state) => ({ agents: new Map(state.agents).set(saved.id, saved) }));
  return saved;
}

/** How much the agent's model thinks, as a small button; nothing where the model knows no levels. */
export function ThinkingPicker({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const agent = useMirror((state) => state.agents.get(agentId));
  const levels = useLevels(agentId, agent?.model);
  const save = useAction(setThinking);
  if (!agent || levels.length === 0) return null;
  const chosen = agent.thinking ?? "default";
  const options: AgentThinking[] = ["default", ...levels];
  return (
    <Menu
      trigger={
        <button
          type="button"
          disabled={save.busy}
          title={save.problem?.message}
          aria-label={t("thinking.label", { level: t(`thinking.${chosen}`) })}
          className="flex h-7 items-center gap-1 rounded-md px-2 text-xs text-mute transition-colors hover:bg-sunk hover:text-ink"
        >
          <Brain className="size-3.5 shrink-0" aria-hidden="true" />
          <span className="truncate">
            {t(chosen === "default" ? "thinking.title" : `thinking.${chosen}`)}
          </span>
          <ChevronDown className="size-3 shrink-0" aria-hidden="true" />
        </button>
      }
    >
      {options.map((level) => (
        <MenuItem key={level} onSelect={() => void save.act(agentId, level)}>
          <Check className={level === chosen ? "size-3.5" : "size-3.5 opacity-0"} aria-hidden="true" />
          {t(`thinking.${level}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
