import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { problemLine } from "../../../base/i18n/problem-words.ts";
import { pluginPath } from "../../../base/routes.ts";
import { currentProblem, healthOf } from "../../../model/health.ts";
import { displayName, useRow } from "../../../model/rows.ts";
import { useMirror } from "../../../store/mirror.ts";
import { StateMark } from "../../../ui/state-mark.tsx";

/** The cell with the focus, in words: a table has no room for them. */
export function MatrixStatus({ agentId, pluginKey }: { agentId: string | null; pluginKey: string | null }) {
  const { t } = useTranslation();
  return (
    <footer className="flex min-h-12 page-x flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
      {agentId !== null && pluginKey !== null && <CellInWords agentId={agentId} pluginKey={pluginKey} />}
      <p id="matrix-keys" className="ml-auto text-xs text-hint">
        {t("matrix.keys")}
      </p>
    </footer>
  );
}

function CellInWords({ agentId, pluginKey }: { agentId: string; pluginKey: string }) {
  const { t } = useTranslation();
  const row = useRow(agentId, pluginKey);
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const name = displayName(row);
  const problem = currentProblem(row);
  return (
    <>
      <span role="status" className="flex min-w-0 items-center gap-3">
        <span className="truncate font-semibold">{t("matrix.cell", { name, agent })}</span>
        <StateMark health={healthOf(row)} />
      </span>
      {problem && <span className="min-w-0 truncate text-mute">{problemLine(problem)}</span>}
      <Link
        to={pluginPath(agentId, pluginKey)}
        className="rounded-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
      >
        {t("matrix.openPlugin", { name })}
      </Link>
    </>
  );
}
