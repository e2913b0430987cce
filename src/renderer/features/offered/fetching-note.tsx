import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { formatClock } from "../../base/i18n/time.ts";
import { healthOf } from "../../model/health.ts";
import type { Row } from "../../model/rows.ts";
import { putRow } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { cx } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface FetchingNoteProps {
  /** What is going on. */
  text: string;
  /** When the wait ends, where its program may have to be fetched first; else null. */
  until: string | null;
  onWaitLonger(): Promise<unknown>;
  className?: string;
}

/** A plugin starts. Where its program may still be downloading, how long that is waited for, and the button to wait longer. */
export function FetchingNote({ text, until, onWaitLonger, className = "" }: FetchingNoteProps) {
  const { t } = useTranslation();
  const waiting = useAction(onWaitLonger);
  return (
    <div className={className}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-mute">
        <Spinner />
        <p role="status" className={cx("min-w-0 flex-1", until !== null && "basis-56")}>
          {text} {until !== null && t("check.fetching", { time: formatClock(until) })}
        </p>
        {until !== null && (
          <Button size="sm" busy={waiting.busy} onClick={() => void waiting.act()}>
            {t("check.waitLonger")}
          </Button>
        )}
      </div>
      {waiting.problem && <ProblemNote className="mt-2" problem={waiting.problem} />}
    </div>
  );
}

/** The same of a plugin that an agent has switched on; nothing where it is not starting. */
export function StartingNote({ row, className = "" }: { row: Row; className?: string }) {
  const { t } = useTranslation();
  const { agentId, key, view } = row;
  if (!view?.enabled || healthOf(row) !== "starting") return null;
  return (
    <FetchingNote
      className={className}
      text={t("starts.fetching")}
      until={view.instance.fetchesUntil ?? null}
      onWaitLonger={async () => putRow(await rpc.agentPlugins.waitLonger({ agentId, key }))}
    />
  );
}
