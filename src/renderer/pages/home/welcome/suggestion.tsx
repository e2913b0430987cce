import { useTranslation } from "react-i18next";
import type { CatalogEntry } from "../../../../contract/job.ts";
import { descriptionOf } from "../../../base/i18n/plugin-words.ts";
import { useFindInstalled } from "../../../features/catalogue/installed.ts";
import { beginInstall } from "../../../features/install/start-install.ts";
import { switchOn } from "../../../features/plugins/switch-on.ts";
import { useSeveralRuntimes } from "../../../model/runtimes.ts";
import { rowId, useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { RuntimeBadge } from "../../../ui/badge.tsx";
import { CapabilityBadges } from "../../../ui/capability-badges.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { Face } from "../../../ui/face.tsx";
import { EntryJack } from "../../../ui/patch/jack.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { InstallLine, useInstallOf } from "./install-line.tsx";

interface SuggestionProps {
  agentId: string;
  entry: CatalogEntry;
  /** Called when it is switched on. */
  onOn(): void;
}

async function switchedOn(agentId: string, key: string): Promise<boolean> {
  await switchOn(agentId, key);
  return true;
}

/** A plugin to begin with: it is installed in place, in one line, and what it asks for is asked here. */
export function Suggestion({ agentId, entry, onOn }: SuggestionProps) {
  const { t } = useTranslation();
  const installed = useFindInstalled()(entry);
  const key = installed?.manifestKey ?? null;
  const isOn = useMirror(
    (state) => key !== null && (state.agentPlugins.get(rowId(agentId, key))?.enabled ?? false),
  );
  const job = useInstallOf(entry.spec);
  const install = useAction(beginInstall);
  const switching = useAction(switchedOn);
  const name = entry.displayName;
  const several = useSeveralRuntimes();
  const problem = install.problem ?? switching.problem ?? (job?.status === "failed" ? job.problem : null);
  const isUnderWay = job?.status === "running" || job?.status === "waiting";
  const turnOn = async (which: string) => (await switching.act(agentId, which)) && onOn();
  return (
    <article
      aria-label={name}
      className="relative rounded-lg border border-line bg-surface px-4 py-3 pl-5 shadow-card"
    >
      <div className="relative flex items-center gap-4">
        <EntryJack
          runtime={entry.runtime ?? null}
          installed={installed !== null}
          className="top-1/2 -ml-5 -translate-y-1/2"
        />
        <Face
          seed={entry.manifestKey ?? entry.packageName}
          name={name}
          icon={entry.icon}
          ours={entry.trust === "built-in"}
        />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <span className="font-semibold">{name}</span>
            {several && entry.runtime && <RuntimeBadge runtime={entry.runtime} />}
            {entry.capabilities && <CapabilityBadges capabilities={entry.capabilities} />}
          </div>
          <p className="text-sm text-mute">{descriptionOf(entry)}</p>
        </div>
        {isUnderWay ? null : key === null ? (
          <Button
            busy={install.busy}
            aria-label={t("install.installName", { name })}
            onClick={() => void install.act(entry.spec)}
          >
            {t("install.install")}
          </Button>
        ) : isOn ? (
          <Button look="accent" onClick={onOn}>
            {t("welcome.run")}
          </Button>
        ) : (
          <Button
            look="accent"
            busy={switching.busy}
            aria-label={t("welcome.switchOnName", { name })}
            onClick={() => void turnOn(key)}
          >
            {t("welcome.switchOn")}
          </Button>
        )}
      </div>
      {isUnderWay && <InstallLine job={job} onInstalled={turnOn} />}
      {problem && <ProblemNote className="mt-3" problem={problem} />}
    </article>
  );
}
