import { EventEmitter } from "node:events";
import {
  type AgentPluginRow,
  agentIdPattern,
  type DialogAnswer,
  type DialogQuestion,
  type DialogSubject,
  type Grants,
  grantsOf,
  type Plugin,
  type PluginPermissions,
  type RefusedTally,
  type Seen,
  type Tally,
} from "../../contract/index.ts";
import { cleanLine } from "../../contract/shown/clean-text.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { Attempt } from "../platform/walls/wall.ts";
import type { PluginWalls } from "../runtimes/runtime.ts";
import { type HostAnswer, HostJudge } from "./network-judge.ts";
import { hostsIn } from "./settings-hosts.ts";

export interface PermissionsOptions {
  agentPlugins: {
    get(agentId: string, key: string): AgentPluginRow | undefined;
    set(agentId: string, key: string, patch: { grants: Grants }): Promise<unknown>;
  };
  audit: {
    record(event: { kind: string; agentId: string; pluginKey: string; [detail: string]: unknown }): unknown;
  };
  /** Shows a question to the person. */
  ask(
    agentId: string,
    pluginKey: string,
    question: DialogQuestion,
    context: string,
    signal: AbortSignal | undefined,
    of: { about: DialogSubject },
  ): Promise<DialogAnswer>;
  /** Ports of this computer at which Patchbay itself answers. */
  ownPorts?(): readonly number[];
  clock?: Clock;
}

/** Different targets that are counted for each (agent, plugin); further ones are only logged. */
const MOST_TARGETS = 200;
/** Milliseconds between two announcements of what one plugin reached: a busy one reaches something all the time. */
const ANNOUNCE_MS = 400;
/** Those of them that only the plugin's own process told of: what it makes up must leave room for what is so. */
const MOST_TOLD = 100;

/** What plugins may reach, and what they reached or tried since Patchbay started. */
export class Permissions {
  readonly changes = new EventEmitter<{
    counted: [agentId: string, key: string];
    /** What it may reach was changed. */
    granted: [agentId: string, key: string];
  }>();
  readonly #options: PermissionsOptions;
  readonly #clock: Clock;
  readonly #reached = new Map<string, Map<string, Tally>>();
  readonly #refused = new Map<string, Map<string, RefusedTally>>();
  /** How much in all, also of targets that are too many to be counted one by one. */
  readonly #sums = new Map<string, Seen>();
  /** What is announced when its time has come; cancels that. */
  readonly #later = new Map<string, () => void>();

  constructor(options: PermissionsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    // Each run of a plugin listens.
    this.changes.setMaxListeners(0);
  }

  /** What the plugin may reach for this agent. */
  of(agentId: string, plugin: Plugin): Grants {
    return this.#row(agentId, plugin.manifestKey)?.grants ?? this.defaults(plugin);
  }

  /** What the plugin may reach for agents for which the person changed nothing. */
  defaults(plugin: Plugin): Grants {
    return plugin.granted ?? grantsOf(plugin.consent);
  }

  /** Tells the runs of a plugin that what it may reach was changed: connections that it may not have any more end. */
  granted(agentId: string, key: string): void {
    this.changes.emit("granted", agentId, key);
  }

  /** In short, for a row; undefined when it has reached and tried nothing yet. */
  sum(agentId: string, key: string): Seen | undefined {
    return this.#sums.get(`${agentId} ${key}`);
  }

  /** What the plugin reached and tried for this agent, the most recent first. */
  seen(agentId: string, key: string): PluginPermissions["seen"] {
    const id = `${agentId} ${key}`;
    return { reached: latest(this.#reached.get(id)), refused: latest(this.#refused.get(id)) };
  }

  /**
   * The walls for one run of a plugin. `tell`: writes a line to its log. `typed`: what the person typed for it. `asks`: the
   * person is asked about hosts that were not granted; else these are refused.
   */
  walls(
    agentId: string,
    plugin: Plugin,
    tell: (text: string) => void,
    { typed, asks = true }: { typed?: () => unknown; asks?: boolean } = {},
  ): PluginWalls {
    const key = plugin.manifestKey;
    const ownPorts = () => this.#options.ownPorts?.() ?? [];
    const judge = new HostJudge({
      grants: () => this.of(agentId, plugin),
      // An older channel speaks to its agent over HTTP, with a token that opens nothing else.
      named: () => [
        ...this.#named(agentId, key),
        ...hostsIn(typed?.()),
        ...(plugin.capabilities.channel ? ownPorts().map((port) => `127.0.0.1:${port}`) : []),
      ],
      ownPorts: () => (plugin.capabilities.channel ? [] : ownPorts()),
      ask: async (rule, place, signal) => (asks ? this.#ask(agentId, plugin, rule, place, signal) : null),
      keep: (rule) => this.#keep(agentId, plugin, rule),
      reached: (rule) => this.#count(this.#reached, agentId, key, { target: rule }),
      follow: (listener) => this.#followGrants(agentId, key, listener),
    });
    return {
      grants: this.of(agentId, plugin),
      judge,
      refused: (attempt) => {
        // What it wanted is named in the plugin's words, so it is shown cleaned everywhere.
        const shown = { ...attempt, target: cleanLine(attempt.target) };
        tell(sentenceOf(shown));
        this.#refuse(agentId, key, shown);
      },
    };
  }

  close(): void {
    for (const cancel of this.#later.values()) cancel();
    this.#later.clear();
    this.changes.removeAllListeners();
  }

  #followGrants(agentId: string, key: string, listener: () => void): () => void {
    const heard = (agent: string, plugin: string) => {
      if (agent === agentId && plugin === key) listener();
    };
    this.changes.on("granted", heard);
    return () => this.changes.off("granted", heard);
  }

  /** None where a plugin is only looked at, which it is for no agent. */
  #row(agentId: string, key: string): AgentPluginRow | undefined {
    return agentIdPattern.test(agentId) ? this.#options.agentPlugins.get(agentId, key) : undefined;
  }

  /** The hosts that the person named in the settings. */
  #named(agentId: string, key: string): string[] {
    const row = this.#row(agentId, key);
    return hostsIn(row?.config).filter((host) => !row?.ownHosts?.includes(host));
  }

  #refuse(agentId: string, key: string, { wall, target, seenBy }: Attempt): void {
    const isNew = this.#count(this.#refused, agentId, key, { target, wall, seenBy });
    if (isNew)
      this.#options.audit.record({ kind: "wall.refused", agentId, pluginKey: key, wall, target, seenBy });
  }

  async #ask(
    agentId: string,
    { displayName, manifestKey }: Plugin,
    rule: string,
    place: string | null,
    signal: AbortSignal,
  ): Promise<HostAnswer> {
    const where = place === null ? rule : `${rule} (${place})`;
    const answer = await this.#options.ask(
      agentId,
      manifestKey,
      {
        kind: "select",
        message: `${cleanLine(displayName)} wants to reach ${where}.`,
        options: [
          { value: "once", label: "Allow until it stops" },
          { value: "always", label: "Always allow" },
          { value: "no", label: "Do not allow" },
        ],
        default: "no",
      },
      "network",
      signal,
      { about: { kind: "host", host: rule, place } },
    );
    return answer === "once" || answer === "always" || answer === "no" ? answer : null;
  }

  async #keep(agentId: string, plugin: Plugin, rule: string): Promise<void> {
    const grants = this.of(agentId, plugin);
    const { network } = grants;
    const hosts = [...new Set([...network.hosts, rule])];
    const refused = network.refused.filter((each) => each !== rule);
    const pluginKey = plugin.manifestKey;
    await this.#options.agentPlugins.set(agentId, pluginKey, {
      grants: { ...grants, network: { ...network, hosts, refused } },
    });
    this.#options.audit.record({ kind: "agent_plugin.host_granted", agentId, pluginKey, host: rule });
  }

  /** @returns whether this target was not counted before */
  #count<T extends Tally>(
    into: Map<string, Map<string, T>>,
    agentId: string,
    key: string,
    what: Omit<T, "count" | "at">,
  ): boolean {
    const id = `${agentId} ${key}`;
    const tallies = into.get(id) ?? new Map<string, T>();
    into.set(id, tallies);
    const name = "wall" in what ? `${String(what.wall)} ${what.target}` : String(what.target);
    const known = tallies.get(name);
    const at = new Date(this.#clock.now()).toISOString();
    this.#add(agentId, key, "wall" in what ? ({ ...what, count: 1, at } as unknown as RefusedTally) : null);
    if (!known && isFull(tallies, what)) return false;
    tallies.delete(name);
    tallies.set(name, { ...(what as T), count: (known?.count ?? 0) + 1, at });
    return known === undefined;
  }

  #add(agentId: string, key: string, refused: RefusedTally | null): void {
    const id = `${agentId} ${key}`;
    const sum = this.#sums.get(id) ?? { reached: 0, refused: 0, lastRefused: null };
    this.#sums.set(
      id,
      refused
        ? { ...sum, refused: sum.refused + 1, lastRefused: refused }
        : { ...sum, reached: sum.reached + 1 },
    );
    if (this.#later.has(id)) return;
    const tell = () => {
      this.#later.delete(id);
      this.changes.emit("counted", agentId, key);
    };
    this.#later.set(id, this.#clock.after(ANNOUNCE_MS, tell));
  }
}

function isFull(tallies: ReadonlyMap<string, Tally | RefusedTally>, what: object): boolean {
  if (tallies.size >= MOST_TARGETS) return true;
  if (!("seenBy" in what) || what.seenBy === "wall") return false;
  return (
    [...tallies.values()].filter((each) => "seenBy" in each && each.seenBy === "process").length >= MOST_TOLD
  );
}

function latest<T>(tallies: Map<string, T> | undefined): T[] {
  return [...(tallies?.values() ?? [])].reverse();
}

function sentenceOf({ wall, target }: Attempt): string {
  switch (wall) {
    case "network":
      return `Refused: it wanted to reach ${target}.`;
    case "files":
      return `Refused: it wanted the file ${target}.`;
    case "programs":
      return `Refused: it wanted to start ${target}.`;
    case "signals":
      return `Refused: it wanted to send a signal to ${target}.`;
    case "secrets":
      return `A secret of it was not put in: ${target}.`;
  }
}
