import { Check, Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CatalogEntry } from "../../../contract/job.ts";
import type { PluginView } from "../../../contract/plugin.ts";
import { descriptionOf } from "../../base/i18n/plugin-words.ts";
import { useOpenPlugin } from "../../base/routes.ts";
import { AdviceNote } from "../../features/catalogue/advice-note.tsx";
import { useEntryIcon } from "../../features/catalogue/entry-icon.ts";
import { madeForWords } from "../../features/catalogue/made-for.ts";
import { startInstall } from "../../features/install/start-install.ts";
import { healthOf } from "../../model/health.ts";
import { useRow } from "../../model/rows.ts";
import { useAction } from "../../ui/action.ts";
import { RuntimeBadge, TrustBadge } from "../../ui/badge.tsx";
import { CapabilityBadges } from "../../ui/capability-badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Face } from "../../ui/face.tsx";
import { PatchDrawing } from "../../ui/patch/patch-drawing.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

interface ResultHeaderProps {
  agentId: string;
  entry: CatalogEntry;
  installed: PluginView | null;
}

/** The plugin beside its jack: empty until it is installed and switched on for this agent. */
export function ResultHeader({ agentId, entry, installed }: ResultHeaderProps) {
  const { t } = useTranslation();
  const open = useOpenPlugin();
  const install = useAction(startInstall);
  const icon = useEntryIcon(entry);
  const version = entry.packageVersion ?? installed?.packageVersion;
  const row = useRow(agentId, installed?.manifestKey ?? "");
  const health = installed ? healthOf(row) : "off";
  const runtime = entry.runtime ?? installed?.runtime;
  return (
    <header className="mt-3 mb-4">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <div className="flex items-center">
          <PatchDrawing layout="header" health={health} runtime={runtime ?? "native"} />
          <Face
            seed={entry.manifestKey ?? entry.packageName}
            name={entry.displayName}
            icon={icon}
            ours={entry.trust === "built-in"}
            size="lg"
          />
        </div>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="title break-words">{entry.displayName}</h1>
            {runtime && <RuntimeBadge runtime={runtime} />}
            <TrustBadge trust={entry.trust} />
            {version && <span className="figure text-hint">{version}</span>}
          </div>
          <p className="mt-0.5 max-w-[72ch] text-mute">{descriptionOf(entry)}</p>
          {entry.capabilities && (
            <div className="mt-1.5 flex flex-wrap gap-1.5">
              <CapabilityBadges capabilities={entry.capabilities} />
            </div>
          )}
        </div>
        <div className="flex items-center gap-3">
          {installed ? (
            <>
              <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-ok">
                <Check className="size-4" aria-hidden="true" />
                {t("found.installedVersion", { version: installed.packageVersion })}
              </span>
              <Button look="accent" onClick={() => open(agentId, installed.manifestKey)}>
                {t("found.openInstalled")}
              </Button>
            </>
          ) : entry.advice?.status === "withdrawn" ? null : (
            <Button
              look={entry.foreign ? "plain" : "accent"}
              busy={install.busy}
              icon={<Download className="size-4" aria-hidden="true" />}
              onClick={() => void install.act(entry.spec)}
            >
              {t("found.install")}
            </Button>
          )}
        </div>
      </div>
      {entry.foreign && (
        <p role="note" className="mt-3 max-w-[72ch] rounded-md bg-sunk px-3.5 py-2.5 text-sm">
          {t("near.foreign", { name: entry.packageName })} {t("near.foreignHelp")}
        </p>
      )}
      {entry.advice && <AdviceNote advice={entry.advice} className="mt-3" />}
      {entry.madeFor && (
        <p role="note" className="mt-3 max-w-[72ch] rounded-md bg-sunk px-3.5 py-2.5 text-sm">
          {madeForWords(entry.madeFor, t)}.
        </p>
      )}
      {install.problem && <ProblemNote className="mt-4" problem={install.problem} />}
    </header>
  );
}
