import { type AgentEventName, type AgentEventPayloads, agentEventShapes } from "@patchbay/plugin-sdk";
import { PatchbayError, type Problem } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { LimitKeeper } from "../call-limit.ts";
import { noPauses, type PauseDesk } from "../pause/desk.ts";
import type { AgentPool, RequiredHooks } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import { afterTheFact } from "./after-the-fact.ts";
import { HookIndex, type LiveHook } from "./hook-index.ts";
import { pauseBeforeHook } from "./hook-pause.ts";
import { HookRunner } from "./hook-runner.ts";
import type { HookScope } from "./hook-scope.ts";
import { judgeFinal, judgeTransform, judgeVeto } from "./payloads.ts";
import { blocked, recordMissing, refuses, whyMissing } from "./refusals.ts";

export interface Transformed<P> {
  payload: P;
  /** Which plugin dropped the message, for events that may be dropped, and why; an empty reason: it gave none. */
  dropped: { by: string; reason: string } | null;
  changedBy: string[];
  /** A plugin or the person changed it. */
  isChanged: boolean;
}
export type VetoResult<P> =
  | { allowed: true; payload: P; changedBy: string[] }
  | { allowed: false; owner: string; reason: string; changedBy: string[] };

/**
 * Called between the two rounds of a veto, when a turn may be stopped there; gives the payload that is to be judged in the
 * second one. `edited`: the person changed the payload in the first.
 */
type Between<P> = (payload: P, changedBy: readonly string[], edited: boolean) => Promise<P>;

type FailureListener = (pluginKey: string, problem: Problem, ownDoing: boolean) => void;

/**
 * Delivers the events of one agent to the hooks of its running plugins: lower priority first, ties in the order of
 * registration, one after the other. Every hook gets a copy of the payload.
 */
export class EventBus {
  private readonly agentId: string;
  private readonly pool: AgentPool;
  private readonly runner: HookRunner;
  private readonly onFailure: FailureListener;
  private readonly outside: (sessionId: string) => Span;
  private readonly pauses: PauseDesk;
  private index: HookIndex;
  private readonly sideEffects = new Set<Promise<void>>();

  constructor(options: {
    agentId: string;
    pool: AgentPool;
    keeper: LimitKeeper;
    clock: Clock;
    /** Called for each hook that threw, hung, or returned something invalid. */
    onFailure: FailureListener;
    /** Makes a span for events outside of turns. */
    outside(sessionId: string): Span;
    /** Who stops turns before hooks; absent: nobody. */
    pauses?: PauseDesk;
  }) {
    this.agentId = options.agentId;
    this.pool = options.pool;
    this.runner = new HookRunner({
      ...options,
      onFailure: (hook, reason, ownDoing, span) => this.announceFailure(hook, reason, ownDoing, span),
    });
    this.onFailure = options.onFailure;
    this.outside = options.outside;
    this.pauses = options.pauses ?? noPauses;
    this.index = new HookIndex(this.pool.live(this.agentId));
  }

  /** Whether anybody listens to an event, or must. */
  has(event: AgentEventName): boolean {
    return this.hooksOf(event).length > 0 || this.missing(event) !== undefined;
  }

  hooksOf(event: string): readonly LiveHook[] {
    const live = this.pool.live(this.agentId);
    if (live !== this.index.source) this.index = new HookIndex(live);
    return this.index.of(event);
  }

  /**
   * Tells the listeners. A failing one is skipped, unless the `failureMode` of its hook is `fail`.
   * @throws PatchbayError HOOK_BLOCKED
   */
  async emit<E extends AgentEventName>(
    event: E,
    payload: AgentEventPayloads[E],
    scope: HookScope,
    only?: readonly LiveHook[],
  ): Promise<void> {
    for (const hook of only ?? this.hooksOf(event)) {
      if (this.pauses.armed && (await this.stop(hook, event, payload, scope)).kind === "skipped") continue;
      const outcome = await this.runner.ask(hook, event, payload, scope, () => ({ kind: "unchanged" }));
      if (outcome.kind === "failed" && hook.failureMode === "fail" && !afterTheFact.has(event)) {
        throw blocked(hook.owner, event, outcome.reason);
      }
    }
  }

  /** @throws PatchbayError HOOK_BLOCKED when a hook that must not fail failed, or a required one is not running */
  async transform<E extends AgentEventName>(
    event: E,
    payload: AgentEventPayloads[E],
    scope: HookScope,
  ): Promise<Transformed<AgentEventPayloads[E]>> {
    const absent = this.missing(event);
    if (absent) {
      recordMissing(scope.span, event, absent, payload);
      throw blocked(absent.owner, event, `the plugin is switched on but ${whyMissing(absent)}`);
    }
    let current = payload;
    let isEdited = false;
    const changedBy: string[] = [];
    const end = (dropped: Transformed<AgentEventPayloads[E]>["dropped"]) => {
      return { payload: current, dropped, changedBy, isChanged: isEdited || changedBy.length > 0 };
    };
    for (const hook of this.hooksOf(event)) {
      if (this.pauses.armed) {
        const passed = await this.stop(hook, event, current, scope);
        if (passed.kind === "skipped") continue;
        current = passed.payload;
        isEdited ||= passed.edited;
      }
      const outcome = await this.runner.ask(hook, event, current, scope, judgeTransform);
      if (outcome.kind === "dropped") {
        return end({ by: hook.owner, reason: outcome.reason });
      }
      if (outcome.kind === "changed") {
        current = outcome.payload;
        changedBy.push(hook.owner);
      }
      if (outcome.kind === "failed" && hook.failureMode === "fail") {
        throw blocked(hook.owner, event, outcome.reason);
      }
    }
    return end(null);
  }

  /**
   * Asks the veto hooks in two rounds; the first refusal wins. In the first they may change the payload. In the second,
   * everyone who was asked before the last change is asked about the final payload, and may only allow or refuse. So
   * nothing passes that a hook has not seen as it is. A hook that throws, hangs or returns something invalid counts as
   * a refusal, which names it. What the person changes in a round or between the two is judged like a plugin's change.
   */
  async veto<E extends AgentEventName>(
    event: E,
    payload: AgentEventPayloads[E],
    scope: HookScope,
    between?: Between<AgentEventPayloads[E]>,
  ): Promise<VetoResult<AgentEventPayloads[E]>> {
    const changedBy: string[] = [];
    const absent = this.missing(event);
    if (absent) {
      recordMissing(scope.span, event, absent, payload);
      const reason = `it must agree to every call, and it is switched on but ${whyMissing(absent)}`;
      return { allowed: false, owner: absent.owner, reason, changedBy };
    }
    let current = payload;
    const hooks = this.hooksOf(event);
    /** The hooks before this one have not seen the present payload; the one that made it has, and those after it. */
    let changedAt = 0;
    let isEdited = false;
    for (const [index, hook] of hooks.entries()) {
      if (this.pauses.armed) {
        const passed = await this.stop(hook, event, current, scope);
        if (passed.kind === "told" && passed.edited) {
          current = passed.payload;
          changedAt = index;
          isEdited = true;
        }
      }
      const outcome = await this.runner.ask(hook, event, current, scope, judgeVeto);
      if (refuses(outcome, hook)) {
        return { allowed: false, owner: hook.owner, reason: outcome.reason, changedBy };
      }
      if (outcome.kind === "changed") {
        current = outcome.payload;
        changedBy.push(hook.owner);
        changedAt = index;
      }
    }
    if (between) {
      const last = await between(current, changedBy, isEdited);
      if (last !== current) changedAt = hooks.length;
      current = last;
    }
    for (const hook of hooks.slice(0, changedAt)) {
      const outcome = await this.runner.ask(
        hook,
        event,
        { ...current, final: true },
        scope,
        judgeFinal,
        "final",
      );
      if (refuses(outcome, hook)) {
        return { allowed: false, owner: hook.owner, reason: outcome.reason, changedBy };
      }
    }
    return { allowed: true, payload: current, changedBy };
  }

  /** Every hook of the agent by event, each event's in the order in which they run, with its counters. */
  list() {
    this.hooksOf("");
    const events = [...new Set(this.index.source.hooks.map((hook) => hook.event))].sort();
    const hooks = events.flatMap((event) => this.index.of(event));
    return hooks.map((hook) => {
      const stats = this.runner.statsOf(hook);
      const { calls, failures } = stats;
      return { ...hook, calls, failures, p50Ms: stats.percentile(0.5), p95Ms: stats.percentile(0.95) };
    });
  }

  /** Waits for hooks that run in the background (listeners to plugin.error). */
  async settle(): Promise<void> {
    while (this.sideEffects.size > 0) await Promise.allSettled(this.sideEffects);
  }

  private stop<E extends AgentEventName>(
    hook: LiveHook,
    event: E,
    payload: AgentEventPayloads[E],
    scope: HookScope,
  ) {
    return pauseBeforeHook(this.pauses, this.agentId, hook, event, payload, scope);
  }

  private missing(event: AgentEventName): RequiredHooks | undefined {
    if (agentEventShapes[event] === "listener") return undefined;
    return this.pool.required(this.agentId).find(({ events }) => events.includes(event));
  }

  private announceFailure(hook: LiveHook, reason: string, ownDoing: boolean, span: Span): void {
    const { owner, event } = hook;
    const blocks = hook.failureMode === "fail" && !afterTheFact.has(event as AgentEventName);
    const skipped = `A hook of the plugin ${owner} failed at ${event}: ${reason}.`;
    const details = { owner, event, reason };
    const problem = blocks
      ? blocked(owner, event, reason).toProblem()
      : new PatchbayError("HOOK_FAILED", skipped, { details }).toProblem();
    span.record({ type: "problem", owner, event, problem });
    this.onFailure(owner, problem, ownDoing);
    if (event === "plugin.error@v1") return;
    const scope: HookScope = {
      sessionId: "",
      caller: { kind: "owner" },
      signal: new AbortController().signal,
      span: this.outside(""),
    };
    const payload = { agentId: this.agentId, pluginKey: owner, event, message: problem.message };
    const told = this.emit("plugin.error@v1", payload, scope).catch(() => undefined);
    this.sideEffects.add(told);
    void told.finally(() => this.sideEffects.delete(told));
  }
}
