import { EventEmitter } from "node:events";
import { availableParallelism } from "node:os";
import {
  type InstanceView,
  type LogEntry,
  type LogLevel,
  PatchbayError,
  type Plugin,
} from "../../contract/index.ts";
import type {
  CallScope,
  HookReturn,
  ToolCallScope,
  ToolOutput,
  WebhookRequest,
  WebhookResponse,
} from "../runtimes/runtime.ts";
import { findReferences } from "../secrets/references.ts";
import { systemClock } from "./clock.ts";
import { eachOf } from "./each-of.ts";
import { BEAT_MS } from "./heartbeat.ts";
import { clashOf, collectOffers, markClashes } from "./offers.ts";
import { PoolCalls } from "./pool-calls.ts";
import type { Announces, LiveContributions, PoolEvents, PoolOptions } from "./ports.ts";
import { Slot } from "./slot.ts";
import type { SlotHost } from "./slot-host.ts";
import { stoppedView } from "./slot-view.ts";
import { tryVersion } from "./trial.ts";
import { startsOnUse } from "./want.ts";

/** What runs: one slot for each (agent, plugin) that was ever switched on since the app started. */
export class PluginPool {
  readonly changes = new EventEmitter<PoolEvents>();
  readonly #options: PoolOptions;
  readonly #clock;
  readonly #slots = new Map<string, Map<string, Slot>>();
  /** The revision of each row that was acted on; reports change rows without changing it. */
  readonly #revisions = new Map<string, number>();
  readonly #live = new Map<string, LiveContributions>();
  readonly #calls: PoolCalls;
  readonly #unsubscribe: (() => void)[] = [];
  #cancelBeat: (() => void) | null = null;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#calls = new PoolCalls((agentId, key) => this.#find(agentId, key), options.settings);
  }

  /** Starts the hooks, channels and commands that are switched on; tools-only plugins wait. Resolves when all have settled. */
  async boot(): Promise<void> {
    if (this.#closed) return;
    this.#subscribe();
    const waiting: Slot[] = [];
    for (const { id } of this.#options.agents.list()) {
      for (const row of this.#options.agentPlugins.list(id)) {
        this.#revisions.set(placeOf(id, row.pluginKey), row.revision);
        const plugin = row.enabled ? this.#options.registry.get(row.pluginKey) : undefined;
        // One that waits for its first use gets its slot then.
        if (!plugin || (startsOnUse(plugin) && !mayLackSecrets(plugin, row.config))) continue;
        waiting.push(this.#slot(id, row.pluginKey));
      }
    }
    await eachOf(waiting, startsAtOnce(), (slot) => slot.settle());
  }

  /** Brings the instance to what the row wants; resolves when it is settled, whatever came of it. */
  async reconcile(agentId: string, key: string): Promise<void> {
    this.#refuseWhenClosed();
    await this.#slot(agentId, key).settle();
  }

  /**
   * Starts it afresh; also lifts the quarantine.
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
    await this.#slot(agentId, key).restart();
  }

  /** Stops a plugin for all agents, until the catalogue changes its row. */
  async stopPlugin(key: string): Promise<void> {
    await Promise.all(
      this.#slotsOf(key).map((slot) => {
        slot.held = true;
        return slot.settle();
      }),
    );
  }

  /** Stops everything of an agent; call it before the agent is removed. */
  stopAgent(agentId: string): Promise<void> {
    return this.#forget(this.#agentSlots(agentId));
  }

  /**
   * Starts a new version for every agent that runs the plugin, the old ones still running. When the catalogue then
   * names the new version, the agents go over to it without a gap.
   *
   * @throws PatchbayError of the first version that did not start, with the agent named; the old ones then run on
   */
  async trial(plugin: Plugin): Promise<void> {
    this.#refuseWhenClosed();
    const stopWaiting = await tryVersion(
      plugin,
      this.#slotsOf(plugin.manifestKey),
      this.#options,
      this.#clock,
    );
    if (this.#closed) stopWaiting();
    else this.#unsubscribe.push(stopWaiting);
  }

  view(agentId: string, key: string): InstanceView {
    return this.#find(agentId, key)?.view() ?? stoppedView(this.#options, agentId, key);
  }

  /** Starts the tools-only plugins of an agent that are switched on. Never rejects: what fails is a state. */
  async wake(agentId: string): Promise<void> {
    if (this.#closed) return;
    const slots = this.#options.agentPlugins
      .list(agentId)
      .filter((row) => row.enabled && this.#options.registry.get(row.pluginKey))
      .map((row) => this.#slot(agentId, row.pluginKey))
      .filter((slot) => slot.busy || slot.waitsForUse);
    await eachOf(slots, startsAtOnce(), (slot) => {
      slot.use();
      return slot.busy && !slot.waitsForUse ? slot.settled() : slot.settle();
    });
  }

  /** What the running plugins of an agent offer. The same object until something of it changes. */
  live(agentId: string): LiveContributions {
    let live = this.#live.get(agentId);
    if (!live) {
      live = collectOffers(this.#agentSlots(agentId));
      this.#live.set(agentId, live);
    }
    return live;
  }

  /** Hooks that block what they guard, because their plugin is switched on but does not run. */
  required(agentId: string): { owner: string; events: string[] }[] {
    const missing: { owner: string; events: string[] }[] = [];
    for (const { enabled, pluginKey } of this.#options.agentPlugins.list(agentId)) {
      const events = enabled ? this.#options.registry.get(pluginKey)?.declaration.requiredHooks : undefined;
      if (events?.length && !this.#find(agentId, pluginKey)?.live) missing.push({ owner: pluginKey, events });
    }
    return missing;
  }

  /** @throws PatchbayError PLUGIN_NOT_RUNNING, TOOL_TIMEOUT, TOOL_FAILED, HOST_CRASHED, ABORTED */
  callTool(
    agentId: string,
    key: string,
    tool: string,
    input: Record<string, unknown>,
    scope: ToolCallScope,
  ): Promise<ToolOutput> {
    return this.#calls.tool(agentId, key, tool, input, scope);
  }

  /** @throws PatchbayError PLUGIN_NOT_RUNNING, HOOK_TIMEOUT, HOOK_FAILED, HOST_CRASHED, ABORTED */
  dispatch(
    agentId: string,
    key: string,
    hookId: string,
    payload: unknown,
    scope: CallScope,
  ): Promise<HookReturn> {
    return this.#calls.hook(agentId, key, hookId, payload, scope);
  }

  /** @throws PatchbayError PLUGIN_NOT_RUNNING, COMMAND_TIMEOUT, COMMAND_FAILED, HOST_CRASHED, ABORTED */
  runCommand(agentId: string, key: string, name: string, args: string, scope: CallScope): Promise<string> {
    return this.#calls.command(agentId, key, name, args, scope);
  }

  handleWebhook(
    agentId: string,
    key: string,
    request: WebhookRequest,
    signal: AbortSignal,
  ): Promise<WebhookResponse> {
    return this.#calls.webhook(agentId, key, request, signal);
  }

  sendOut(
    agentId: string,
    key: string,
    message: { sessionId: string; to: string; text: string },
    signal: AbortSignal,
  ): Promise<{ success: boolean; error?: string }> {
    return this.#calls.send(agentId, key, message, signal);
  }

  logs(
    agentId: string,
    key: string,
    filter?: { after?: number; level?: LogLevel; limit?: number },
  ): LogEntry[] {
    return this.#find(agentId, key)?.logs.read(filter) ?? [];
  }

  /** Stops everything; no process is left when it resolves. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    await Promise.all(this.#allSlots().map((slot) => slot.close()));
    this.#cancelBeat?.();
    this.#cancelBeat = null;
    this.changes.removeAllListeners();
  }

  readonly #host = this.#createHost();

  #createHost(): SlotHost {
    const pool = this;
    return {
      get options() {
        return pool.#options;
      },
      get clock() {
        return pool.#clock;
      },
      changed: (slot) => void pool.changes.emit("instance", slot.agentId, slot.key),
      contributionsChanged: (slot) => pool.#contributionsChanged(slot.agentId),
      logged: (slot, entry) => void pool.changes.emit("log", slot.agentId, slot.key, entry),
      toolClash: (slot, contributions) =>
        clashOf({ key: slot.key, contributions }, pool.#agentSlots(slot.agentId)),
    };
  }

  #contributionsChanged(agentId: string): void {
    this.#live.delete(agentId);
    markClashes(this.#agentSlots(agentId));
    this.#beatWhileLive();
    this.changes.emit("contributions", agentId);
  }

  #beatWhileLive(): void {
    if (this.#cancelBeat || !this.#allSlots().some((slot) => slot.live)) return;
    this.#cancelBeat = this.#clock.after(BEAT_MS, () => {
      this.#cancelBeat = null;
      for (const slot of this.#allSlots()) slot.beat();
      this.#beatWhileLive();
    });
  }

  #subscribe(): void {
    const { agentPlugins, registry, agents, vault } = this.#options;
    const settle = (slots: readonly Slot[]) => {
      for (const slot of slots) void slot.settle();
    };
    const released = (key: string) => {
      const slots = this.#slotsOf(key);
      for (const slot of slots) slot.held = false;
      settle(slots);
    };
    const put = ({ manifestKey }: Plugin) => {
      for (const { id } of agents.list()) {
        if (agentPlugins.get(id, manifestKey)?.enabled) this.#slot(id, manifestKey);
      }
      released(manifestKey);
    };
    const secretChanged = (_name: string, agentId: string | null) =>
      settle(agentId === null ? this.#allSlots() : this.#agentSlots(agentId));
    const agentChanged = ({ id }: { id: string }) => settle(this.#agentSlots(id));
    const agentRemoved = (id: string) => void this.#forget(this.#agentSlots(id));
    const rowChanged = (agentId: string, key: string) => this.#rowChanged(agentId, key);
    const forgotten = (agentId: string, key: string) => {
      const slot = this.#find(agentId, key);
      if (slot) void this.#forget([slot]);
    };
    this.#unsubscribe.push(
      listen(agentPlugins.changes, "row", rowChanged),
      listen(agentPlugins.changes, "forgotten", forgotten),
      listen(registry.changes, "put", put),
      listen(registry.changes, "removed", released),
      listen(agents.changes, "agent", agentChanged),
      listen(agents.changes, "removed", agentRemoved),
      listen(vault.changes, "changed", secretChanged),
    );
  }

  #rowChanged(agentId: string, key: string): void {
    const row = this.#options.agentPlugins.get(agentId, key);
    if (!row || this.#revisions.get(placeOf(agentId, key)) === row.revision) return;
    this.#revisions.set(placeOf(agentId, key), row.revision);
    if (!row.enabled && !this.#find(agentId, key)) return;
    const slot = this.#slot(agentId, key);
    slot.use();
    void slot.settle();
  }

  async #forget(slots: readonly Slot[]): Promise<void> {
    await Promise.all(slots.map((slot) => slot.close()));
    for (const slot of slots) {
      if (this.#find(slot.agentId, slot.key) !== slot) continue;
      this.#slots.get(slot.agentId)?.delete(slot.key);
      this.#revisions.delete(placeOf(slot.agentId, slot.key));
      this.changes.emit("instance", slot.agentId, slot.key);
    }
  }

  #find(agentId: string, key: string): Slot | undefined {
    return this.#slots.get(agentId)?.get(key);
  }

  #slot(agentId: string, key: string): Slot {
    const ofAgent = this.#slots.get(agentId) ?? new Map<string, Slot>();
    this.#slots.set(agentId, ofAgent);
    let slot = ofAgent.get(key);
    if (!slot) {
      slot = new Slot(agentId, key, this.#host);
      ofAgent.set(key, slot);
    }
    return slot;
  }

  #agentSlots(agentId: string): Slot[] {
    return [...(this.#slots.get(agentId)?.values() ?? [])];
  }

  #slotsOf(key: string): Slot[] {
    return this.#allSlots().filter((slot) => slot.key === key);
  }

  #allSlots(): Slot[] {
    return [...this.#slots.values()].flatMap((ofAgent) => [...ofAgent.values()]);
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
  }
}

function mayLackSecrets({ declaration }: Plugin, config: Record<string, unknown>): boolean {
  return declaration.secretKeys.length > 0 || findReferences(config).length > 0;
}

function startsAtOnce(): number {
  return Math.max(2, availableParallelism());
}

function placeOf(agentId: string, key: string): string {
  return `${agentId}/${key}`;
}

function listen<Events extends Record<keyof Events, unknown[]>, E extends keyof Events>(
  emitter: Announces<Events>,
  event: E,
  listener: (...args: Events[E]) => void,
): () => void {
  emitter.on(event, listener);
  return () => void emitter.off(event, listener);
}
