import type { Problem } from "../../../contract/index.ts";
import { FailedStarts } from "../../holds/failed-starts.ts";
import { Holds } from "../../holds/holds.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AgentPlugins, AgentStore, PluginRegistry } from "../../registry/index.ts";
import type { Storage } from "../../store/index.ts";

interface HoldNeeds {
  agents: Pick<AgentStore, "changes">;
  agentPlugins: Pick<AgentPlugins, "list">;
  registry: Pick<PluginRegistry, "get">;
  platform: Pick<Platform, "shell">;
  storage: Pick<Storage, "rows">;
  onNotice(problem: Problem): void;
  tell(error: unknown): void;
  /** The person asked for a start with every plugin off. */
  safe: boolean;
}

/**
 * Opens what keeps plugins off, and counts the start as failed until it is complete. `starts` is null where this start
 * is not counted.
 */
export async function openHolds(
  { platform, storage, onNotice, tell, safe, agents, agentPlugins, registry }: HoldNeeds,
  stack: AsyncDisposableStack,
): Promise<{ holds: Holds; starts: FailedStarts | null }> {
  // Commands at the terminal are not counted: they start no channel, and many short ones that were stopped early would
  // lead to safe mode without a reason.
  const starts = platform.shell === "cli" ? null : new FailedStarts({ storage });
  stack.defer(async () => {
    await starts?.succeed();
    await starts?.close();
  });
  const holds = new Holds({
    storage,
    onNotice,
    switchedOn: (agentId) =>
      agentPlugins
        .list(agentId)
        .filter((row) => row.enabled && registry.get(row.pluginKey))
        .map((row) => row.pluginKey),
  });
  stack.defer(() => holds.close());
  agents.changes.on("removed", (id) => void holds.end(id).catch(tell));
  const manyFailed = (await starts?.begin()) === true;
  if (safe || manyFailed) await holds.enterSafeMode(safe ? "asked" : "failed_starts");
  return { holds, starts };
}
