import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { debugPath, pluginPath } from "../../../../base/routes.ts";
import { useMirror } from "../../../../store/mirror.ts";
import type { TimelineRow } from "../rows/rows.ts";

interface DetailLinksProps {
  agentId: string;
  row: TimelineRow;
  /** The line in the plugin's log that the row leads to; null: there is none. */
  logLine: { at: number; text: string | null } | null;
  nameOf(key: string): string;
}

/** From a row to the plugin whose doing it was, to the line in its log, and from a model call to what it was sent. */
export function DetailLinks({ agentId, row, logLine, nameOf }: DetailLinksProps) {
  const { t } = useTranslation();
  const { owner } = row;
  const isKnown = useMirror((state) => owner !== null && state.plugins.has(owner));
  const links: { to: string; words: string; state?: object }[] = [];
  if (owner !== null && isKnown) {
    links.push({ to: pluginPath(agentId, owner), words: t("detail.plugin", { plugin: nameOf(owner) }) });
    if (logLine !== null)
      links.push({
        to: pluginPath(agentId, owner, "activity"),
        words: t("detail.toLog"),
        state: { logLine },
      });
  }
  if (row.group === "model") links.push({ to: debugPath(agentId, "context"), words: t("detail.context") });
  if (links.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {links.map(({ to, words, state }) => (
        <Link
          key={to}
          to={to}
          state={state}
          className="rounded-sm text-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
        >
          {words}
        </Link>
      ))}
    </p>
  );
}
