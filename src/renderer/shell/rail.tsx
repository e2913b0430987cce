import { Compass, MessageSquareText, Plug, Settings as SettingsIcon, Wrench } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NavLink, useMatch } from "react-router";
import { discoverPath, homePath, patterns, settingsPath, toolsPath } from "../base/routes.ts";
import { AgentSwitcher } from "../features/agents/agent-switcher.tsx";
import { waitingAt } from "../model/people.ts";
import { useMirror } from "../store/mirror.ts";
import { panels, usePanels } from "../store/panels.ts";
import { cx } from "../ui/class-names.ts";
import { ApprovalsLink } from "./approvals-link.tsx";
import { ConnectionMark } from "./connection-mark.tsx";
import { RailCount } from "./rail-count.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

export function Rail({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const inSettings = useMatch(`${patterns.settings}/*`) !== null;
  const waiting = useMirror((state) => waitingAt(state, agentId));
  const conversation = usePanels((state) => state.conversation);
  return (
    <nav
      aria-label={t("rail.label")}
      className="flex w-52 shrink-0 flex-col border-r border-line bg-rail px-3 pt-3.5 pb-3"
    >
      <AgentSwitcher agentId={agentId} />
      <ul className="mt-4 space-y-0.5">
        <li>
          <NavLink to={homePath(agentId)} className={({ isActive }) => railItem(isActive)}>
            <Plug className="size-4" aria-hidden="true" />
            <span className="flex-1 text-left">{t("rail.plugins")}</span>
            <RailCount count={waiting} label={t("people.waitingCount", { count: waiting })} />
          </NavLink>
        </li>
        <li>
          <NavLink to={discoverPath(agentId)} className={({ isActive }) => railItem(isActive)}>
            <Compass className="size-4" aria-hidden="true" />
            {t("rail.discover")}
          </NavLink>
        </li>
        <li>
          <button
            type="button"
            aria-pressed={conversation}
            onClick={() => panels.toggleConversation()}
            className={railItem(false)}
          >
            <MessageSquareText className="size-4" aria-hidden="true" />
            <span className="flex-1 text-left">{t("rail.conversation")}</span>
            {conversation && <span className="size-1.5 rounded-full bg-accent" aria-hidden="true" />}
          </button>
        </li>
        <li>
          <ApprovalsLink agentId={agentId} className={railItem} />
        </li>
        <li>
          <NavLink to={toolsPath(agentId)} className={({ isActive }) => railItem(isActive)}>
            <Wrench className="size-4" aria-hidden="true" />
            {t("rail.tools")}
          </NavLink>
        </li>
        <li>
          <NavLink to={settingsPath(agentId)} className={() => railItem(inSettings)}>
            <SettingsIcon className="size-4" aria-hidden="true" />
            {t("rail.settings")}
          </NavLink>
        </li>
      </ul>
      <div className="mt-auto flex items-center gap-1">
        <ConnectionMark />
        <ThemeMenu />
      </div>
    </nav>
  );
}

function railItem(active: boolean): string {
  return cx(
    "flex h-9 w-full items-center gap-3 rounded-md border px-2.5 font-medium transition-colors",
    active
      ? "border-line bg-surface text-ink shadow-[0_1px_2px_rgb(60_45_20/5%)]"
      : "border-transparent text-mute hover:bg-surface/60 hover:text-ink",
  );
}
