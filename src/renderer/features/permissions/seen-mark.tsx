import { Globe, ShieldX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatCount, useNow } from "../../base/i18n/time.ts";
import { pluginPath } from "../../base/routes.ts";
import type { Row } from "../../model/rows.ts";
import { cx } from "../../ui/class-names.ts";

/** How long a refusal counts as one that was just now, in milliseconds. */
const justNowMs = 30_000;

/** Small, on a plugin's card: how often it reached a host and how often it was refused something, and what just now. */
export function SeenMark({ row }: { row: Row }) {
  const { t } = useTranslation();
  const now = useNow(5_000);
  const seen = row.view?.seen;
  if (!seen) return null;
  const last = seen.lastRefused;
  const fresh = last !== null && now - Date.parse(last.at) < justNowMs;
  const words = t("permissions.mark", {
    reached: formatCount(seen.reached),
    refused: formatCount(seen.refused),
  });
  return (
    <Link
      to={pluginPath(row.agentId, row.key, "permissions")}
      aria-label={fresh ? `${words}. ${t("permissions.justRefused", { target: last.target })}` : words}
      title={words}
      className={cx(
        "relative z-10 inline-flex h-5 max-w-full items-center gap-1.5 rounded-sm px-1.5 text-xs whitespace-nowrap transition-colors",
        fresh ? "bg-bad-wash text-bad" : "bg-sunk text-mute hover:text-ink",
      )}
    >
      {seen.reached > 0 && !fresh && (
        <>
          <Globe className="size-3 shrink-0" aria-hidden="true" />
          <span aria-hidden="true">{formatCount(seen.reached)}</span>
        </>
      )}
      {seen.refused > 0 && (
        <>
          <ShieldX className="size-3 shrink-0" aria-hidden="true" />
          <span aria-hidden="true" className="truncate">
            {fresh ? t("permissions.justRefused", { target: last.target }) : formatCount(seen.refused)}
          </span>
        </>
      )}
    </Link>
  );
}
