import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import { BroughtSettings } from "../../agent-plugins/brought/brought-settings.ts";
import type { PastedValues } from "../../agent-plugins/brought/pasted-values.ts";
import { HeldPlugins } from "../../agent-plugins/held-plugins.ts";
import { IncomingFiles } from "../../agents/files/incoming-files.ts";
import { Policies } from "../../agents/policies/policies.ts";
import type { Authority } from "../../authority/index.ts";
import { systemClock } from "../../base/clock.ts";
import { Diagnostics } from "../../diagnostics/diagnostics.ts";
import type { Holds } from "../../holds/holds.ts";
import type { LanguageServers } from "../../languages/language-servers.ts";
import type { MachineWalls } from "../../permissions/machine-walls.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Removed } from "../../removed/removed.ts";
import type { AreaNeeds } from "../../rpc/router.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";
import { SecretService } from "../../secrets/index.ts";
import type { Setups } from "../../setup/setups.ts";
import type { Notices } from "../../views/notices.ts";
import { startsListeners } from "../ready.ts";
import { serverCommand } from "../server-command.ts";
import type { Installing } from "./installing.ts";
import type { Running } from "./running.ts";
import type { PythonParts } from "./runtimes.ts";
import type { Screens } from "./screens.ts";
import type { State } from "./state.ts";

/** The parts that are open by now. */
interface Parts {
  authority: Authority;
  platform: Platform;
  notices: Notices;
  runtimes: readonly PluginRuntime[];
  python: Pick<PythonParts, "pythons" | "brought">;
  languages: LanguageServers;
  holds: Holds;
  walls: MachineWalls;
  owner: AgentPluginService;
  pasted: PastedValues;
  setups: Setups;
  state: State;
  running: Running;
  installing: Installing;
  screens: Screens;
  removed: Removed;
}

/** Hands each area of the contract what it calls; the areas say in `rpc/procedures` what that is. */
export function areas(parts: Parts): AreaNeeds {
  const { authority, platform, notices, runtimes, python, languages, holds, walls, owner, setups, removed } =
    parts;
  const { storage, settings, vault, audit, registry, agents, agentPlugins, setAside, kept } = parts.state;
  const { pool, keptLogs, permissions, work, replays, live } = parts.running;
  const { catalog, icons, jobs, uploads } = parts.installing;
  const { loadChecks, views, events, entities, values } = parts.screens;
  const { approvals, approvalHistory, commands, dialogs, sessions, shortcuts, tools } = work;
  const { conversations, people, testMessages } = work.channels;
  const { places } = storage;
  const startedAt = new Date().toISOString();
  const ready = startsListeners({ platform, agents, agentPlugins, registry, owner });
  const found = python.pythons;
  const checked = {
    platform,
    walls,
    found,
    languages,
    agents,
    places,
    settings,
    vault,
    registry,
    loadChecks,
    audit,
  };
  const looked = { ...checked, startedAt, agentPlugins, pool, jobs, approvals, notices, views };
  const info = { platform, places, vault, settings, startedAt, runtimes };
  const isAgent = (agentId: string) => agents.get(agentId) !== undefined;
  const secrets = new SecretService({ vault, audit, isAgent, downloads: platform.downloads });
  return {
    app: { ...info, checked, events, entities, values, storage, notices, walls },
    access: {
      authority,
      views,
      startOf: (agentId) => serverCommand(platform, agentId),
      hide: (token) => vault.hide(token),
    },
    catalog: { catalog, icons },
    places: { platform },
    models: { views, vault },
    pythons: { found, settings },
    languages: { servers: languages, views },
    holds: { holds, held: new HeldPlugins({ holds, agents, owner, audit }) },
    jobs: { jobs, uploads, brought: python.brought },
    plugins: {
      catalog,
      jobs,
      registry,
      views,
      loadChecks,
      pins: parts.state.pins,
      checks: parts.running.checks,
      brought: python.brought,
    },
    agents: { agents, owner, views },
    agentPlugins: {
      registry,
      owner,
      brought: new BroughtSettings({
        brought: python.brought,
        registry,
        agentPlugins,
        owner,
        pasted: parts.pasted,
      }),
      permissions,
      walls,
      audit,
      pool,
      keptLogs,
      views,
      loadChecks,
      conversations,
      people,
      testMessages,
    },
    setup: { setups, owner, views },
    tools: { tools, approvals, owner, ready },
    hooks: { work, views, ready },
    commands: { commands, sessions, views, ready },
    resources: { resources: work.resources, views, ready },
    shortcuts: { shortcuts, sessions },
    approvals: { approvals, approvalHistory, agents, views },
    dialogs: { dialogs },
    sessions: {
      work,
      sessions,
      removed,
      views,
      incoming: new IncomingFiles(),
      secrets: vault,
      downloads: platform.downloads,
      ready,
    },
    contexts: { sessions, views },
    policies: { policies: policiesOf(parts), approvals, owner, ready },
    traces: {
      sessions,
      views,
      secrets: vault,
      clock: systemClock,
      version: platform.version,
      live,
      outsideCalls: work.outsideCalls,
      downloads: platform.downloads,
    },
    pauses: { pauses: work.pauses, views },
    replays: { replays, views, ready },
    removed: { removed },
    secrets: { vault, secrets, views, platform },
    diagnostics: {
      diagnostics: new Diagnostics(looked),
      audit,
      setAside,
      kept,
      // What runs follows a row that is used after all.
      settle: async () => {
        await Promise.all(agents.list().map(({ id }) => parts.owner.settleAgent(id)));
      },
    },
  };
}

function policiesOf({ state: { agents, registry, agentPlugins }, running: { pool, work } }: Parts): Policies {
  return new Policies({
    agents,
    pool,
    trust: registry,
    catalog: work.tools.catalog,
    approvals: work.approvals,
    sessions: work.sessions,
    channels: work.channels,
    busOf: (agentId) => work.busOf(agentId),
    channelsOf: (agentId) =>
      agentPlugins.list(agentId).flatMap(({ pluginKey, enabled, people = [] }) => {
        const isChannel = enabled && registry.get(pluginKey)?.capabilities.channel !== undefined;
        const listed = people.flatMap(({ userId, status }) =>
          status === "owner" || status === "user" ? [{ userId, role: status }] : [],
        );
        return isChannel || listed.length > 0 ? [{ channel: pluginKey, people: listed }] : [];
      }),
  });
}
