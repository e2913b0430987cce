import { useCallback, useState } from "react";
import { problemOf, type ShownProblem } from "../client/problem.ts";
import { rpc } from "../client/rpc.ts";
import { panels } from "../shell/panels.ts";
import { useOpenPlugin } from "../shell/routes.ts";
import { type Mirror, rowId, useMirror } from "../store/mirror.ts";
import type { NextStep } from "./health.ts";

/** What can be done with a plugin from its card or page. What happened is read back from the core, never assumed. */
export function usePluginActions(agentId: string, key: string) {
  const open = useOpenPlugin();
  const [pending, setPending] = useState<"switch" | "restart" | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const run = useCallback(async (what: "switch" | "restart", call: () => Promise<unknown>) => {
    setPending(what);
    setProblem(null);
    try {
      await call();
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setPending(null);
    }
  }, []);

  const setEnabled = (enabled: boolean) =>
    run("switch", async () => putRow(await rpc.agentPlugins.set({ agentId, key, enabled })));
  const restart = () => run("restart", async () => putRow(await rpc.agentPlugins.restart({ agentId, key })));

  const takeStep = (step: NextStep) => {
    switch (step) {
      case "settings":
        return open(agentId, key, "settings");
      case "activity":
        return open(agentId, key, "activity");
      case "restart":
        return void restart();
      case "reinstall":
        return panels.openInstall(useMirror.getState().plugins.get(key)?.source.spec ?? key);
      case null:
        return;
    }
  };

  return { pending, problem, dismiss: () => setProblem(null), setEnabled, restart, takeStep };
}

/** Shows what a call answered without waiting for the live stream to say the same. */
export function putRow(view: Mirror["rows"] extends ReadonlyMap<string, infer V> ? V : never): void {
  useMirror.setState((state) => ({
    rows: new Map(state.rows).set(rowId(view.agentId, view.pluginKey), view),
  }));
}
