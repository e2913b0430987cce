import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pluginPath } from "../../../base/routes.ts";
import { ReviewMark } from "../../../features/offered/public.ts";
import { useSeveralRuntimes } from "../../../model/runtimes.ts";
import { useMirror } from "../../../store/mirror.ts";
import { RuntimeBadge } from "../../../ui/badge.tsx";
import { cx } from "../../../ui/class-names.ts";
import { Face } from "../../../ui/face.tsx";
import type { Spot } from "./use-roving.ts";

interface AgentHeadProps {
  agentId: string;
  /** Number of the column, from 1. */
  column: number;
  current: boolean;
  /** In pixels. */
  left: number;
  width: number;
  height: number;
}

export const AgentHead = memo(function AgentHead(props: AgentHeadProps) {
  const { agentId, column, current, left, width, height } = props;
  const { t } = useTranslation();
  const name = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const on = useMirror((state) => state.agents.get(agentId)?.pluginsOn ?? 0);
  const count = useMirror((state) => state.plugins.size);
  return (
    <div
      role="columnheader"
      aria-colindex={column}
      className={cx(
        "absolute top-0 flex items-center gap-2.5 px-3",
        current && "shadow-[inset_0_3px_0_var(--accent)]",
      )}
      style={{ left, width, height }}
    >
      <Face letters seed={`agent:${agentId}`} name={name.slice(0, 1).toUpperCase()} size="sm" />
      <div className="min-w-0">
        <p className="truncate text-sm font-semibold" title={name}>
          {name}
        </p>
        <p className="text-xs text-mute">{t("matrix.counts", { on, count })}</p>
      </div>
    </div>
  );
});

interface PluginHeadProps {
  agentId: string;
  pluginKey: string;
  row: number;
  tabStop: boolean;
  onFocus(spot: Spot): void;
  width: number;
}

export const PluginHead = memo(function PluginHead(props: PluginHeadProps) {
  const { agentId, pluginKey, row, tabStop, onFocus, width } = props;
  const plugin = useMirror((state) => state.plugins.get(pluginKey));
  const name = plugin?.displayName ?? pluginKey;
  const several = useSeveralRuntimes();
  return (
    <div
      role="rowheader"
      aria-colindex={1}
      className="sticky left-0 z-20 h-full border-r border-line bg-surface"
      style={{ width }}
    >
      <Link
        to={pluginPath(agentId, pluginKey)}
        tabIndex={tabStop ? 0 : -1}
        data-spot={`${row}:0`}
        onFocus={() => onFocus({ row, column: 0 })}
        className="flex h-full items-center gap-3 px-4 -outline-offset-2 hover:bg-sunk"
      >
        <Face
          seed={pluginKey}
          name={name}
          icon={plugin?.declaration.icon}
          ours={plugin?.source.kind === "builtin"}
          size="sm"
        />
        <span className="line-clamp-2 min-w-0 flex-1 font-semibold break-words">{name}</span>
        <ReviewMark plain agentId={agentId} pluginKey={pluginKey} count={plugin?.toLookAt} />
        {several && plugin && <RuntimeBadge runtime={plugin.runtime} />}
      </Link>
    </div>
  );
});
