import { useTranslation } from "react-i18next";
import type { Job } from "../../../contract/job.ts";
import { warningWords } from "../../base/i18n/warning-words.ts";
import { healthOf } from "../../model/health.ts";
import { useRow } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { CapabilityBadges } from "../../ui/capability-badges.tsx";
import { Face } from "../../ui/face.tsx";
import { PatchDrawing } from "../../ui/patch/patch-drawing.tsx";
import { CheckNote, StartingNote } from "../offered/public.ts";
import { SkippedScriptsNote } from "./consent/skipped-scripts-note.tsx";
import { JobLog } from "./job-log.tsx";

/** The end of an installation: the plugin, plugged in where agents use it already. */
export function InstalledView({ job, agentId }: { job: Job; agentId: string }) {
  const { t } = useTranslation();
  const agents = useMirror((state) => state.agents);
  const here = useRow(agentId, job.pluginKey ?? "");
  const plugin = useMirror((state) => (job.pluginKey ? state.plugins.get(job.pluginKey) : undefined));
  if (!plugin) return <JobLog job={job} />;
  const users = plugin.enabledFor.map((id) => agents.get(id)?.name ?? id);
  // Where another agent uses it and this one does not, its plug is drawn in all the same.
  const health = here.view?.enabled ? healthOf(here) : users.length > 0 ? "asleep" : "needs_setup";
  return (
    <>
      <div className="flex items-center gap-5 rounded-lg bg-sunk px-6 py-7">
        <PatchDrawing layout="installed" health={health} runtime={plugin.runtime} />
        <Face
          seed={plugin.manifestKey}
          name={plugin.displayName}
          icon={plugin.declaration.icon}
          ours={plugin.source.kind === "builtin"}
          size="lg"
        />
        <div className="min-w-0">
          <p className="text-lg font-semibold">{plugin.displayName}</p>
          <p className="text-sm text-mute">{plugin.description}</p>
          <div className="mt-1.5 flex flex-wrap gap-1.5">
            <CapabilityBadges capabilities={plugin.capabilities} />
          </div>
        </div>
      </div>
      <CheckNote className="mt-4" agentId={agentId} plugin={plugin} />
      <div className="mt-4 empty:hidden">
        <SkippedScriptsNote plugin={plugin} />
      </div>
      {plugin.warnings.length > 0 && (
        <ul className="mt-4 space-y-1 text-sm text-warn">
          {warningWords(plugin, t).map(({ text, lang }) => (
            <li key={text} lang={lang}>
              {text}
            </li>
          ))}
        </ul>
      )}
      {health === "starting" ? (
        <StartingNote className="mt-4" row={here} />
      ) : (
        <p className="mt-4 text-sm text-mute">
          {users.length === 0 ? t("job.doneText") : t("job.doneOn", { agents: users.join(", ") })}
        </p>
      )}
      <div className="mt-4">
        <JobLog job={job} open={false} />
      </div>
    </>
  );
}
