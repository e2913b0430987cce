import { type AgentInput, type Problem, toProblem } from "../../contract/index.ts";
import { AgentPluginService } from "../agent-plugins/agent-plugin-service.ts";
import type { Agents } from "../agents/index.ts";
import { createIntegrityCheck } from "../catalog/index.ts";
import { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { GatewayTarget } from "../gateway/server.ts";
import type { Platform } from "../platform/platform.ts";
import { type AppRouter, createRouter } from "../rpc/router.ts";
import type { Services } from "../rpc/services.ts";
import { scopeOutsideTurns } from "../runtimes/plugin-call.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import { SignIns } from "../setup/oauth/sign-in.ts";
import { Grants } from "../setup/persist/grants.ts";
import { learnSecrets } from "../setup/persist/learn-secrets.ts";
import { PluginCredentials } from "../setup/persist/plugin-credentials.ts";
import { Setups } from "../setup/setups.ts";
import type { StoreEngine } from "../store/index.ts";
import { AppEvents } from "../views/app-events.ts";
import { entitiesOf } from "../views/entities.ts";
import { LoadChecks } from "../views/load-checks.ts";
import { Notices } from "../views/notices.ts";
import { valuesOf } from "../views/values.ts";
import { Views } from "../views/views.ts";
import { announceChanges } from "./announce-changes.ts";
import { channelNamed, liveStates } from "./channel-names.ts";
import { ChannelDoors } from "./parts/channel-doors.ts";
import { openHolds } from "./parts/holds.ts";
import { openInstalling } from "./parts/installing.ts";
import { openRunning } from "./parts/running.ts";
import { openRuntimes } from "./parts/runtimes.ts";
import { openState } from "./parts/state.ts";
import { startsListeners } from "./ready.ts";

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
async function openCore(platform: Platform, start: StartOptions, stack: AsyncDisposableStack): Promise<App> {
  const notices = new Notices();
  const onNotice = (problem: Problem) => notices.add(problem);
  const tell = (error: unknown) => notices.add(toProblem(error), "error");
  const state = await openState(platform, start.engine, stack, onNotice);
  const { storage, lease, settings, vault, audit, registry, agents, agentPlugins } = state;
  const { places } = storage;
  const holding = {
    platform,
    storage,
    onNotice,
    tell,
    safe: start.safe === true,
    agents,
    agentPlugins,
    registry,
  };
  const { holds, starts } = await openHolds(holding, stack);
  const runtimes = openRuntimes(platform, storage, settings, start.runtimes);
  const credentials = new PluginCredentials({ vault, agentPlugins });
  const grants = new Grants({ vault, agentPlugins });
  const checkIntegrity = createIntegrityCheck();
  const doors = new ChannelDoors(state);
  const { pool, work } = openRunning(
    { state, runtimes, holds, credentials, grants, doors, checkIntegrity, onNotice },
    stack,
  );
  const owner = new AgentPluginService({
    registry,
    agents,
    agentPlugins,
    vault,
    grants,
    runtimes,
    pool,
    audit,
    deactivate: (agentId) => work.deactivate(agentId),
  });
  // Closing the sign-ins first stops what the owner asks of providers.
  stack.defer(() => owner.close());
  stack.defer(() => grants.close());
  const setups = new Setups({
    registry,
    agents,
    agentPlugins,
    owner,
    vault,
    credentials,
    pool,
    runtimes,
    settings,
    audit,
    signIn: new SignIns(),
    checkIntegrity,
    openUrl: (url) => openPage(platform, url),
  });
  stack.defer(() => setups.close());
  const { catalog, jobs, uploads } = openInstalling(
    { platform, storage, registry, settings, audit, runtimes, pool, owner, checkIntegrity, onNotice },
    stack,
  );
  const loadChecks = new LoadChecks({ registry, checkIntegrity });
  const views = new Views({ registry, agents, agentPlugins, pool, vault, loadChecks });
  const events = new AppEvents(tell, lease);
  stack.defer(() => events.close());
  const startedAt = new Date().toISOString();
  const seen = { platform, places, startedAt, settings, vault, registry, agents, agentPlugins, pool };
  const services: Services = {
    ...seen,
    storage,
    runtimes,
    audit,
    agentPluginService: owner,
    catalog,
    jobs,
    uploads,
    work,
    setups,
    grants,
    credentials,
    diagnostics: new Diagnostics({ ...seen, jobs, work, notices, loadChecks, views }),
    notices,
    holds,
    loadChecks,
    views,
    entities: entitiesOf({ views, registry, agents, agentPlugins, notices, jobs, work, setups }),
    values: valuesOf({ settings, holds, vault, platform }),
    events,
    ready: startsListeners({ platform, agents, agentPlugins, registry, owner }),
  };
  const learn = () => learnSecrets(services);
  vault.changes.on("status", learn);
  learn();
  announceChanges(services);
  lease.lost.addEventListener("abort", () => {
    tell(lease.lost.reason);
    pool.close().catch(tell);
  });
  await owner.recover();
  if (state.isFirstStart) await agents.create(firstAgent);
  await jobs.recover();
  await setups.recover();

  return {
    storage,
    lease,
    lost: lease.lost,
    version: platform.version,
    router: createRouter(services),
    tools: work.tools,
    channels: {
      tokens: doors.tokens,
      desk: work.channels,
      roleOf: (agentId, key, userId) => {
        const runtime = runtimes.find(({ id }) => id === registry.get(key)?.runtime);
        return runtime?.roleOf?.(agentPlugins.get(agentId, key)?.config ?? {}, userId);
      },
      isLive: (agentId, key) => liveStates.has(pool.view(agentId, key).state),
    },
    handleWebhook: (agentId, namespace, request, signal) =>
      pool.call(
        agentId,
        channelNamed(registry, namespace),
        { kind: "webhook", request },
        scopeOutsideTurns(signal, settings.get().limits.toolMs),
      ),
    gatewayOpened(url, token) {
      doors.open(url);
      vault.hide(token);
      pool
        .boot()
        .then(() => starts?.succeed())
        .catch(tell);
      loadChecks.checkAll().catch(tell);
    },
    close: () => stack.disposeAsync(),
  };
}

/**
 * Opens a page in the person's browser; false in the browser shell, where the screen has to open it because this
 * process may run on a machine without a desktop.
 */
async function openPage(platform: Platform, url: string): Promise<boolean> {
  if (platform.shell === "browser") return false;
  await platform.openUrl(url);
  return true;
}

const firstAgent: AgentInput = {
  id: "helper",
  name: "Helper",
  instructions: "You help the person at this computer. Use your tools where they help, and say what you did.",
  model: { kind: "none" },
  policy: [],
  maxSteps: 40,
};
