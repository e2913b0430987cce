import type { Plugin, Problem } from "../../../contract/index.ts";
import { Dialogs } from "../../agents/dialogs.ts";
import { Agents } from "../../agents/index.ts";
import type { Holds } from "../../holds/holds.ts";
import { PluginPool } from "../../pool/plugin-pool.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";
import type { Grants } from "../../setup/persist/grants.ts";
import type { PluginCredentials } from "../../setup/persist/plugin-credentials.ts";
import type { ChannelDoors } from "./channel-doors.ts";
import type { State } from "./state.ts";

interface RunningNeeds {
  state: State;
  runtimes: readonly PluginRuntime[];
  holds: Holds;
  credentials: PluginCredentials;
  grants: Grants;
  doors: ChannelDoors;
  checkIntegrity(plugin: Plugin): Promise<Problem | null>;
  onNotice(problem: Problem): void;
}

/** What runs: plugins in the pool, and agents at work over it. */
export function openRunning(
  { state, runtimes, holds, credentials, grants, doors, checkIntegrity, onNotice }: RunningNeeds,
  stack: AsyncDisposableStack,
): { pool: PluginPool; work: Agents } {
  const { storage, registry, agentPlugins, agents, vault, settings, audit } = state;
  const dialogs = new Dialogs({ settings });
  const pool = new PluginPool({
    registry,
    agentPlugins,
    agents,
    vault,
    runtimes,
    settings,
    checkIntegrity,
    holdOf: (agentId, key) => holds.of(agentId, key),
    ask: (...question) => dialogs.ask(...question),
    channel: (agentId, key) => ({
      agent: work.channels.of(agentId, key),
      access: () => doors.access(agentId, key),
    }),
    credentials: (agentId, key) => credentials.of(agentId, key),
    oauthToken: (agentId, key, refused) => grants.token(agentId, key, refused),
  });
  stack.defer(() => pool.close());
  const work: Agents = new Agents({
    storage,
    pool,
    agents,
    registry,
    agentPlugins,
    vault,
    settings,
    audit,
    onNotice,
    dialogs,
  });
  stack.defer(() => work.close());
  return { pool, work };
}
