import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CatalogEntry } from "../../../contract/job.ts";
import { descriptionOf } from "../../base/i18n/plugin-words.ts";
import { useSeveralRuntimes } from "../../model/runtimes.ts";
import { RuntimeBadge, TrustBadge } from "../../ui/badge.tsx";
import { CapabilityBadges } from "../../ui/capability-badges.tsx";
import { cx } from "../../ui/class-names.ts";
import { Face } from "../../ui/face.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { type CatalogueAnswer, didYouMean, useEntryIcon } from "../catalogue/public.ts";

interface CatalogueListProps {
  answer: CatalogueAnswer;
  query: string;
  chosen: string;
  onChoose(spec: string): void;
}

export function CatalogueList({ answer, query, chosen, onChoose }: CatalogueListProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={t("catalogue.label")}>
      <h3 className="mb-2 flex h-5 items-center gap-2 text-sm font-semibold text-mute">
        {query ? t("catalogue.found") : t("catalogue.builtIn")}
        {answer.searching && <Spinner />}
      </h3>
      {answer.problem && <ProblemNote problem={answer.problem} />}
      {answer.failures.map((failure) => (
        <p key={failure.source} className="mb-2 text-xs text-warn">
          {t("catalogue.failure", { source: failure.source, message: failure.message })}
        </p>
      ))}
      {!answer.problem && answer.near.length > 0 && (
        <>
          <p className="mb-2 text-sm font-semibold">{didYouMean(answer.near)}</p>
          <ul className="mb-3 space-y-1.5">
            {answer.near.map((entry) => (
              <li key={entry.spec}>
                <Entry
                  entry={entry}
                  chosen={entry.spec === chosen.trim()}
                  onChoose={() => onChoose(entry.spec)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {!answer.searching && !answer.problem && answer.foreign && (
        <p className="mb-2 text-sm text-mute">{t("near.foreign", { name: answer.foreign.packageName })}</p>
      )}
      {!answer.searching &&
        !answer.problem &&
        answer.entries.length === 0 &&
        answer.near.length === 0 &&
        !answer.foreign && <p className="text-sm text-mute">{t("catalogue.nothing")}</p>}
      <ul className="space-y-1.5">
        {answer.entries.map((entry) => (
          <li key={`${entry.source}:${entry.spec}`}>
            <Entry
              entry={entry}
              chosen={entry.spec === chosen.trim()}
              onChoose={() => onChoose(entry.spec)}
            />
          </li>
        ))}
      </ul>
      {answer.more > 0 && (
        <p className="mt-2.5 text-sm text-mute">{t("catalogue.more", { count: answer.more })}</p>
      )}
    </section>
  );
}

function Entry({ entry, chosen, onChoose }: { entry: CatalogEntry; chosen: boolean; onChoose(): void }) {
  const { t } = useTranslation();
  const several = useSeveralRuntimes();
  const icon = useEntryIcon(entry);
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cx(
        "flex w-full items-center gap-3.5 rounded-lg border px-3 py-2.5 text-left transition-colors",
        chosen ? "border-accent bg-sunk" : "border-line hover:border-line-strong hover:bg-sunk",
      )}
    >
      <Face
        seed={entry.manifestKey ?? entry.packageName}
        name={entry.displayName}
        icon={icon}
        ours={entry.trust === "built-in"}
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-semibold">{entry.displayName}</span>
          {several && entry.runtime && <RuntimeBadge runtime={entry.runtime} />}
          {entry.capabilities && <CapabilityBadges capabilities={entry.capabilities} />}
        </span>
        <span className="mt-0.5 block truncate text-sm text-mute">{descriptionOf(entry)}</span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-1">
        <TrustBadge trust={entry.trust} />
        {entry.installedVersion ? (
          <span className="inline-flex items-center gap-1 text-xs text-mute">
            <Check className="size-3.5" aria-hidden="true" />
            {t("catalogue.installed", { version: entry.installedVersion })}
          </span>
        ) : (
          entry.packageVersion && <span className="figure text-hint">{entry.packageVersion}</span>
        )}
      </span>
    </button>
  );
}
