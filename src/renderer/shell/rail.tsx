import { Bug, Compass, MessageSquareText, Plug, Settings as SettingsIcon, Wrench } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NavLink, useMatch } from "react-router";
import { debugPath, discoverPath, homePath, patterns, settingsPath, toolsPath } from "../base/routes.ts";
import { AgentSwitcher } from "../features/agents/agent-switcher.tsx";
import { usePauses } from "../features/pauses/public.ts";
import { waitingAt } from "../model/people.ts";
import { useMirror } from "../store/mirror.ts";
import { panels, usePanels } from "../store/panels.ts";
import { cx } from "../ui/class-names.ts";
import { ApprovalsLink } from "./approvals-link.tsx";
import { ConnectionMark } from "./connection-mark.tsx";
import { RailCount } from "./rail-count.tsx";
import { RailWord } from "./rail-word.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

interface RailProps {
  agentId: string;
  /** There is room for the marks alone; their words are told by titles and to screen readers. */
  narrow: boolean;
}

export function Rail({ agentId, narrow }: RailProps) {
  const { t } = useTranslation();
  const inSettings = useMatch(`${patterns.settings}/*`) !== null;
  const waiting = useMirror((state) => waitingAt(state, agentId));
  const stopped = usePauses((state) => state.pauses.length);
  const conversation = usePanels((state) => state.conversation);
  const onItsPage = useMatch(patterns.conversation) !== null;
  const titled = (
    entry: "plugins" | "discover" | "conversation" | "debug" | "approvals" | "tools" | "settings",
  ) => (narrow ? t(`rail.${entry}`) : undefined);
  return (
    <nav
      aria-label={t("rail.label")}
      data-narrow={narrow || undefined}
      className="group/rail flex w-52 shrink-0 flex-col overflow-y-auto border-r border-line bg-rail px-3 pt-3.5 pb-3 data-narrow:w-15 data-narrow:px-2"
    >
      <AgentSwitcher agentId={agentId} />
      <ul className="mt-4 space-y-0.5">
        <li>
          <NavLink to={homePath(agentId)} title={titled("plugins")} className={linkItem}>
            <Plug className="size-4 shrink-0" aria-hidden="true" />
            <RailWord>{t("rail.plugins")}</RailWord>
            <RailCount count={waiting} label={t("people.waitingCount", { count: waiting })} />
          </NavLink>
        </li>
        <li>
          <NavLink to={discoverPath(agentId)} title={titled("discover")} className={linkItem}>
            <Compass className="size-4 shrink-0" aria-hidden="true" />
            <RailWord>{t("rail.discover")}</RailWord>
          </NavLink>
        </li>
        <li>
          <button
            type="button"
            aria-pressed={conversation || onItsPage}
            title={titled("conversation")}
            onClick={() => !onItsPage && panels.toggleConversation()}
            className={railItem(onItsPage)}
          >
            <MessageSquareText className="size-4 shrink-0" aria-hidden="true" />
            <RailWord>{t("rail.conversation")}</RailWord>
            {conversation && !onItsPage && (
              <span
                className="size-1.5 shrink-0 rounded-full bg-accent group-data-narrow/rail:absolute group-data-narrow/rail:top-1.5 group-data-narrow/rail:right-1.5"
                aria-hidden="true"
              />
            )}
          </button>
        </li>
        <li>
          <NavLink to={debugPath(agentId)} title={titled("debug")} className={linkItem}>
            <Bug className="size-4 shrink-0" aria-hidden="true" />
            <RailWord>{t("rail.debug")}</RailWord>
            <RailCount count={stopped} label={t("pauses.count", { count: stopped })} />
          </NavLink>
        </li>
        <li>
          <ApprovalsLink agentId={agentId} title={titled("approvals")} className={railItem} />
        </li>
        <li>
          <NavLink to={toolsPath(agentId)} title={titled("tools")} className={linkItem}>
            <Wrench className="size-4 shrink-0" aria-hidden="true" />
            <RailWord>{t("rail.tools")}</RailWord>
          </NavLink>
        </li>
        <li>
          <NavLink
            to={settingsPath(agentId)}
            title={titled("settings")}
            className={() => railItem(inSettings)}
          >
            <SettingsIcon className="size-4 shrink-0" aria-hidden="true" />
            <RailWord>{t("rail.settings")}</RailWord>
          </NavLink>
        </li>
      </ul>
      <div className="mt-auto flex items-center gap-1 pt-3 group-data-narrow/rail:flex-col">
        <ConnectionMark />
        <ThemeMenu />
      </div>
    </nav>
  );
}

const linkItem = ({ isActive }: { isActive: boolean }) => railItem(isActive);

function railItem(active: boolean): string {
  return cx(
    "relative flex h-9 w-full items-center gap-3 rounded-md border px-2.5 font-medium transition-colors group-data-narrow/rail:px-3",
    active
      ? "border-line bg-surface text-ink shadow-[0_1px_2px_rgb(60_45_20/5%)]"
      : "border-transparent text-mute hover:bg-surface/60 hover:text-ink",
  );
}
