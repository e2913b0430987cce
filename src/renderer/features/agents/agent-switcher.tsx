import { Check, ChevronsUpDown, Pencil, Plus, Wrench } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useShallow } from "zustand/react/shallow";
import type { AgentView } from "../../../contract/agent.ts";
import { homePath, toolsPath } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { Menu, MenuHeading, MenuItem, MenuSeparator } from "../../ui/controls/menu.tsx";
import { Face } from "../../ui/face.tsx";

export function AgentSwitcher({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const agents = useMirror(useShallow((state) => [...state.agents.values()]));
  const current = agents.find((agent) => agent.id === agentId);
  if (!current) return null;

  return (
    <Menu
      className="w-64"
      trigger={
        <button
          type="button"
          title={current.name}
          className="flex w-full items-center gap-2.5 rounded-lg border border-line bg-surface px-2.5 py-2 text-left group-data-narrow/rail:justify-center group-data-narrow/rail:px-0 shadow-[0_1px_2px_rgb(60_45_20/5%)] transition-colors hover:border-line-strong"
        >
          <span className="sr-only">{t("agents.switch")} </span>
          <AgentFace agent={current} />
          <span className="min-w-0 flex-1 group-data-narrow/rail:sr-only">
            <span className="block truncate text-base font-semibold">{current.name}</span>
            <AgentLine agent={current} />
          </span>
          <ChevronsUpDown
            className="size-4 shrink-0 text-hint group-data-narrow/rail:hidden"
            aria-hidden="true"
          />
        </button>
      }
    >
      <MenuHeading>{t("agents.title")}</MenuHeading>
      {agents.map((agent) => (
        <MenuItem
          key={agent.id}
          onSelect={() => void navigate(homePath(agent.id))}
          icon={<AgentFace agent={agent} />}
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{agent.name}</span>
            <AgentLine agent={agent} />
          </span>
          {agent.id === agentId && <Check className="size-4 text-accent" aria-hidden="true" />}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem
        onSelect={() => panels.editAgent(agentId)}
        icon={<Pencil className="size-4 text-mute" aria-hidden="true" />}
      >
        {t("agents.edit", { agent: current.name })}
      </MenuItem>
      <MenuItem
        onSelect={() => void navigate(toolsPath(agentId))}
        icon={<Wrench className="size-4 text-mute" aria-hidden="true" />}
      >
        {t("tools.ofAgent", { agent: current.name })}
      </MenuItem>
      <MenuItem
        onSelect={() => panels.createAgent(true)}
        icon={<Plus className="size-4 text-mute" aria-hidden="true" />}
      >
        {t("agents.create")}
      </MenuItem>
    </Menu>
  );
}

function AgentLine({ agent }: { agent: AgentView }) {
  const { t } = useTranslation();
  return (
    <span className="flex text-xs whitespace-pre text-mute">
      <span className="truncate">{agent.model.kind === "none" ? t("agents.noModel") : agent.modelLabel}</span>
      <span className="shrink-0">{t("agents.line", { count: agent.pluginsOn })}</span>
      {agent.worst !== "ok" && <span className="sr-only"> · {t(`agents.worst.${agent.worst}`)}</span>}
    </span>
  );
}

const worstTones = { ok: "bg-ok", needs_setup: "bg-warn", problem: "bg-bad" } as const;

function AgentFace({ agent }: { agent: AgentView }) {
  return (
    <span className="relative">
      <Face letters seed={`agent:${agent.id}`} name={agent.name.slice(0, 1).toUpperCase()} size="sm" />
      {agent.worst !== "ok" && (
        <span
          className={`absolute -right-1 -bottom-1 size-2.5 rounded-full border-2 border-surface ${worstTones[agent.worst]}`}
        />
      )}
    </span>
  );
}
