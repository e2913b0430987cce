import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetupView } from "../../../../contract/setup.ts";
import type { ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { useMirror } from "../../../store/mirror.ts";
import { hideWizard, openWizard, useWizardPanel } from "../../../store/wizard-panel.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { SideDialog } from "../../../ui/side-dialog.tsx";
import { CoveredContext, StepFrame } from "../parts/step-frame.tsx";
import { useWizard, type Wizard } from "../parts/use-wizard.ts";
import { DoneStep } from "../steps/done-step.tsx";
import { ErrorStep } from "../steps/error-step.tsx";
import { ExternalStep } from "../steps/external-step.tsx";
import { FormStep } from "../steps/form-step.tsx";
import { MenuStep } from "../steps/menu-step.tsx";
import { ProgressStep } from "../steps/progress-step.tsx";
import { SignInStep } from "../steps/sign-in-step.tsx";
import { leaving } from "./leave.ts";
import { SideList } from "./side-list.tsx";

/** Loaded only when needed: the settings form is large, and most plugins with a wizard have steps of their own. */
const SettingsStep = lazy(async () => ({
  default: (await import("../steps/settings-step.tsx")).SettingsStep,
}));

interface WizardPlace {
  agentId: string;
  pluginKey: string;
}

/** The setup of one plugin for one agent: its steps at the side, one thing at a time. */
export function WizardDialog({ agentId, pluginKey }: WizardPlace) {
  const { t } = useTranslation();
  const wizard = useWizard(agentId, pluginKey);
  const { opening, problem } = useWizardPanel();
  const name = useDisplayName(pluginKey) ?? pluginKey;
  const [asking, setAsking] = useState(false);
  const { view, ended } = wizard;
  const cancel = async () => {
    if (view) await rpc.setup.cancel({ agentId, key: pluginKey, sessionId: view.id });
  };

  const leave = () => {
    // Escape opens the question and also closes it.
    if (asking) return setAsking(false);
    const over = view === null || ended || problem !== null;
    const typed = useWizardPanel.getState();
    const how = over ? "hide" : leaving(view, typed.settings !== null || Object.keys(typed.typed).length > 0);
    if (how === "ask") return setAsking(true);
    // Without a connection the wizard goes on in the core, and the plugin's card offers it again.
    if (how === "cancel") cancel().catch(() => {});
    hideWizard();
  };
  const isOpenStill = view !== null && !ended && view.step.kind !== "done";

  return (
    <SideDialog
      open
      onLeave={leave}
      data-setup={view?.step.kind ?? "opening"}
      onOpenAutoFocus={(event) => event.preventDefault()}
      onInteractOutside={(event) => event.preventDefault()}
      side={<SideList view={view} agentId={agentId} pluginKey={pluginKey} name={name} />}
      over={
        <Confirm
          open={asking && isOpenStill}
          onClose={() => setAsking(false)}
          title={t("setup.leave.title", { name })}
          consequences={view ? consequencesOf(view).map((what) => t(what, { name })) : []}
          verb={t("setup.leave.verb")}
          keep={t("setup.leave.keep")}
          danger
          run={async () => {
            await cancel();
            hideWizard();
          }}
        />
      }
    >
      <CoveredContext value={asking && isOpenStill}>
        <Page
          wizard={wizard}
          opening={opening}
          problem={problem}
          agentId={agentId}
          pluginKey={pluginKey}
          name={name}
          onLeave={leave}
        />
      </CoveredContext>
    </SideDialog>
  );
}

function consequencesOf({ step, reason }: SetupView) {
  const lines: (
    | "setup.leave.nothingSaved"
    | "setup.leave.asBefore"
    | "setup.leave.code"
    | "setup.leave.page"
  )[] = [reason === "first" ? "setup.leave.nothingSaved" : "setup.leave.asBefore"];
  if (step.kind === "external") lines.push("setup.leave.code");
  if (step.kind === "oauth") lines.push("setup.leave.page");
  return lines;
}

interface PageProps extends WizardPlace {
  wizard: Wizard;
  opening: boolean;
  problem: ShownProblem | null;
  name: string;
  onLeave(): void;
}

function Page({ wizard, opening, problem, ...place }: PageProps) {
  const { view, ended } = wizard;
  if (problem) return <NotOpened problem={problem} {...place} />;
  if (!view || (ended && opening))
    return (
      <ProgressStep doing="opening" pluginKey={place.pluginKey} name={place.name} onLeave={place.onLeave} />
    );
  if (ended) return <Ended {...place} />;
  const { step } = view;
  const props = { wizard, ...place };
  switch (step.kind) {
    case "progress":
      return <ProgressStep key={step.doing} doing={step.doing} {...place} />;
    case "form":
      return <FormStep key={step.id} step={step} {...props} />;
    case "menu":
      return <MenuStep key={step.id} step={step} {...props} />;
    case "settings":
      return (
        <Suspense fallback={null}>
          <SettingsStep step={step} {...props} />
        </Suspense>
      );
    case "external":
      // A new code is the same step to the person, so the key stays the same and the focus stays where it is.
      return <ExternalStep key={step.title ?? ""} step={step} {...props} />;
    case "oauth":
      return <SignInStep key={step.way} step={step} {...props} />;
    case "done":
      return <DoneStep step={step} {...props} />;
    case "error":
      return <ErrorStep key={step.id} step={step} {...props} />;
  }
}

type Place = Omit<PageProps, "wizard" | "opening" | "problem">;

/** It could not even be opened. */
function NotOpened({ problem, agentId, pluginKey, name, onLeave }: Place & { problem: ShownProblem }) {
  const { t } = useTranslation();
  return (
    <StepFrame
      title={t("setup.title.error", { name })}
      buttons={
        <>
          <Button onClick={onLeave}>{t("common.close")}</Button>
          <Button look="accent" onClick={() => void openWizard(agentId, pluginKey)}>
            {t("setup.retry")}
          </Button>
        </>
      }
    >
      <ProblemNote problem={problem} />
    </StepFrame>
  );
}

/** It is over without being done: somebody cancelled it elsewhere. */
function Ended({ agentId, pluginKey, name, onLeave }: Place) {
  const { t } = useTranslation();
  const installed = useMirror((state) => state.plugins.has(pluginKey));
  return (
    <StepFrame
      title={t("setup.title.ended", { name })}
      text={t("setup.nothingSaved")}
      buttons={
        <>
          <Button onClick={onLeave}>{t("common.close")}</Button>
          {installed && (
            <Button look="accent" onClick={() => void openWizard(agentId, pluginKey)}>
              {t("setup.startAgain")}
            </Button>
          )}
        </>
      }
    >
      <p className="max-w-[52ch] text-mute">{t(installed ? "setup.endedText" : "setup.endedGone")}</p>
    </StepFrame>
  );
}
