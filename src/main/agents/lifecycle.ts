import { type Caller, PatchbayError } from "../../contract/index.ts";
import { type Clock, isoTime } from "../base/clock.ts";
import type { EventBus } from "./bus/event-bus.ts";
import { hookName } from "./bus/hook-index.ts";
import type { HookScope } from "./bus/hook-scope.ts";
import type { EffectSink } from "./effects/effect-sink.ts";
import type { AgentDirectory } from "./ports.ts";
import type { Recording } from "./record/recording.ts";
import type { LiveSession } from "./sessions/session.ts";
import type { SessionLifecycle } from "./sessions/sessions.ts";

/** What an agent that is active holds. */
interface Active {
  bus: EventBus;
  /** Names of the hooks on agent.started@v1 that were told. */
  started: Set<string>;
  ready: Promise<void>;
}

interface LifecycleOptions {
  agents: Pick<AgentDirectory, "get">;
  clock: Clock;
  recording: Recording;
  busOf(agentId: string): EventBus;
  /** The agent's model as the person wrote it; empty: it has none. */
  modelOf(agentId: string): string;
  /** Ends what was allowed for the rest of a conversation. */
  sessionEnded(agentId: string, sessionId: string): void;
  /** Takes what is asked for beside answers in a conversation. */
  effectsOf(agentId: string, sessionId: string, caller: Caller): EffectSink | undefined;
}

/** Which agents are active, and their hooks told of the beginnings and ends of agents and conversations. */
export class Lifecycle implements SessionLifecycle {
  readonly #options: LifecycleOptions;
  readonly #active = new Map<string, Active>();

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  /** Ids of the agents that are active. */
  get active(): string[] {
    return [...this.#active.keys()];
  }

  /**
   * Makes an agent active and tells its hooks so, once. Hooks that come later are told then.
   * @throws PatchbayError AGENT_NOT_FOUND, at once
   */
  activate(agentId: string): Promise<void> {
    let active = this.#active.get(agentId);
    if (!active) {
      this.known(agentId);
      active = { bus: this.#options.busOf(agentId), started: new Set(), ready: Promise.resolve() };
      this.#active.set(agentId, active);
      active.ready = this.greetNewcomers(agentId);
    }
    return active.ready;
  }

  /** Makes an agent inactive. First `work` ends what still runs for it, then its hooks are told. */
  async deactivate(agentId: string, work: () => Promise<void>): Promise<void> {
    const active = this.#active.get(agentId);
    this.#active.delete(agentId);
    await work();
    if (!active) return;
    const payload = { agentId, at: isoTime(this.#options.clock) };
    await active.bus.emit("agent.stopped@v1", payload, this.lastingScope(agentId));
    await active.bus.settle();
  }

  /** Tells the hooks that were registered after the agent became active. */
  async greetNewcomers(agentId: string): Promise<void> {
    const active = this.#active.get(agentId);
    if (!active) return;
    const hooks = active.bus.hooksOf("agent.started@v1");
    const fresh = hooks.filter((hook) => !active.started.has(hookName(hook)));
    active.started = new Set(hooks.map(hookName));
    if (fresh.length === 0) return;
    const model = this.#options.modelOf(agentId);
    const payload = { agentId, at: isoTime(this.#options.clock), model };
    await active.bus.emit("agent.started@v1", payload, this.lastingScope(agentId), fresh);
  }

  async opened(session: LiveSession): Promise<void> {
    const { agentId, id: sessionId } = session;
    const source = session.view.source.channel ?? session.view.source.kind;
    const scope = this.lastingScope(agentId, sessionId);
    await this.#options.busOf(agentId).emit("session.opened@v1", { agentId, sessionId, source }, scope);
  }

  async closed(session: LiveSession, reason: "user" | "shutdown"): Promise<void> {
    const { agentId, id: sessionId } = session;
    this.#options.sessionEnded(agentId, sessionId);
    // Nothing is done any more in a conversation that ends.
    const scope = { ...this.lastingScope(agentId, sessionId), effects: undefined };
    await this.#options.busOf(agentId).emit("session.closed@v1", { agentId, sessionId, reason }, scope);
  }

  /** The scope for events outside of turns, which nothing aborts. */
  lastingScope(agentId: string, sessionId = ""): HookScope {
    const { recording, effectsOf } = this.#options;
    const span = recording.outside({ agentId, sessionId });
    const caller = { kind: "owner" } as const;
    const effects = effectsOf(agentId, sessionId, caller);
    return { sessionId, caller, signal: new AbortController().signal, span, effects };
  }

  /** @throws PatchbayError AGENT_NOT_FOUND */
  known(agentId: string): void {
    if (!this.#options.agents.get(agentId)) {
      throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${agentId}.`);
    }
  }
}
