import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CatalogEntry, PackageDetails } from "../../../contract/job.ts";
import type { PluginView } from "../../../contract/plugin.ts";
import { formatAgo, formatBytes, useNow } from "../../base/i18n/time.ts";
import { startInstall } from "../../features/install/start-install.ts";
import { useAction } from "../../ui/action.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Block } from "../../ui/well.tsx";
import type { LookedUp } from "./use-entry.ts";

const shownAtFirst = 5;

interface ResultVersionsProps {
  entry: CatalogEntry;
  installed: PluginView | null;
  details: { answer: LookedUp<PackageDetails>; again(): void };
}

/** The versions that a registry keeps, each of which can be installed. */
export function ResultVersions({ entry, installed, details }: ResultVersionsProps) {
  const { t } = useTranslation();
  const { value, problem, searching } = details.answer;
  return (
    <Block title={t("found.versions")}>
      {value ? (
        <VersionList details={value} installed={installed} />
      ) : searching ? (
        <p role="status" className="flex items-center gap-2 text-sm text-mute">
          <Spinner />
          {t("discover.asking")}
        </p>
      ) : problem ? (
        <ProblemNote
          tone="warn"
          problem={problem}
          action={
            <Button
              size="sm"
              icon={<RotateCw className="size-3.5" aria-hidden="true" />}
              onClick={details.again}
            >
              {t("discover.retry")}
            </Button>
          }
        />
      ) : (
        <p className="text-sm text-mute">
          {t(entry.trust === "built-in" ? "found.versionsBuiltIn" : "found.versionsElsewhere")}
        </p>
      )}
    </Block>
  );
}

function VersionList({ details, installed }: { details: PackageDetails; installed: PluginView | null }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const now = useNow(60_000);
  const install = useAction(startInstall);
  const shown = all ? details.versions : details.versions.slice(0, shownAtFirst);
  const hidden = details.versions.length - shown.length;
  return (
    <>
      {install.problem && <ProblemNote className="mb-3" problem={install.problem} />}
      <ul className="divide-y divide-line">
        {shown.map(({ version, publishedAt, deprecated, bytes }) => (
          <li key={version} className="flex items-center gap-3 py-1.5 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <span className="figure font-semibold">{version}</span>
                {version === details.latest && <Badge>{t("found.isLatest")}</Badge>}
                {version === installed?.packageVersion && <Badge>{t("found.isInstalled")}</Badge>}
              </p>
              <p className="text-xs text-mute">
                {[publishedAt && formatAgo(publishedAt, now), bytes !== null && formatBytes(bytes)]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
              {deprecated && <p className="text-xs break-words text-warn">{deprecated}</p>}
            </div>
            {version !== installed?.packageVersion && (
              <Button
                size="sm"
                look="quiet"
                className="-mr-2.5"
                busy={install.busy}
                aria-label={t("found.installVersion", { version })}
                onClick={() => void install.act(`${details.packageName}@${version}`)}
              >
                {t("install.install")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button size="sm" look="quiet" className="mt-1.5 -ml-2.5" onClick={() => setAll(true)}>
          {t("found.moreVersions", { count: hidden })}
        </Button>
      )}
    </>
  );
}
