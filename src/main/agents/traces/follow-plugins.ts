import type { LogEntry } from "../../../contract/index.ts";
import type { DialogStep, Dialogs } from "../dialogs.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { AgentPool } from "../ports.ts";
import type { Recording } from "../record/recording.ts";

/**
 * Follows the plugins: their log lines and questions go to the records of the turns that run, a restart closes their
 * questions, newcomers are greeted. The returned function ends that.
 */
export function followPlugins(
  pool: AgentPool,
  dialogs: Dialogs,
  recording: Recording,
  lifecycle: Pick<Lifecycle, "greetNewcomers">,
): () => void {
  const onContributions = (agentId: string) => void lifecycle.greetNewcomers(agentId);
  const onInstance = (agentId: string, key: string) =>
    dialogs.pluginChanged(agentId, key, pool.view(agentId, key));
  const onLog = (_agentId: string, owner: string, entry: LogEntry) => recording.log(owner, entry);
  const onStep = (step: DialogStep) => recording.dialog(step);
  pool.changes.on("contributions", onContributions);
  pool.changes.on("instance", onInstance);
  pool.changes.on("log", onLog);
  dialogs.changes.on("step", onStep);
  return () => {
    pool.changes.off("contributions", onContributions);
    pool.changes.off("instance", onInstance);
    pool.changes.off("log", onLog);
    dialogs.changes.off("step", onStep);
  };
}
