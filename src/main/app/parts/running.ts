import { growthInWords } from "../../../contract/index.ts";
import { Dialogs } from "../../agents/dialogs.ts";
import { Agents, type AgentsOptions } from "../../agents/index.ts";
import { ModelLending } from "../../agents/lending/lending.ts";
import type { Replays } from "../../agents/replay/replays.ts";
import { replaysOf } from "../../agents/replay/replays-of.ts";
import { LiveTraces } from "../../agents/traces/live/live-traces.ts";
import { systemClock } from "../../base/clock.ts";
import type { LinkedFolders } from "../../catalog/index.ts";
import type { Holds } from "../../holds/holds.ts";
import type { LanguageServers } from "../../languages/language-servers.ts";
import type { MachineWalls } from "../../permissions/machine-walls.ts";
import { Permissions, type PermissionsOptions } from "../../permissions/permissions.ts";
import { refusedHosts } from "../../permissions/refused-hosts.ts";
import type { Platform } from "../../platform/platform.ts";
import { Checks, type ChecksOptions } from "../../pool/check/checks.ts";
import { KeptFigures, type KeptFiguresOptions } from "../../pool/figures/kept-figures.ts";
import { KeptLogs, type KeptLogsOptions } from "../../pool/journal/kept-logs.ts";
import { PluginPool } from "../../pool/plugin-pool.ts";
import type { PoolOptions } from "../../pool/ports.ts";
import type { AgentPlugins, KeptRows, SettingsStore } from "../../registry/index.ts";
import { Grants, type GrantsOptions } from "../../setup/persist/grants.ts";
import { type CredentialSources, PluginCredentials } from "../../setup/persist/plugin-credentials.ts";
import { codeOf } from "../languages/code.ts";
import type { ChannelDoors } from "./channel-doors.ts";
import { channelPeople, channelRights } from "./channel-rights.ts";
import { type ChatLanguageSources, chatLanguages } from "./chat-languages.ts";

type OfPool =
  | "pins"
  | "registry"
  | "agentPlugins"
  | "agents"
  | "vault"
  | "runtimes"
  | "settings"
  | "checkIntegrity";
type OfAgents =
  | "storage"
  | "agents"
  | "registry"
  | "agentPlugins"
  | "vault"
  | "settings"
  | "audit"
  | "onNotice";
type RunningNeeds = Pick<PoolOptions, OfPool> &
  Pick<ChecksOptions, "pins"> &
  Pick<AgentsOptions, OfAgents> &
  Pick<KeptLogsOptions, "storage" | "agentPlugins" | "setAside"> &
  Pick<KeptFiguresOptions, "storage"> &
  Pick<GrantsOptions, "vault" | "agentPlugins"> &
  CredentialSources &
  ChatLanguageSources &
  Pick<PermissionsOptions, "agentPlugins"> & {
    agentPlugins: Pick<AgentPlugins, "get" | "amend" | "changes">;
    holds: Pick<Holds, "of">;
    linked: Pick<LinkedFolders, "grown">;
    walls: Pick<MachineWalls, "state">;
    kept: Pick<KeptRows, "doubt">;
    doors: Pick<ChannelDoors, "access" | "ports">;
    languages: Pick<LanguageServers, "has" | "ask">;
    settings: Pick<SettingsStore, "get" | "changes">;
    platform: Pick<Platform, "version">;
  };

export interface Running {
  pool: PluginPool;
  /** Starts of plugins that show what they offer before they are switched on. */
  checks: Checks;
  /** The logs of plugins, those of earlier runs of the app included. */
  keptLogs: KeptLogs;
  /** How often plugins were called, restarts of the app included. */
  figures: KeptFigures;
  /** What plugins may reach, and what they tried. */
  permissions: Permissions;
  /** Agents at work: conversations, turns, tools, hooks, commands, questions. */
  work: Agents;
  /** Recorded turns that are run again. */
  replays: Replays;
  /** Sign-ins, and what plugins keep in profiles. */
  grants: Grants;
  credentials: PluginCredentials;
  /** Sends the traces of turns to where the person said. */
  live: LiveTraces;
}

/** What runs: plugins in the pool, and agents at work over it. */
export function openRunning(needs: RunningNeeds, stack: AsyncDisposableStack): Running {
  const { storage, registry, agentPlugins, agents, vault, settings, audit, onNotice } = needs;
  const { runtimes, holds, walls, kept, doors, checkIntegrity, linked, platform } = needs;
  const credentials = new PluginCredentials({ vault, agentPlugins });
  const grants = new Grants({ vault, agentPlugins });
  const dialogs = new Dialogs({ settings });
  const permissions = new Permissions({
    agentPlugins,
    audit,
    ask: (...question) => dialogs.ask(...question),
    ownPorts: () => doors.ports,
  });
  stack.defer(() => permissions.close());
  const keptLogs = new KeptLogs({
    storage,
    agents,
    agentPlugins,
    vault,
    setAside: needs.setAside,
    pool: () => pool,
    onNotice,
  });
  stack.defer(() => keptLogs.close());
  const figures = new KeptFigures({ storage, agents, agentPlugins, registry, onNotice });
  stack.defer(() => figures.close());
  const lending = new ModelLending({
    agents,
    dialogs,
    secrets: vault,
    clock: systemClock,
    isGranted: (agentId, plugin) => permissions.of(agentId, plugin).model === true,
    record: (...lent) => work.modelLent(...lent),
  });
  const ofPool: PoolOptions = {
    registry,
    agentPlugins,
    agents,
    vault,
    runtimes,
    settings,
    checkIntegrity,
    pins: needs.pins,
    declaredBeyond: (key) => linked.grown(key).map(growthInWords),
    holdOf: (agentId, key) => holds.of(agentId, key),
    doubtOf: (agentId) => kept.doubt(agentId),
    ask: (...question) => dialogs.ask(...question),
    code: codeOf({ servers: needs.languages, agents, registry, permissions }),
    lendModel: (agentId, plugin) => lending.of(agentId, plugin),
    permissions,
    figures,
    wallState: () => walls.state(),
    channel: (agentId, key) => ({
      agent: work.channels.of(agentId, key),
      access: () => doors.access(agentId, key),
    }),
    withheld: (agentId, pluginKey, name) =>
      audit.record({ kind: "wall.refused", wall: "secrets", agentId, pluginKey, target: name }),
    credentials: (agentId, key) => credentials.of(agentId, key),
    oauthToken: (agentId, key, refused, sentTo) => grants.token(agentId, key, refused, sentTo),
    signedIn: (agentId, key) => grants.has(agentId, key),
    onRun: (note) => {
      const { what, problem: _whole, ...line } = note;
      void audit.record({ kind: `plugin.${what}`, ...line });
      work.pluginRan(note);
    },
    onRefused: (refusal) => void audit.record({ kind: "wall.refused", ...refusal }),
  };
  const pool: PluginPool = new PluginPool(ofPool);
  const checks = new Checks({ pool: ofPool, pins: needs.pins, staging: storage.places.staging });
  agentPlugins.changes.on("row", (...row) => checks.settingsChanged(...row));
  stack.defer(() => checks.close());
  keptLogs.follow();
  stack.defer(() => pool.close());
  const ofAgents: AgentsOptions = {
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
    ownPorts: () => doors.ports,
    refusedHost: refusedHosts({ registry, agentPlugins, permissions }),
    rights: channelRights({ runtimes, registry, agentPlugins }),
    people: channelPeople(agentPlugins),
    languages: chatLanguages({ agents, settings, platform }),
  };
  const live = new LiveTraces({
    settings,
    secrets: vault,
    nameOf: (agentId) => agents.get(agentId)?.name,
    clock: systemClock,
    version: platform.version,
  });
  settings.changes.on("settings", () => live.settingsChanged());
  stack.defer(() => live.close());
  const work: Agents = new Agents({
    ...ofAgents,
    onTurnEnded: (place, turn) => live.turnEnded(place, turn),
  });
  const replays = replaysOf(work, ofAgents, pool.asides);
  stack.defer(() => work.close());
  return { pool, checks, keptLogs, figures, permissions, work, replays, grants, credentials, live };
}
