import type { TFunction } from "i18next";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { WalledEvent } from "../../../contract/permissions/view.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatAgo, formatMoment } from "../../base/i18n/time.ts";
import { pluginPath } from "../../base/routes.ts";
import type { Row } from "../../model/rows.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";
import { stepWords } from "./step-words.ts";

const mostShown = 12;

/** What walls refused to the plugin and what the person granted to it, from the audit log. */
export function WalledEvents({ row, now }: { row: Row; now: number }) {
  const { t } = useTranslation();
  const connected = useMirror(isConnected);
  const [events, setEvents] = useState<WalledEvent[] | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const { agentId, key, view } = row;
  const changed = `${view?.revision ?? 0} ${view?.seen?.refused ?? 0}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `changed` says when to ask again
  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    rpc.agentPlugins.walledEvents({ agentId, key }, { signal: leaving.signal }).then(
      (read) => {
        setEvents(read);
        setProblem(null);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => leaving.abort();
  }, [connected, agentId, key, changed]);

  return (
    <Block
      title={t("permissions.events")}
      action={
        <Link
          to={pluginPath(agentId, key, "permissions")}
          className="rounded-sm text-xs font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
        >
          {t("permissions.events.open")}
        </Link>
      }
    >
      {problem && <ProblemNote problem={problem} />}
      {events?.length === 0 && <p className="text-sm text-mute">{t("permissions.events.none")}</p>}
      <ol className="space-y-1.5 text-sm">
        {events?.slice(0, mostShown).map((event) => (
          <li key={`${event.at} ${event.kind} ${event.target}`} className="flex items-baseline gap-4">
            <bdi className="min-w-0 flex-1 break-words">{eventWords(t, event)}</bdi>
            <time dateTime={event.at} title={formatMoment(event.at)} className="shrink-0 text-xs text-mute">
              {formatAgo(event.at, now)}
            </time>
          </li>
        ))}
      </ol>
    </Block>
  );
}

function eventWords(t: TFunction, { kind, wall = "", target = "", steps, ...told }: WalledEvent): string {
  // Lines of older versions have English words alone.
  const words = (of: "grew" | "shrank") => steps?.[of].map((step) => stepWords(t, step)) ?? told[of] ?? [];
  switch (kind) {
    case "agent_plugin.host_granted":
      return t("permissions.event.hostGranted", { target });
    case "agent_plugin.granted":
      return [
        ...(words("grew").length > 0
          ? [t("permissions.event.grew", { what: words("grew").join(", ") })]
          : []),
        ...(words("shrank").length > 0
          ? [t("permissions.event.shrank", { what: words("shrank").join(", ") })]
          : []),
      ].join(" ");
    case "wall.refused":
      switch (wall) {
        case "network":
        case "files":
        case "programs":
        case "signals":
        case "secrets":
          return t(`permissions.event.refused.${wall}`, { target });
        default:
          return t("permissions.event.refused.other", { wall, target });
      }
  }
}
