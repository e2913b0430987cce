import { useTranslation } from "react-i18next";
import type { PluginPermissions, RefusedTally, Tally } from "../../../contract/permissions/view.ts";
import { formatAgo, formatMoment } from "../../base/i18n/time.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Block } from "../../ui/well.tsx";
import { hostOfAttempt } from "./grant-edits.ts";

const mostShown = 30;

interface SeenPartProps {
  seen: PluginPermissions["seen"];
  now: number;
  busy: boolean;
  onAllow(host: string): void;
}

/** What it reached and what it was refused since Patchbay started, the most recent first. */
export function SeenPart({ seen, now, busy, onAllow }: SeenPartProps) {
  const { t } = useTranslation();
  const nothing = seen.reached.length + seen.refused.length === 0;
  return (
    <Block title={t("permissions.seen")}>
      {nothing && <p className="text-sm text-mute">{t("permissions.seen.nothing")}</p>}
      {seen.refused.length > 0 && (
        <section aria-label={t("permissions.seen.refused")}>
          <h3 className="mb-1 text-xs font-semibold text-bad">{t("permissions.seen.refused")}</h3>
          <ul className="divide-y divide-line text-sm">
            {seen.refused.slice(0, mostShown).map((tally) => (
              <Refused key={`${tally.wall} ${tally.target}`} {...{ tally, now, busy, onAllow }} />
            ))}
          </ul>
        </section>
      )}
      {seen.reached.length > 0 && (
        <section aria-label={t("permissions.seen.reached")} className="mt-3 first:mt-0">
          <h3 className="mb-1 text-xs font-semibold text-ok">{t("permissions.seen.reached")}</h3>
          <ul className="divide-y divide-line text-sm">
            {seen.reached.slice(0, mostShown).map((tally) => (
              <li key={tally.target} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
                <bdi className="figure min-w-0 flex-1 break-all">{tally.target}</bdi>
                <Times tally={tally} now={now} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Block>
  );
}

interface RefusedProps {
  tally: RefusedTally;
  now: number;
  busy: boolean;
  onAllow(host: string): void;
}

function Refused({ tally, now, busy, onAllow }: RefusedProps) {
  const { t } = useTranslation();
  const host = tally.wall === "network" ? hostOfAttempt(tally.target) : null;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <div className="min-w-0 flex-1 basis-48">
        <span className="text-xs text-mute">{t(`permissions.wall.${tally.wall}`)} </span>
        <bdi className="figure break-all">{tally.target}</bdi>
        {tally.seenBy === "process" && (
          <span className="ml-2 text-xs text-hint" title={t("permissions.seen.toldHelp")}>
            {t("permissions.seen.told")}
          </span>
        )}
      </div>
      <Times tally={tally} now={now} />
      {host !== null && (
        <Button size="sm" className="max-w-full" disabled={busy} onClick={() => onAllow(host)}>
          <span className="truncate">{t("permissions.allow", { name: host })}</span>
        </Button>
      )}
    </li>
  );
}

function Times({ tally, now }: { tally: Tally; now: number }) {
  const { t } = useTranslation();
  return (
    <span className="shrink-0 text-xs text-mute">
      {t("permissions.seen.times", { count: tally.count })},{" "}
      <time dateTime={tally.at} title={formatMoment(tally.at)}>
        {formatAgo(tally.at, now)}
      </time>
    </span>
  );
}
