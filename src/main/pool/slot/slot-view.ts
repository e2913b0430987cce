import type { Contributions, InstanceView, Problem } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import { type Figures, noCalls } from "../figures/figures.ts";
import type { PoolOptions } from "../ports.ts";
import type { Recovery } from "../recovery/recovery.ts";
import type { Heartbeat } from "../run/heartbeat.ts";
import type { Run } from "../run/run.ts";
import { startsOnUse } from "../wants/want.ts";

export interface SlotFacts
  extends Pick<InstanceView, "state" | "reason" | "since" | "generation" | "startsOnUse"> {
  /** When the wait for a start ends that may have to fetch its program first; null: there is none. */
  fetchesUntil: string | null;
  heartbeat: Heartbeat | null;
  run: Run | null;
  recovery: Recovery;
  figures: Figures;
  contributions: InstanceContributions | null;
}

/** The view of a slot for the screens. */
export function slotView(facts: SlotFacts): InstanceView {
  const { heartbeat, run, recovery, figures, contributions, fetchesUntil, ...rest } = facts;
  return {
    ...rest,
    ...(fetchesUntil !== null && { fetchesUntil }),
    notResponding: heartbeat?.notResponding ?? false,
    pid: run?.instance.pid ?? null,
    memoryBytes: run?.memoryBytes ?? null,
    startMs: figures.startMs,
    restarts: figures.restarts,
    nextRestartAt: recovery.nextRestartAt,
    calls: figures.view(),
    contributions: contributions && contributionsView(contributions),
  };
}

/** The view of a plugin that has not been started or switched on since the app started. */
export function stoppedView(options: PoolOptions, agentId: string, key: string): InstanceView {
  const row = options.agentPlugins.get(agentId, key);
  const plugin = options.registry.get(key);
  const hold = holdProblem(options, agentId, key);
  const figures = options.figures?.find(agentId, key);
  return {
    state: "stopped",
    reason: hold,
    since: row?.updatedAt ?? new Date(0).toISOString(),
    generation: 0,
    startsOnUse: !hold && row?.enabled === true && plugin !== undefined && startsOnUse(plugin),
    notResponding: false,
    pid: null,
    memoryBytes: null,
    startMs: figures?.startMs ?? null,
    restarts: figures?.restarts ?? 0,
    nextRestartAt: null,
    calls: figures?.view() ?? noCalls,
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
  prompts,
  resources,
  resourceChanges,
  channel,
  leftOut,
  notes,
  insights,
  shortcuts,
  keyBindings,
  renderers,
  providers,
  server,
}: InstanceContributions): Contributions {
  return {
    tools,
    hooks,
    commands,
    skills: skills.map(({ name, description, path }) => ({ name, description, path })),
    ...(prompts.length > 0 && {
      prompts: prompts.map(({ name, description }) => ({ name, description })),
    }),
    ...(resources && { resources }),
    ...(resourceChanges && { resourceChanges }),
    channel: channel && { name: channel.name },
    ...(leftOut && { leftOut }),
    ...(notes && { notes }),
    ...(insights && { insights }),
    ...(shortcuts && { shortcuts }),
    ...(keyBindings && { keyBindings }),
    ...(renderers && { renderers }),
    ...(providers && { providers }),
    ...(server && { server }),
  };
}
