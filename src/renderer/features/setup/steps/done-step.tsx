import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { SetupStep } from "../../../../contract/setup.ts";
import { sayOf } from "../../../base/i18n/plugin-words.ts";
import { useNow } from "../../../base/i18n/time.ts";
import { pluginPath } from "../../../base/routes.ts";
import { reportsConnection } from "../../../model/connection.ts";
import { currentProblem, healthOf, nextStep, setupOutcome, tones } from "../../../model/health.ts";
import { useRow } from "../../../model/rows.ts";
import { runtimeValues } from "../../../model/runtime-values.ts";
import { useMirror } from "../../../store/mirror.ts";
import { panels } from "../../../store/panels.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { StateMark } from "../../../ui/state-mark.tsx";
import { PeopleOffer, TestOffer } from "../../channel/public.ts";
import { stepWords, usePluginActions } from "../../plugins/public.ts";
import { SetupDrawing } from "../parts/setup-drawing.tsx";
import { StepFrame } from "../parts/step-frame.tsx";
import type { StepProps } from "../parts/step-props.ts";

const mostValues = 4;

/** Saved and switched on; whether it works is read from the running plugin, not from the wizard. */
export function DoneStep({
  step,
  agentId,
  pluginKey,
  name,
  onLeave,
}: StepProps<Extract<SetupStep, { kind: "done" }>>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const now = useNow(15_000);
  const row = useRow(agentId, pluginKey);
  const actions = usePluginActions(agentId, pluginKey);
  const health = healthOf(row);
  const tone = tones[health];
  const problem = currentProblem(row) ?? actions.problem;
  const cure = nextStep(currentProblem(row), health, row.plugin);
  const { account } = step;
  const outcome = setupOutcome(row);
  const runs = outcome === "works" || outcome === "waits";
  const state = (runs && row.view?.runtimeState) || {};
  const isChannel = reportsConnection(state);
  const isConnected = isChannel ? state.status === "connected" : outcome === "works";
  const agent = useMirror(({ agents }) => agents.get(agentId)?.name ?? agentId);
  const hasModel = useMirror(({ agents }) => (agents.get(agentId)?.model.kind ?? "none") !== "none");
  const reported = runtimeValues(isChannel ? {} : state, now, sayOf(row.plugin?.declaration.words))
    .filter(({ key, text }) => text !== account && state[key] !== null)
    .slice(0, mostValues);

  return (
    <StepFrame
      title={t(`setup.done.${outcome}`, { name })}
      text={t(`setup.doneText.${outcome}`, { name })}
      buttons={
        <>
          <Button
            look="quiet"
            onClick={() => {
              onLeave();
              void navigate(pluginPath(agentId, pluginKey));
            }}
          >
            {t("setup.showPlugin", { name })}
          </Button>
          {cure && cure !== "setup" && (
            <Button
              busy={actions.pending !== null}
              onClick={() => {
                if (cure !== "restart") onLeave();
                actions.takeStep(cure);
              }}
            >
              {stepWords(cure, currentProblem(row), t)}
            </Button>
          )}
          <Button look="accent" onClick={onLeave}>
            {t("setup.close")}
          </Button>
        </>
      }
    >
      <div className="overflow-hidden rounded-lg border border-line text-center">
        <div className="grid place-items-center border-b border-line bg-sunk px-6 py-9">
          <SetupDrawing health={health} runtime={row.plugin?.runtime ?? "native"} pluginKey={pluginKey} />
        </div>
        <div className="px-6 py-4">
          <StateMark health={health} />
          {account && isConnected && (
            <p className="mt-1 text-lg font-semibold break-words">{t("setup.connectedAs", { account })}</p>
          )}
        </div>
      </div>
      {isConnected && row.plugin?.capabilities.channel && (
        <div className="mt-4 text-center">
          <TestOffer agentId={agentId} pluginKey={pluginKey} name={name} />
        </div>
      )}
      {problem && <ProblemNote className="mt-4" problem={problem} tone={tone === "warn" ? "warn" : "bad"} />}
      {isChannel && (
        <PeopleOffer row={row} agentId={agentId} pluginKey={pluginKey} name={name} onLeave={onLeave} />
      )}
      {isChannel && hasModel && row.view?.strangers !== "pair" && (
        <p className="mt-4 px-1 text-sm text-mute">{t("setup.tryChannel", { name, agent })}</p>
      )}
      {isChannel && !hasModel && (
        <div className="mt-4 flex items-center gap-3 rounded-lg border border-warn/35 bg-warn-wash px-4 py-3">
          <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden="true" />
          <p className="min-w-0 flex-1 text-sm">{t("setup.noModel", { agent })}</p>
          <Button
            size="sm"
            onClick={() => {
              onLeave();
              panels.editAgent(agentId);
            }}
          >
            {t("conversation.chooseModel")}
          </Button>
        </div>
      )}
      {reported.length > 0 && (
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1 px-1 text-sm">
          {reported.map(({ key, label, text }) => (
            <div key={key} className="contents">
              <dt className="text-mute">{label}</dt>
              <dd className="min-w-0 break-words">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </StepFrame>
  );
}
