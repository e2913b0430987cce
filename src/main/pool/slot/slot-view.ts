import type { Contributions, InstanceView, Problem } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { CallStats } from "../calls/call-stats.ts";
import type { PoolOptions } from "../ports.ts";
import type { Recovery } from "../recovery/recovery.ts";
import type { Heartbeat } from "../run/heartbeat.ts";
import type { Run } from "../run/run.ts";
import { startsOnUse } from "../wants/want.ts";

export interface SlotFacts
  extends Pick<InstanceView, "state" | "reason" | "since" | "generation" | "startsOnUse" | "startMs"> {
  heartbeat: Heartbeat | null;
  run: Run | null;
  recovery: Recovery;
  stats: CallStats;
  contributions: InstanceContributions | null;
}

/** The view of a slot for the screens. */
export function slotView(facts: SlotFacts): InstanceView {
  const { heartbeat, run, recovery, stats, contributions, ...rest } = facts;
  return {
    ...rest,
    notResponding: heartbeat?.notResponding ?? false,
    pid: run?.instance.pid ?? null,
    memoryBytes: run?.memoryBytes ?? null,
    restarts: recovery.restarts,
    nextRestartAt: recovery.nextRestartAt,
    calls: stats.view(),
    contributions: contributions && contributionsView(contributions),
  };
}

/** The view of a plugin that has not been started or switched on since the app started. */
export function stoppedView(options: PoolOptions, agentId: string, key: string): InstanceView {
  const row = options.agentPlugins.get(agentId, key);
  const plugin = options.registry.get(key);
  const hold = holdProblem(options, agentId, key);
  return {
    state: "stopped",
    reason: hold,
    since: row?.updatedAt ?? new Date(0).toISOString(),
    generation: 0,
    startsOnUse: !hold && row?.enabled === true && plugin !== undefined && startsOnUse(plugin),
    notResponding: false,
    pid: null,
    memoryBytes: null,
    startMs: null,
    restarts: 0,
    nextRestartAt: null,
    calls: { count: 0, failed: 0, p50Ms: null, p95Ms: null },
    contributions: null,
  };
}

/** Why a plugin that is switched on is stopped by safe mode or a search; null when it is not. */
export function holdProblem(options: PoolOptions, agentId: string, key: string): Problem | null {
  if (!options.agentPlugins.get(agentId, key)?.enabled) return null;
  return options.holdOf?.(agentId, key)?.problem ?? null;
}

function contributionsView({
  tools,
  hooks,
  commands,
  skills,
  channel,
  leftOut,
}: InstanceContributions): Contributions {
  return {
    tools,
    hooks,
    commands,
    skills,
    channel: channel && { name: channel.name },
    ...(leftOut && { leftOut }),
  };
}
