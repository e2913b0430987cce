import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { LogEntry } from "../../../../contract/agent-plugin.ts";
import { formatAgo } from "../../../base/i18n/time.ts";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { Block } from "../../../ui/well.tsx";
import { pastErrors } from "./error-history.ts";

const mostShown = 8;

interface ErrorListProps {
  entries: readonly LogEntry[];
  /** Milliseconds since 1970. */
  now: number;
}

/** The errors that the log still knows, so that one that comes again and again is seen as such. */
export const ErrorList = memo(function ErrorList({ entries, now }: ErrorListProps) {
  const { t } = useTranslation();
  const errors = useMemo(() => pastErrors(entries), [entries]);
  const rest = errors.length - mostShown;
  return (
    <Block title={t("errors.title")}>
      {errors.length === 0 ? (
        <EmptyState title={t("errors.none")} text={t("errors.noneText")} />
      ) : (
        <ol className="space-y-1.5 text-sm">
          {errors.slice(0, mostShown).map((error) => (
            <li key={error.text} className="flex items-baseline gap-4">
              <span className="figure line-clamp-2 min-w-0 flex-1 break-words" title={error.text}>
                {error.text.split("\n")[0]}
              </span>
              {error.count > 1 && (
                <span className="shrink-0 text-mute">{t("errors.times", { count: error.count })}</span>
              )}
              <time dateTime={error.lastAt} className="shrink-0 text-mute">
                {formatAgo(error.lastAt, now)}
              </time>
            </li>
          ))}
        </ol>
      )}
      {rest > 0 && <p className="mt-1.5 text-xs text-mute">{t("errors.more", { count: rest })}</p>}
    </Block>
  );
});
