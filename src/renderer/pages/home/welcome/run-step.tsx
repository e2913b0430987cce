import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { sayOf } from "../../../base/i18n/plugin-words.ts";
import { useNow } from "../../../base/i18n/time.ts";
import { discoverPath, pluginPath } from "../../../base/routes.ts";
import { LackNote } from "../../../features/plugins/lack-note.tsx";
import { stepWords } from "../../../features/plugins/step-words.ts";
import { usePluginActions } from "../../../features/plugins/use-plugin-actions.ts";
import { currentProblem, healthOf, lackIn, nextStep, tones } from "../../../model/health.ts";
import { displayName, useRow } from "../../../model/rows.ts";
import { liveLine } from "../../../model/runtime-values.ts";
import { useMirror } from "../../../store/mirror.ts";
import { panels } from "../../../store/panels.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Face } from "../../../ui/face.tsx";
import { PatchDrawing } from "../../../ui/patch/patch-drawing.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { StateMark } from "../../../ui/state-mark.tsx";
import { TryIt } from "./try-it.tsx";

interface RunStepProps {
  agentId: string;
  agentName: string;
  closing: boolean;
  /** A call of the plugin's tool has succeeded. */
  onWorks(): void;
  onFinish(): void;
}

/** The plugin that was switched on last, with its cable as it is now. */
export function RunStep(props: RunStepProps) {
  const newest = useMirror((state) => {
    const on = [...state.agentPlugins.values()].filter((row) => row.agentId === props.agentId && row.enabled);
    return on.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]?.pluginKey ?? null;
  });
  return newest === null ? <NothingRuns {...props} /> : <Patched {...props} pluginKey={newest} />;
}

function NothingRuns({ agentId, closing, onFinish }: RunStepProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <div className="flex flex-1 flex-col">
      <h2 className="title mt-1">{t("welcome.runNoneTitle")}</h2>
      <p className="mt-1 text-mute">{t("welcome.runNoneText")}</p>
      <footer className="mt-auto flex justify-end gap-2 pt-6">
        <Button onClick={() => void navigate(discoverPath(agentId))}>{t("welcome.pluginMore")}</Button>
        <Button look="accent" busy={closing} onClick={onFinish}>
          {t("welcome.finish")}
        </Button>
      </footer>
    </div>
  );
}

function Patched({
  agentId,
  agentName,
  closing,
  onFinish,
  onWorks,
  pluginKey,
}: RunStepProps & { pluginKey: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const row = useRow(agentId, pluginKey);
  const actions = usePluginActions(agentId, pluginKey);
  const now = useNow(15_000);
  const hasModel = useMirror((state) => (state.agents.get(agentId)?.model.kind ?? "none") !== "none");
  const name = displayName(row);
  const health = healthOf(row);
  const problem = currentProblem(row);
  const step = nextStep(problem, health, row.plugin);
  const tools = row.view?.instance.contributions?.tools.map((tool) => tool.title) ?? [];
  const live = liveLine(row.view?.runtimeState ?? null, now, sayOf(row.plugin?.declaration.words));
  return (
    <div className="flex flex-1 flex-col">
      <h2 className="title mt-1">{t("welcome.runTitle", { plugin: name, agent: agentName })}</h2>
      <p className="mt-1 text-mute">{t("welcome.runText")}</p>
      <div className="mt-6 flex flex-wrap items-center gap-4 rounded-lg border border-line bg-surface px-6 py-7 shadow-card">
        <Face letters seed={`agent:${agentId}`} name={agentName.slice(0, 1).toUpperCase()} size="lg" />
        <PatchDrawing layout="welcome" health={health} runtime={row.plugin?.runtime ?? "native"} />
        <Face
          seed={pluginKey}
          name={name}
          icon={row.plugin?.declaration.icon}
          ours={row.plugin?.source.kind === "builtin"}
          size="lg"
        />
        <div className="min-w-36 flex-1">
          <p className="truncate font-semibold">{name}</p>
          <StateMark health={health} />
          {live && <p className="truncate text-sm text-mute">{live}</p>}
        </div>
      </div>
      {problem ? (
        <ProblemNote
          className="mt-4"
          tone={tones[health] === "bad" ? "bad" : "warn"}
          problem={problem}
          action={
            step && (
              <Button size="sm" busy={actions.pending !== null} onClick={() => actions.takeStep(step)}>
                {stepWords(step, problem, t)}
              </Button>
            )
          }
        />
      ) : (
        <div className="mt-4">
          <LackNote row={row} />
          {lackIn(row) === null && tools.length > 0 && (
            <p className="text-sm text-mute">
              {t("welcome.tools", { count: tools.length, names: tools.slice(0, 6).join(", ") })}
            </p>
          )}
          {lackIn(row) === null && <TryIt row={row} agentName={agentName} onWorks={onWorks} />}
        </div>
      )}
      <footer className="mt-auto flex justify-end gap-2 pt-6">
        <Button look="quiet" onClick={() => void navigate(pluginPath(agentId, pluginKey, "settings"))}>
          {t("welcome.settings")}
        </Button>
        {hasModel && (
          <Button onClick={() => panels.toggleConversation(true)}>
            {t("welcome.talk", { agent: agentName })}
          </Button>
        )}
        <Button look="accent" busy={closing} onClick={onFinish}>
          {t("welcome.finish")}
        </Button>
      </footer>
    </div>
  );
}
