import { useTranslation } from "react-i18next";
import { formatClock, formatMs } from "../../../base/i18n/time.ts";
import { cx } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { type MadeCall, useMadeCalls } from "./calls.ts";

interface CallHistoryProps {
  agentId: string;
  onUse(call: MadeCall): void;
}

/** The calls that were made on this tab, the newest first, each to be used again. */
export function CallHistory({ agentId, onUse }: CallHistoryProps) {
  const { t } = useTranslation();
  const calls = useMadeCalls(agentId);
  if (calls.length === 0) return null;
  return (
    <section aria-label={t("callTool.history")} className="mt-6 border-t border-line pt-3">
      <h2 className="text-sm font-semibold">{t("callTool.history")}</h2>
      <p className="text-xs text-mute">{t("callTool.historyText")}</p>
      <ol className="mt-1.5 divide-y divide-line">
        {calls.map((call) => (
          <li key={call.id} className="flex min-h-10 min-w-0 items-center gap-2.5 py-1">
            <time dateTime={call.at} className="figure shrink-0 text-hint">
              {formatClock(call.at)}
            </time>
            <code className="figure shrink-0 font-semibold">{call.title}</code>
            <code className="figure min-w-0 flex-1 truncate text-mute" title={JSON.stringify(call.input)}>
              {JSON.stringify(call.input)}
            </code>
            {call.straight && (
              <span className="shrink-0 text-xs text-mute">{t("callTool.mode.straight")}</span>
            )}
            <span
              className={cx(
                "shrink-0 text-xs",
                call.outcome === "executed" ? "text-mute" : "font-medium text-bad",
              )}
            >
              {t(outcomeKey(call))}
              {call.ms !== null && ` · ${formatMs(call.ms)}`}
            </span>
            <Button size="sm" look="quiet" onClick={() => onUse(call)}>
              {t("callTool.useAgain")}
            </Button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function outcomeKey({ outcome }: MadeCall) {
  if (outcome === null) return "callTool.wasStopped";
  return outcome === "executed" ? "callTool.ran.done" : (`tool.outcome.${outcome}` as const);
}
