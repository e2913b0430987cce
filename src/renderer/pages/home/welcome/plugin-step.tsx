import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { CatalogEntry } from "../../../../contract/job.ts";
import { descriptionOf } from "../../../base/i18n/plugin-words.ts";
import { discoverPath } from "../../../base/routes.ts";
import { useFindInstalled } from "../../../features/catalogue/installed.ts";
import { useCatalogue } from "../../../features/catalogue/use-catalogue.ts";
import { startInstall } from "../../../features/install/start-install.ts";
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

interface StepProps {
  agentId: string;
  agentName: string;
  onDone(): void;
}

const most = 3;

async function switchedOn(agentId: string, key: string): Promise<boolean> {
  await switchOn(agentId, key);
  return true;
}

export function PluginStep({ agentId, agentName, onDone }: StepProps) {
  const { t } = useTranslation();
  const { entries, problem } = useCatalogue("");
  const suggested = entries.filter((entry) => entry.trust === "built-in").slice(0, most);
  return (
    <div className="flex flex-1 flex-col">
      <h2 className="title mt-1">{t("welcome.pluginTitle")}</h2>
      <p className="mt-1 mb-5 text-mute">{t("welcome.pluginText", { agent: agentName })}</p>
      {problem && <ProblemNote problem={problem} />}
      <ul className="space-y-2.5">
        {suggested.map((entry) => (
          <li key={entry.spec}>
            <Suggestion agentId={agentId} entry={entry} onOn={onDone} />
          </li>
        ))}
      </ul>
      <footer className="mt-auto flex items-center gap-2 pt-6">
        <Link
          to={discoverPath(agentId)}
          className="mr-auto rounded-sm text-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
        >
          {t("welcome.pluginMore")}
        </Link>
        <Button look="quiet" className="-mr-3" onClick={onDone}>
          {t("welcome.pluginSkip")}
        </Button>
      </footer>
    </div>
  );
}

interface SuggestionProps {
  agentId: string;
  entry: CatalogEntry;
  /** Called when it is switched on. */
  onOn(): void;
}

function Suggestion({ agentId, entry, onOn }: SuggestionProps) {
  const { t } = useTranslation();
  const installed = useFindInstalled()(entry);
  const key = installed?.manifestKey ?? null;
  const isOn = useMirror(
    (state) => key !== null && (state.agentPlugins.get(rowId(agentId, key))?.enabled ?? false),
  );
  const install = useAction(startInstall);
  const switching = useAction(switchedOn);
  const name = entry.displayName;
  const several = useSeveralRuntimes();
  const problem = install.problem ?? switching.problem;
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
        {key === null ? (
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
            onClick={async () => (await switching.act(agentId, key)) && onOn()}
          >
            {t("welcome.switchOn")}
          </Button>
        )}
      </div>
      {problem && <ProblemNote className="mt-3" problem={problem} />}
    </article>
  );
}
