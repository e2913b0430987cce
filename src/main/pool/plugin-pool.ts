import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  fromProblem,
  type InstanceView,
  type LogEntry,
  type LogLevel,
  PatchbayError,
  type Plugin,
  type Problem,
} from "../../contract/index.ts";
import { systemClock } from "../base/clock.ts";
import { eachOf } from "../base/each-of.ts";
import type { CallResult, CallScope, PluginCall } from "../runtimes/plugin-call.ts";
import { Asides } from "./aside/asides.ts";
import { PoolCalls } from "./calls/pool-calls.ts";
import { ChangeFollower } from "./change-follower.ts";
import { ownerMissing } from "./contributions/missing.ts";
import { missingHooks } from "./contributions/missing-hooks.ts";
import { Offers } from "./contributions/offers.ts";
import { Figures } from "./figures/figures.ts";
import type { LiveContributions, Place, PoolEvents, PoolOptions } from "./ports.ts";
import { BEAT_MS } from "./run/heartbeat.ts";
import type { Slot } from "./slot/slot.ts";
import type { SlotHost } from "./slot/slot-host.ts";
import { SlotTable } from "./slot/slot-table.ts";
import { stoppedView } from "./slot/slot-view.ts";
import { tryVersion } from "./slot/trial.ts";
import { startsAtOnce, WAKES_AT_ONCE } from "./wants/at-once.ts";
import { mayLackSecrets, startsOnUse } from "./wants/want.ts";

/** Runs the plugins of all agents, in a slot for each (agent, plugin) that was switched on since the app started. */
export class PluginPool {
  readonly changes = new EventEmitter<PoolEvents>();
  /** Kept versions that run beside the installed one. */
  readonly asides: Asides;
  readonly #options: PoolOptions;
  readonly #clock;
  readonly #slots: SlotTable;
  readonly #follower: ChangeFollower;
  readonly #offers = new Map<string, Offers>();
  readonly #calls: PoolCalls;
  readonly #trials: (() => void)[] = [];
  #cancelBeat: (() => void) | null = null;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#slots = new SlotTable(this.#createHost());
    this.#follower = new ChangeFollower(options, this.#slots, this.#clock, ({ agentId, key }) => {
      if (this.#slots.ofAgent(agentId).length === 0) this.#offers.delete(agentId);
      this.changes.emit("instance", agentId, key);
    });
    this.changes.on("instance", (_agentId, key) => this.#follower.runs(key));
    options.pins?.changes.on("pins", (key) => {
      for (const { agentId } of this.#slots.ofPlugin(key)) this.offersAnew(agentId, key);
    });
    this.#calls = new PoolCalls((agentId, key) => this.#slots.find(agentId, key));
    this.asides = new Asides(options, this.#clock, (place, offers) =>
      this.#offersOf(place.agentId).clash(place, offers),
    );
  }

  /** Starts what is switched on, except plugins with nothing but tools. Resolves when each has started or failed. */
  async boot(): Promise<void> {
    if (this.#closed) return;
    this.#follower.start();
    const waiting: Slot[] = [];
    for (const { id } of this.#options.agents.list()) {
      for (const row of this.#options.agentPlugins.list(id)) {
        const plugin = row.enabled ? this.#options.registry.get(row.pluginKey) : undefined;
        // A plugin that starts at its first use gets its slot at that time.
        if (!plugin || (startsOnUse(plugin) && !mayLackSecrets(plugin, row.config))) continue;
        waiting.push(this.#slots.ensure(id, row.pluginKey));
      }
      // Reading the rows of many agents takes a while: let requests be answered between two agents.
      await nextTurn();
      if (this.#closed) return;
    }
    await eachOf(waiting, startsAtOnce(), (slot) => slot.settle());
  }

  /** Starts, restarts or stops the instance as its row says. Resolves when that is done, also when the start failed. */
  async reconcile(agentId: string, key: string): Promise<void> {
    this.#refuseWhenClosed();
    await this.#slots.ensure(agentId, key).settle();
  }

  /**
   * As `reconcile`, for the code that changed a row: the pool does not listen for such changes. After `boot` a plugin
   * with nothing but tools starts at once, as the person has just switched it on; without `boot` (command line) it
   * waits for its use.
   */
  async apply(agentId: string, key: string): Promise<void> {
    this.#refuseWhenClosed();
    const isOn = this.#options.agentPlugins.get(agentId, key)?.enabled === true;
    if (!isOn && !this.#slots.find(agentId, key)) return;
    const slot = this.#slots.ensure(agentId, key);
    if (this.#follower.isFollowing) slot.use();
    await slot.settle();
  }

  /** Stops an instance whose row was removed, and drops its log. */
  async forget(agentId: string, key: string): Promise<void> {
    const slot = this.#slots.find(agentId, key);
    if (slot) await this.#follower.forget(slot);
    // The plugin may have been switched on again while its instance was stopping.
    if (!this.#closed && this.#options.agentPlugins.get(agentId, key)) await this.apply(agentId, key);
  }

  /**
   * Stops the instance and starts it again; also one that was given up after too many crashes.
   *
   * @throws PatchbayError PLUGIN_NOT_RUNNING when it is switched off, PLUGIN_NOT_FOUND when it is not installed
   */
  async restart(agentId: string, key: string): Promise<void> {
    this.#refuseWhenClosed();
    const plugin = this.#options.registry.get(key);
    if (!plugin) throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed.`);
    if (!this.#options.agentPlugins.get(agentId, key)?.enabled) {
      throw new PatchbayError("PLUGIN_NOT_RUNNING", `${plugin.displayName} is switched off for this agent.`);
    }
    const hold = this.#options.holdOf?.(agentId, key);
    if (hold) throw fromProblem(hold.problem);
    await this.#slots.ensure(agentId, key).restart();
  }

  /** Stops a plugin for all agents. It is not started again before the catalogue changes its row. */
  async stopPlugin(key: string): Promise<void> {
    const stopping = this.#slots.ofPlugin(key).map((slot) => {
      slot.held = true;
      return slot.settle();
    });
    await Promise.all([...stopping, this.asides.endAll((aside) => aside.key === key)]);
  }

  /** Stops everything of an agent; call it before the agent is removed. */
  async stopAgent(agentId: string): Promise<void> {
    const stopping = this.#slots.ofAgent(agentId).map((slot) => this.#follower.forget(slot));
    await Promise.all([...stopping, this.asides.endAll((aside) => aside.agentId === agentId)]);
  }

  /**
   * Starts a new version for every agent that runs the plugin, beside the old one. When the catalogue then stores the
   * new version, the agents change to it without a gap.
   *
   * @throws PatchbayError for the first agent for which the new version did not start, naming the agent; the old
   * version then goes on running for all
   */
  async trial(plugin: Plugin): Promise<void> {
    this.#refuseWhenClosed();
    const stopWaiting = await tryVersion(
      plugin,
      this.#slots.ofPlugin(plugin.manifestKey),
      this.#options,
      this.#clock,
    );
    if (this.#closed) stopWaiting();
    else this.#trials.push(stopWaiting);
  }

  view(agentId: string, key: string): InstanceView {
    return this.#slots.find(agentId, key)?.view() ?? stoppedView(this.#options, agentId, key);
  }

  /** Starts an agent's plugins that wait for their first use, or one of them. Never rejects: a failed start is a state. */
  async wake(agentId: string, key?: string): Promise<void> {
    if (this.#closed) return;
    const slots = this.#options.agentPlugins
      .list(agentId)
      .filter((row) => row.enabled && (key ?? row.pluginKey) === row.pluginKey)
      .filter((row) => this.#options.registry.get(row.pluginKey))
      .map((row) => this.#slots.ensure(agentId, row.pluginKey))
      .filter((slot) => slot.busy || slot.waitsForUse);
    await eachOf(slots, WAKES_AT_ONCE, (slot) => {
      slot.use();
      return slot.busy && !slot.waitsForUse ? slot.settled() : slot.settle();
    });
  }

  /** Gives a start that may have to fetch the program first as much time again. */
  waitLonger(agentId: string, key: string): void {
    this.#slots.find(agentId, key)?.waitLonger();
  }

  /** To be called when the person has switched tools of a plugin or looked at what is held: no restart is needed. */
  offersAnew(agentId: string, key: string): void {
    this.#slots.find(agentId, key)?.offersAnew();
  }

  /** What the running plugins of an agent offer. The same object until something changes. */
  live(agentId: string): LiveContributions {
    return this.#offersOf(agentId).live();
  }

  /** The plugin that a missing tool probably belongs to, and why it does not run (null: it is switched off). */
  whyMissing(agentId: string, tool: string): { plugin: string; problem: Problem | null } | undefined {
    return ownerMissing(tool, this.#options, agentId, {
      lastTools: (key) => this.#slots.find(agentId, key)?.lastTools,
      reason: (key) => this.view(agentId, key).reason,
    });
  }

  /** Required hooks that nothing answers, of plugins that are switched on: what they would check must be refused. */
  required(agentId: string) {
    return this.#options.agentPlugins.list(agentId).flatMap(({ enabled, pluginKey }) => {
      const events = enabled ? this.#options.registry.get(pluginKey)?.declaration.requiredHooks : undefined;
      // A plugin that is stopped by a search counts as switched off. In safe mode its required hooks still block.
      if (!events?.length || this.#options.holdOf?.(agentId, pluginKey)?.kind === "search") return [];
      return missingHooks(pluginKey, events, this.#slots.find(agentId, pluginKey)?.contributions ?? null);
    });
  }

  /**
   * Calls a running plugin; one that is just restarting is waited for.
   *
   * @throws PatchbayError PLUGIN_NOT_RUNNING, CALL_UNSUPPORTED, HOST_CRASHED, ABORTED, a timeout or failure of its kind
   */
  call<C extends PluginCall>(
    agentId: string,
    key: string,
    call: C,
    scope: CallScope,
  ): Promise<CallResult<C>> {
    return this.#calls.call(agentId, key, call, scope);
  }

  logs(
    agentId: string,
    key: string,
    filter?: { after?: number; level?: LogLevel; limit?: number },
  ): LogEntry[] {
    return this.#slots.find(agentId, key)?.logs.read(filter) ?? [];
  }

  /** Adds a line to the log of a plugin that does not run. Its setup writes there, too. */
  note(agentId: string, key: string, level: LogLevel, text: string, origin: LogEntry["origin"]): void {
    if (!this.#closed) this.#slots.ensure(agentId, key).journal.log(level, text, origin);
  }

  /** Stops everything; no process is left when it resolves. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#follower.stop();
    for (const stopWaiting of this.#trials.splice(0)) stopWaiting();
    await Promise.all([...this.#slots.all().map((slot) => slot.close()), this.asides.close()]);
    this.#cancelBeat?.();
    this.#cancelBeat = null;
    this.changes.removeAllListeners();
  }

  #createHost(): SlotHost {
    const pool = this;
    return {
      get options() {
        return pool.#options;
      },
      get clock() {
        return pool.#clock;
      },
      figures: (agentId, key) => pool.#options.figures?.of(agentId, key) ?? new Figures(pool.#clock),
      changed: (slot) => void pool.changes.emit("instance", slot.agentId, slot.key),
      contributionsChanged: (slot) => pool.#contributionsChanged(slot),
      logged: (slot, entry) => void pool.changes.emit("log", slot.agentId, slot.key, entry),
      toolClash: (slot, contributions) => pool.#offersOf(slot.agentId).clash(slot, contributions),
    };
  }

  #offersOf(agentId: string): Offers {
    let offers = this.#offers.get(agentId);
    if (!offers) {
      offers = new Offers({
        all: () => this.#slots.ofAgent(agentId),
        find: (key) => this.#slots.find(agentId, key),
      });
      this.#offers.set(agentId, offers);
    }
    return offers;
  }

  #contributionsChanged(place: Place): void {
    this.#offersOf(place.agentId).changed(place);
    this.#beatWhileLive();
    this.changes.emit("contributions", place.agentId);
  }

  #beatWhileLive(): void {
    if (this.#cancelBeat || !this.#slots.all().some((slot) => slot.live)) return;
    this.#cancelBeat = this.#clock.after(BEAT_MS, () => {
      this.#cancelBeat = null;
      for (const slot of this.#slots.all()) slot.beat();
      this.#beatWhileLive();
    });
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
  }
}
