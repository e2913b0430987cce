import { join } from "node:path";
import { type AgentInput, type Problem, toProblem } from "../../contract/index.ts";
import { Dialogs } from "../agents/dialogs.ts";
import { Agents } from "../agents/index.ts";
import { Catalog, createIntegrityCheck, InstallJobs, Uploads } from "../catalog/index.ts";
import { Diagnostics } from "../diagnostics/diagnostics.ts";
import { agentApiPrefix } from "../gateway/agent-api/agent-api.ts";
import { ChannelTokens } from "../gateway/agent-api/channel-tokens.ts";
import type { GatewayTarget } from "../gateway/server.ts";
import { FailedStarts } from "../holds/failed-starts.ts";
import { Holds } from "../holds/holds.ts";
import type { Platform } from "../platform/platform.ts";
import { PluginPool } from "../pool/plugin-pool.ts";
import { AgentPlugins, AgentStore, PluginRegistry, SettingsStore } from "../registry/index.ts";
import { type AppRouter, createRouter } from "../rpc/router.ts";
import type { Services } from "../rpc/services.ts";
import { fledgeHome, fledgeTeam } from "../runtimes/fledge/fledge-home.ts";
import { FledgeRuntime } from "../runtimes/fledge/fledge-runtime.ts";
import { NativeRuntime } from "../runtimes/native/native-runtime.ts";
import { scopeOutsideTurns } from "../runtimes/plugin-call.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import { Vault } from "../secrets/index.ts";
import { Grants } from "../setup/oauth/grants.ts";
import { SignIns } from "../setup/oauth/sign-in.ts";
import { learnSecrets } from "../setup/persist/learn-secrets.ts";
import { PluginCredentials } from "../setup/plugin-credentials.ts";
import { Setups } from "../setup/setups.ts";
import { AuditLog, type Lease, openFileStorage, type Storage, type StoreEngine } from "../store/index.ts";
import { AppEvents } from "../views/app-events.ts";
import { entitiesOf } from "../views/entities.ts";
import { LoadChecks } from "../views/load-checks.ts";
import { Notices } from "../views/notices.ts";
import { Views } from "../views/views.ts";
import { announceChanges } from "./announce-changes.ts";
import { channelNamed, liveStates, roleIn } from "./channel-names.ts";

/** The core, wired. A shell serves `router` and, where it has a gateway, opens it over this. */
export interface App extends GatewayTarget {
  readonly router: AppRouter;
  /** The tool pipeline as a turn uses it, below the router. */
  readonly tools: Agents["tools"];
  /** Stops everything in order; what was reported is on disk when it resolves. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Start with every plugin off, until the person leaves safe mode. */
  safe?: boolean;
  /** What writes the files of the store; `conf` when absent. */
  engine?: StoreEngine;
}

/**
 * Opens the home folder and wires every service. Plugins start when a gateway has been opened over the app, in the
 * background; at the command line (`platform.shell` is `cli`) only what a command uses starts.
 * @throws PatchbayError HOME_IN_USE, STATE_FILE_NEWER, READ_FAILED
 */
export async function createApp(platform: Platform, start: StartOptions = {}): Promise<App> {
  const notices = new Notices();
  const onNotice = (problem: Problem) => notices.add(problem);
  const storage = openFileStorage({ home: platform.home, engine: start.engine, onNotice });
  const lease = await storage.leases.acquire();
  try {
    return await openCore({ platform, storage, lease, notices }, start);
  } catch (error) {
    await lease.release();
    throw error;
  }
}

interface Ground {
  platform: Platform;
  storage: Storage;
  lease: Lease;
  notices: Notices;
}

async function openCore({ platform, storage, lease, notices }: Ground, start: StartOptions): Promise<App> {
  const { places } = storage;
  const onNotice = (problem: Problem) => notices.add(problem);
  const tell = (error: unknown) => notices.add(toProblem(error), "error");
  const isFirstStart = !storage.agents.any();
  const settings = new SettingsStore({ storage });
  const vault = await Vault.open({
    storage,
    keychain: platform.keychain,
    passphrase: process.env.PATCHBAY_PASSPHRASE,
    onNotice,
  });
  const audit = new AuditLog({ storage, redact: (value) => vault.redactDeep(value), onNotice });
  const registry = new PluginRegistry({ storage });
  const agents = new AgentStore({ storage });
  const agentPlugins = new AgentPlugins({ storage, onNotice });
  const credentials = new PluginCredentials({ vault, agentPlugins });
  const grants = new Grants({ vault, agentPlugins });
  const checkIntegrity = createIntegrityCheck();
  const holds = new Holds({
    storage,
    onNotice,
    switchedOn: (agentId) =>
      agentPlugins
        .list(agentId)
        .filter((row) => row.enabled && registry.get(row.pluginKey))
        .map((row) => row.pluginKey),
  });
  agents.changes.on("removed", (id) => void holds.end(id).catch(tell));
  // A command at the terminal starts no channel and ends by itself; only a start of the app counts.
  const starts = platform.shell === "cli" ? null : new FailedStarts({ storage });
  const manyFailed = (await starts?.begin()) === true;
  if (start.safe || manyFailed) await holds.enterSafeMode(start.safe ? "asked" : "failed_starts");
  const runtimes: PluginRuntime[] = [
    // Before native: a fledge plugin may have a package.json, too.
    new FledgeRuntime({
      places,
      version: platform.version,
      wasmWorker: join(platform.bundleDir, "wasm.js"),
      team: () => fledgeTeam(fledgeHome()),
    }),
    new NativeRuntime({
      platform,
      inspectMs: () => settings.get().limits.inspectMs,
    }),
  ];
  const dialogs = new Dialogs({ settings });
  const channels = new ChannelTokens();
  let gatewayUrl = "http://127.0.0.1:0";

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
    channelAgent: (agentId, key) => work.channels.of(agentId, key),
    channelAccess(agentId, pluginKey) {
      const agentBaseUrl = `${gatewayUrl}${agentApiPrefix}/${agentId}`;
      const namespace = registry.get(pluginKey)?.capabilities.channel?.namespace ?? pluginKey;
      const token = channels.issue({ agentId, pluginKey, namespace });
      vault.hide(token);
      return { agentBaseUrl, publicAgentBaseUrl: agentBaseUrl, token };
    },
    credentials: (agentId, key) => credentials.of(agentId, key),
    oauthToken: (agentId, key, refused) => grants.token(agentId, key, refused),
  });
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
  const catalog = new Catalog({ storage, platform, registry, settings });
  const jobs = new InstallJobs({
    storage,
    platform,
    registry,
    runtimes,
    pool,
    settings,
    audit,
    checkIntegrity,
    onNotice,
    onUninstall: async ({
      manifestKey,
      displayName,
      packageVersion,
      source: { kind, spec, registry: from },
    }) => {
      const source = { kind, spec, ...(from !== undefined && { registry: from }) };
      for (const { id } of agents.list())
        await agentPlugins.keepGone(id, manifestKey, { displayName, packageVersion, source });
    },
  });
  const setups = new Setups({
    registry,
    agents,
    agentPlugins,
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
  const loadChecks = new LoadChecks({ registry, checkIntegrity });
  const views = new Views({ registry, agents, agentPlugins, pool, vault, loadChecks });
  const services: Services = {
    platform,
    places,
    startedAt: new Date().toISOString(),
    settings,
    vault,
    audit,
    registry,
    agents,
    agentPlugins,
    pool,
    catalog,
    jobs,
    uploads: new Uploads({ places, jobs }),
    work,
    setups,
    grants,
    credentials,
    diagnostics: new Diagnostics(() => services),
    notices,
    holds,
    loadChecks,
    views,
    entities: entitiesOf({ views, registry, agents, agentPlugins, notices, jobs, work, setups }),
    events: new AppEvents(tell, lease.epoch),
    ready: startsListeners({ platform, agents, agentPlugins, registry, pool }),
  };
  const learn = () => learnSecrets(services);
  vault.changes.on("status", learn);
  learn();
  announceChanges(services);
  if (isFirstStart) await agents.create(firstAgent);
  await jobs.recover();
  await setups.recover();

  return {
    storage,
    lease,
    version: platform.version,
    router: createRouter(services),
    tools: work.tools,
    channels: {
      tokens: channels,
      desk: work.channels,
      roleOf: (agentId, key, userId) => roleIn(agentPlugins.get(agentId, key)?.config, userId),
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
      gatewayUrl = url;
      vault.hide(token);
      pool
        .boot()
        .then(() => starts?.succeed())
        .catch(tell);
      loadChecks.checkAll().catch(tell);
    },
    async close() {
      services.events.close();
      await jobs.close();
      await setups.close();
      await grants.close();
      await work.close();
      await pool.close();
      await catalog.close();
      await agentPlugins.close();
      await holds.close();
      await starts?.succeed();
      await starts?.close();
      await agents.close();
      await registry.close();
      await settings.close();
      await audit.close();
      await vault.close();
      await lease.release();
    },
  };
}

/** An agent is ready when the plugins that listen to it have started, as far as they do: a guard must not be late. */
function startsListeners({
  platform,
  agents,
  agentPlugins,
  registry,
  pool,
}: Pick<Services, "platform" | "agents" | "agentPlugins" | "registry" | "pool">): Services["ready"] {
  const started = new Map<string, Promise<unknown>>();

  function start(agentId: string): Promise<unknown> {
    const listening = agentPlugins.list(agentId).filter((row) => {
      const capabilities = row.enabled && registry.get(row.pluginKey)?.capabilities;
      if (!capabilities) return false;
      // A channel that runs for one command would take messages and be gone.
      return (
        capabilities.hooks || capabilities.commands || (capabilities.channel && platform.shell !== "cli")
      );
    });
    return Promise.all(listening.map((row) => pool.reconcile(agentId, row.pluginKey)));
  }

  return async (agentId) => {
    if (!agents.get(agentId)) return;
    let ready = started.get(agentId);
    if (!ready) {
      ready = start(agentId);
      started.set(agentId, ready);
    }
    await ready;
  };
}

/** In the browser shell the page itself opens pages: this process may have no desktop. */
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
