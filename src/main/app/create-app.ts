import { type AgentInput, type Problem, toProblem } from "../../contract/index.ts";
import { PastedValues } from "../agent-plugins/brought/pasted-values.ts";
import type { Agents } from "../agents/index.ts";
import { createIntegrityCheck, type IntegrityCheck, LinkedFolders } from "../catalog/index.ts";
import type { GatewayTarget } from "../gateway/server.ts";
import type { Platform } from "../platform/platform.ts";
import { behindWalls } from "../platform/walls/required.ts";
import { Removed } from "../removed/removed.ts";
import { type AppRouter, createRouter } from "../rpc/router.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import { learnSecrets } from "../setup/persist/learn-secrets.ts";
import type { StoreEngine } from "../store/index.ts";
import { Notices } from "../views/notices.ts";
import { openLanguages } from "./languages/code.ts";
import { openAgentPlugins } from "./parts/agent-plugins.ts";
import { openAuthority } from "./parts/authority.ts";
import { ChannelDoors } from "./parts/channel-doors.ts";
import { channelTarget, webhookTarget } from "./parts/gateway-target.ts";
import { openHolds } from "./parts/holds.ts";
import { openInstalling } from "./parts/installing.ts";
import { openRunning } from "./parts/running.ts";
import { openPythons, openRuntimes } from "./parts/runtimes.ts";
import { openScreens } from "./parts/screens.ts";
import { areas } from "./parts/serving.ts";
import { openSetups } from "./parts/setups.ts";
import { openState } from "./parts/state.ts";
import { openWalls } from "./parts/walls.ts";

/** The core, wired. A shell serves `router` and, where it has a gateway, opens it over this. */
export interface App extends GatewayTarget {
  /**
   * Aborted, with the reason, when another Patchbay has taken over what this one keeps. Nothing is written any more and every
   * plugin is stopped; whoever made the app says so and closes it.
   */
  readonly lost: AbortSignal;
  readonly router: AppRouter;
  /** The tool pipeline, for callers inside the process that do not go through the router. */
  readonly tools: Agents["tools"];
  /** Stops everything in order; what was reported is on disk when it resolves. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Start with every plugin off, until the person leaves safe mode. */
  safe?: boolean;
  /** False when the person's first command makes an agent of its own: then no other is made. Default: true. */
  firstAgent?: boolean;
  /** Plugin systems besides those that come with Patchbay; they are asked after them. */
  runtimes?: readonly PluginRuntime[];
  /** What writes the files of the store; `conf` when absent. */
  engine?: StoreEngine;
}

/**
 * Opens the store and wires every service. Plugins start when a gateway has been opened over the app, in the
 * background; at the command line (`platform.shell` is `cli`) only what a command uses starts.
 * @throws PatchbayError HOME_IN_USE, STATE_FILE_NEWER, READ_FAILED; then everything that was opened is closed again
 */
export async function createApp(platform: Platform, start: StartOptions = {}): Promise<App> {
  const stack = new AsyncDisposableStack();
  try {
    return await openCore(platform, start, stack);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Parts are opened from the ground up, and closed by the stack the other way round. */
async function openCore(machine: Platform, start: StartOptions, stack: AsyncDisposableStack): Promise<App> {
  const notices = new Notices();
  const onNotice = (problem: Problem) => notices.add(problem);
  const tell = (error: unknown) => notices.add(toProblem(error), "error");
  const state = await openState(machine, start.engine, stack, onNotice);
  const { storage, lease, settings, vault, registry, agents } = state;
  const platform = behindWalls(machine, () => settings.get().unwalled);
  const walls = openWalls({ ...state, platform, onNotice }, stack);
  const safe = start.safe === true;
  const { holds, starts } = await openHolds({ ...state, platform, onNotice, tell, safe }, stack);
  const python = openPythons(platform, storage.places, settings);
  const runtimes = openRuntimes(platform, storage, settings, python, start.runtimes);
  const languages = openLanguages(python, settings, storage.places.root, stack);
  const filesOf = createIntegrityCheck({ plugins: storage.places.plugins });
  const linked = new LinkedFolders({ runtimes, audit: state.audit });
  const checkIntegrity: IntegrityCheck = async (plugin) => {
    const problem = await filesOf(plugin);
    if (problem === null) await linked.look(plugin);
    return problem;
  };
  const doors = new ChannelDoors(state);
  const running = openRunning(
    { ...state, platform, runtimes, holds, doors, walls, checkIntegrity, linked, languages, onNotice },
    stack,
  );
  const { pool, work } = running;
  const owner = openAgentPlugins({ ...state, ...running, runtimes, onNotice }, stack);
  const settleAll = () => Promise.all(agents.list().map(({ id }) => owner.settleAgent(id)));
  walls.changes.on("walls", () => void settleAll().catch(tell));
  const kept = { ...state, ...running, platform, runtimes, owner, checkIntegrity, linked };
  const setups = openSetups(kept, stack);
  const pasted = new PastedValues({ brought: python.brought, vault });
  const installing = openInstalling({ ...kept, ...python, pasted, onNotice }, stack);
  const removed = new Removed({ ...kept, ...installing, rows: state.removed, onNotice });
  stack.defer(() => removed.close());
  // A notice may say that a file was set aside.
  notices.changes.on("notice", () => void removed.look().catch(tell));
  const screens = openScreens(
    { ...kept, ...installing, removed, notices, holds, walls, setups, tell },
    stack,
  );
  const authority = openAuthority({ ...state, platform, tell }, stack);
  const parts = {
    authority,
    platform,
    walls,
    notices,
    runtimes,
    python,
    languages,
    holds,
    owner,
    pasted,
    setups,
    state,
    running,
    installing,
    screens,
    removed,
  };
  const router = createRouter(areas(parts));
  const learn = () => learnSecrets({ ...state, ...running });
  vault.changes.on("status", learn);
  learn();
  lease.lost.addEventListener("abort", () => {
    tell(lease.lost.reason);
    pool.close().catch(tell);
  });
  await owner.recover();
  if (state.isFirstStart && start.firstAgent !== false) await agents.create(firstAgent);
  await installing.jobs.recover();
  await removed.recover();
  await setups.recover();

  return {
    lease,
    lost: lease.lost,
    version: platform.version,
    router,
    tools: work.tools,
    channels: channelTarget({ pool, tokens: doors.tokens, desk: work.channels, limits: work.dialogs.limits }),
    handleWebhook: webhookTarget({ registry, settings, pool }),
    authority,
    hide: (token) => vault.hide(token),
    gatewayOpened(url) {
      doors.open(url);
      pool
        .boot()
        .then(() => starts?.succeed())
        .then(() => running.keptLogs.tidy())
        .catch(tell);
      screens.loadChecks.watch(tell);
    },
    close: () => stack.disposeAsync(),
  };
}

const firstAgent: AgentInput = {
  id: "helper",
  name: "Helper",
  instructions: "You help the person at this computer. Use your tools where they help, and say what you did.",
  model: { kind: "none" },
  policy: [],
  maxSteps: 40,
};
