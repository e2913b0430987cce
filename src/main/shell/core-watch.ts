import type { ContractRouterClient } from "@orpc/contract";
import type { AgentView, AppChange, Contract, Settings, Snapshot } from "../../contract/index.ts";

interface CoreWatcher {
  /** Called with the whole state at first, and again when more changes were missed than the core keeps. */
  onSnapshot(snapshot: Snapshot): void;
  onChange(change: AppChange): void;
  /** Called with all agents whenever one of them has changed. */
  onAgents(agents: AgentView[]): void;
  onSettings(settings: Settings): void;
}

/**
 * Tells the watcher how things are now and after every change, until `signal` aborts.
 * @throws whatever the core answers when it ends by itself
 */
export async function watchCore(
  core: ContractRouterClient<Contract>,
  watcher: CoreWatcher,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const snapshot = await core.app.snapshot(undefined, { signal });
    const agents = new Map(snapshot.agents.map((agent) => [agent.id, agent]));
    watcher.onSettings(snapshot.settings);
    watcher.onSnapshot(snapshot);
    watcher.onAgents([...agents.values()]);
    const events = await core.app.events({ epoch: snapshot.epoch, seq: snapshot.seq }, { signal });
    for await (const event of events) {
      if (event.type === "resync") break;
      if (event.type !== "changes") continue;
      let agentsChanged = false;
      for (const change of event.changes) {
        watcher.onChange(change);
        if (change.type === "set" && change.value === "settings") watcher.onSettings(change.now);
        if (change.type === "set" || change.collection !== "agents") continue;
        if (change.type === "put") agents.set(change.item.id, change.item);
        else agents.delete(change.id);
        agentsChanged = true;
      }
      if (agentsChanged) watcher.onAgents([...agents.values()]);
    }
  }
}
