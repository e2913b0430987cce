import { Check } from "lucide-react";
import { memo, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { CatalogEntry } from "../../../contract/job.ts";
import { descriptionOf } from "../../base/i18n/plugin-words.ts";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { foundPath, pluginPath } from "../../base/routes.ts";
import { adviceLine, waysLine } from "../../features/catalogue/advice-words.ts";
import { useDiscover } from "../../features/catalogue/discover-store.ts";
import { useEntryIcon } from "../../features/catalogue/entry-icon.ts";
import { useFindInstalled } from "../../features/catalogue/installed.ts";
import { madeForWords } from "../../features/catalogue/made-for.ts";
import { startInstall } from "../../features/install/start-install.ts";
import { ReviewMark } from "../../features/offered/public.ts";
import { useSeveralRuntimes } from "../../model/runtimes.ts";
import { useAction } from "../../ui/action.ts";
import { RuntimeBadge, TrustBadge } from "../../ui/badge.tsx";
import { CapabilityBadges } from "../../ui/capability-badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Face } from "../../ui/face.tsx";
import { EntryJack } from "../../ui/patch/jack.tsx";
import { FoundText } from "./found-text.tsx";
import { whyItFits } from "./why-it-fits.ts";

/** In pixels; every card has the same, so that thousands can be laid out without being measured. */
export const cardHeight = 136;

/** One thing that can be installed. */
export const DiscoverCard = memo(function DiscoverCard({
  agentId,
  entry,
  query,
}: {
  agentId: string;
  entry: CatalogEntry;
  /** What was searched for: the words by which it was found are marked. */
  query: string;
}) {
  const { t } = useTranslation();
  const installed = useFindInstalled()(entry);
  const icon = useEntryIcon(entry);
  const install = useAction(startInstall);
  // While the press is under way, this card may have been given another entry.
  const [pressedFor, setPressedFor] = useState<string | null>(null);
  const isPressed = pressedFor === entry.spec;
  const version = installed?.packageVersion ?? entry.packageVersion;
  const why = useMemo(() => whyItFits(entry, query), [entry, query]);
  const several = useSeveralRuntimes();
  const severalListed = useDiscover((state) => state.index.runtimes.length > 1);
  return (
    <article
      aria-label={entry.displayName}
      className="relative flex h-full flex-col rounded-lg border border-line bg-surface px-4 pt-3.5 pb-3 pl-5 shadow-card transition-colors hover:border-line-strong"
    >
      <EntryJack runtime={entry.runtime ?? installed?.runtime ?? null} installed={installed !== null} />
      <div className="flex min-h-0 flex-1 gap-3.5">
        <Face
          seed={entry.manifestKey ?? entry.packageName}
          name={entry.displayName}
          icon={icon}
          ours={entry.trust === "built-in"}
        />
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-2">
            <Link
              to={foundPath(agentId, entry.spec)}
              className="truncate rounded-sm text-base font-semibold after:absolute after:inset-0 after:rounded-lg hover:text-accent"
            >
              <FoundText text={entry.displayName} query={query} />
            </Link>
            {(several || severalListed) && entry.runtime && <RuntimeBadge runtime={entry.runtime} />}
            <span className="flex min-w-0 gap-1.5 overflow-hidden">
              {entry.capabilities && <CapabilityBadges capabilities={entry.capabilities} />}
            </span>
            {installed && (
              <ReviewMark
                agentId={agentId}
                pluginKey={installed.manifestKey}
                count={installed.toLookAt}
                className="ml-auto shrink-0"
              />
            )}
          </div>
          <p className="mt-1 line-clamp-2 text-sm text-mute">
            {isPressed && install.problem ? (
              <span className="text-bad">{problemLine(install.problem)}</span>
            ) : (
              <>
                {entry.advice && (
                  <span className={entry.advice.status === "withdrawn" ? "text-bad" : "text-warn"}>
                    {adviceLine(entry.advice, t)}{" "}
                  </span>
                )}
                <FoundText text={descriptionOf(entry)} query={query} />
              </>
            )}
          </p>
        </div>
      </div>
      <div className="flex items-center gap-2.5 pl-[54px]">
        <TrustBadge trust={entry.trust} />
        <span className="min-w-0 flex-1 truncate text-xs text-hint" title={why ?? undefined}>
          {entry.madeFor && <span className="text-warn">{madeForWords(entry.madeFor, t)} · </span>}
          {why && <span className="text-mute">{why} · </span>}
          {/* A built-in plugin has a badge that says so already, and a server its own system. */}
          {[entry.trust === "built-in" || entry.ways ? null : entry.source, entry.publisher, version]
            .filter(Boolean)
            .join(" · ")}
          {entry.ways && entry.ways.length > 0 && ` · ${waysLine(entry.ways, t)}`}
        </span>
        {installed ? (
          <>
            <span className="inline-flex items-center gap-1 text-xs font-medium text-ok">
              <Check className="size-3.5" aria-hidden="true" />
              {t("discover.installed")}
            </span>
            <Link
              to={pluginPath(agentId, installed.manifestKey)}
              aria-label={t("discover.openName", { name: entry.displayName })}
              className="relative z-10 inline-flex h-7 items-center rounded-md border border-line-strong px-2.5 text-xs font-semibold hover:bg-sunk"
            >
              {t("discover.open")}
            </Link>
          </>
        ) : entry.advice?.status === "withdrawn" ? null : (
          <Button
            size="sm"
            className="relative z-10"
            busy={isPressed && install.busy}
            aria-label={t("discover.installName", { name: entry.displayName })}
            onClick={() => {
              setPressedFor(entry.spec);
              void install.act(entry.spec);
            }}
          >
            {t("install.install")}
          </Button>
        )}
      </div>
    </article>
  );
});
