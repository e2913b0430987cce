import { useCallback, useState } from "react";
import { useNavigate } from "react-router";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { settingsPath, useOpenPlugin } from "../../base/routes.ts";
import type { NextStep } from "../../model/health.ts";
import { rowOf } from "../../model/rows.ts";
import { putRow, saidBy, useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { vaultGate } from "../../store/vault-gate.ts";
import { openWizard } from "../../store/wizard-panel.ts";
import { followJob } from "./follow-job.ts";
import { switchOn } from "./switch-on.ts";

type Pending = "switch" | "restart" | "build";

/** The switch of a plugin, its restart and its build. What happened is read back from the core, never assumed. */
export function usePluginSwitch(agentId: string, key: string) {
  const [pending, setPending] = useState<Pending | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const run = useCallback(
    async (what: Pending, call: () => Promise<unknown>) => {
      setPending(what);
      setProblem(null);
      try {
        await call();
      } catch (error) {
        setProblem(saidBy(key, problemOf(error)));
      } finally {
        setPending(null);
      }
    },
    [key],
  );

  const setEnabled = (enabled: boolean) =>
    run("switch", async () => {
      if (enabled) await switchOn(agentId, key);
      else putRow(await rpc.agentPlugins.set({ agentId, key, enabled: false }));
    });
  const restart = () => run("restart", async () => putRow(await rpc.agentPlugins.restart({ agentId, key })));

  // The person is asked about the scripts in the job's own question.
  const build = () => run("build", async () => followJob(await rpc.plugins.update({ key })));

  return { pending, problem, dismiss: () => setProblem(null), setEnabled, restart, build };
}

/** Offers to install a plugin again from where it came from, whether it is still installed or not. */
function installAgain(agentId: string, key: string): void {
  const { plugin, view } = rowOf(useMirror.getState(), agentId, key);
  const source = plugin?.source ?? view?.gone?.source;
  // Old rows of an uninstalled plugin did not keep its source; then only its key is known.
  panels.openInstall(
    // What was dropped as a file has no place that it could come from again.
    source?.uploaded ? "" : (source?.spec ?? key),
    source && { link: source.kind === "link", registry: source.registry },
  );
}

/** What can be done with a plugin from its card or page. */
export function usePluginActions(agentId: string, key: string) {
  const open = useOpenPlugin();
  const navigate = useNavigate();
  const actions = usePluginSwitch(agentId, key);
  const { restart, build } = actions;

  const takeStep = (step: NextStep) => {
    switch (step) {
      case "setup":
      case "continueSetup":
        return void openWizard(agentId, key);
      case "signInAgain":
        return void openWizard(agentId, key, { reason: "sign_in_again" });
      case "settings":
        return open(agentId, key, "settings");
      case "activity":
        return open(agentId, key, "activity");
      case "restart":
        return void restart();
      case "build":
        return void build();
      case "packages":
        return panels.askPackages({ agentId, key });
      case "python":
        return void navigate(settingsPath(agentId, "python"));
      case "unlock":
        return vaultGate.show();
      case "reinstall":
        return installAgain(agentId, key);
      case null:
        return;
    }
  };

  return { ...actions, takeStep };
}
