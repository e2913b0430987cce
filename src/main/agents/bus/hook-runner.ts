import { type AgentEventName, type AgentEventPayloads, agentEventShapes } from "@patchbay/plugin-sdk";
import { type HookTrace, PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { TimeLimitError } from "../../base/limit.ts";
import { WatchedScope } from "../../runtimes/plugin-call.ts";
import { type LimitKeeper, withinLimit } from "../call-limit.ts";
import { handingTo } from "../effects/effect-sink.ts";
import type { AgentPool } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import { hookName, type LiveHook } from "./hook-index.ts";
import type { HookScope } from "./hook-scope.ts";
import { HookStats } from "./hook-stats.ts";
import type { Judgement } from "./payloads.ts";

type Judge<E extends AgentEventName> = (
  event: E,
  payload: AgentEventPayloads[E],
  returned: unknown,
) => Judgement<AgentEventPayloads[E]>;

/**
 * The answer of one hook. `failed`: it threw, hung, or returned something invalid; `reason` says which, as a sentence.
 */
export type HookAnswer<P> = Exclude<Judgement<P>, { kind: "nonsense" }> | { kind: "failed"; reason: string };

/**
 * Asks one hook at a time: sets the time limit, checks the answer, and writes its events and counters. The pool copies
 * the payload for each hook.
 */
export class HookRunner {
  private readonly options: {
    agentId: string;
    pool: AgentPool;
    keeper: LimitKeeper;
    clock: Clock;
    /** `ownDoing` is true when the hook itself failed, and false when its process ended while it ran. */
    onFailure(hook: LiveHook, reason: string, ownDoing: boolean, span: Span): void;
  };
  private readonly stats = new Map<string, HookStats>();

  constructor(options: HookRunner["options"]) {
    this.options = options;
  }

  statsOf(hook: LiveHook): HookStats {
    const name = hookName(hook);
    let stats = this.stats.get(name);
    if (!stats) {
      stats = new HookStats();
      this.stats.set(name, stats);
    }
    return stats;
  }

  /**
   * @param stage `final`: the hook is asked a second time, about a payload that nobody may change any more
   * @throws PatchbayError ABORTED when the scope was aborted
   */
  async ask<E extends AgentEventName>(
    hook: LiveHook,
    event: E,
    payload: AgentEventPayloads[E],
    scope: HookScope,
    judge: Judge<E>,
    stage?: "final",
  ): Promise<HookAnswer<AgentEventPayloads[E]>> {
    const { owner, id: hookId } = hook;
    const span = scope.span.child();
    const asked = span.record({
      type: "hook_asked",
      event,
      owner,
      hookId,
      payload,
      ...(stage !== undefined && { stage }),
    });
    const answer = this.dispatch(hook, payload, scope, span);
    const close = (decision: HookTrace["decision"], more: { reason?: string; after?: unknown } = {}) => {
      const { at } = span.record({ type: "hook_answered", event, owner, hookId, decision, ...more });
      this.statsOf(hook).count(at - asked.at, decision === "failed" || decision === "timed_out");
    };
    try {
      const judged = judge(event, payload, await answer);
      if (judged.kind === "nonsense") {
        throw new Error(`it answered in a way that cannot be read (${judged.why})`);
      }
      close(...decisionOf(event, judged));
      return judged;
    } catch (error) {
      if (scope.signal.aborted) {
        close("failed", { reason: "the turn was stopped" });
        throw error;
      }
      if (error instanceof PatchbayError && error.code === "EVENT_UNKNOWN" && this.isGone(hook)) {
        close("ran", { reason: "it has unsubscribed in the meantime" });
        return { kind: "unchanged" };
      }
      const timedOut = error instanceof TimeLimitError;
      const reason = timedOut ? `it did not answer within ${error.limitMs} ms` : sentence(error);
      close(timedOut ? "timed_out" : "failed", { reason });
      this.options.onFailure(hook, reason, !wentAway(error), span);
      return { kind: "failed", reason };
    }
  }

  /** The hook was unsubscribed while the event was on its way to it. */
  private isGone(hook: LiveHook): boolean {
    const { pool, agentId } = this.options;
    return !pool.live(agentId).hooks.some((one) => one.owner === hook.owner && one.id === hook.id);
  }

  private dispatch(hook: LiveHook, payload: unknown, scope: HookScope, span: Span): Promise<unknown> {
    const { agentId, pool, keeper, clock } = this.options;
    const { sessionId, caller } = scope;
    return withinLimit({
      limitMs: hook.timeoutMs,
      clock,
      signal: scope.signal,
      keeper,
      agentId,
      pluginKey: hook.owner,
      sessionId,
      run: (abort) =>
        pool.call(
          agentId,
          hook.owner,
          { kind: "hook", hookId: hook.id, event: hook.event, payload },
          new WatchedScope(abort, {
            sessionId,
            caller,
            ...span.place,
            effects: handingTo(scope.effects, hook.owner, span),
          }),
        ),
    });
  }
}

function decisionOf<E extends AgentEventName>(
  event: E,
  judged: Exclude<Judgement<AgentEventPayloads[E]>, { kind: "nonsense" }>,
): [HookTrace["decision"], { reason?: string; after?: unknown }?] {
  const isVeto = agentEventShapes[event] === "veto";
  switch (judged.kind) {
    case "unchanged":
      return [isVeto ? "allowed" : "ran"];
    case "changed":
      return [isVeto ? "rewrote" : "replaced", { after: judged.payload }];
    case "dropped":
      return ["dropped", judged.reason === "" ? {} : { reason: judged.reason }];
    case "denied":
      return ["denied", { reason: judged.reason }];
  }
}

function wentAway(error: unknown): boolean {
  return error instanceof PatchbayError && ["HOST_CRASHED", "PLUGIN_NOT_RUNNING"].includes(error.code);
}

/** The first line of whatever was thrown, to be put into a sentence. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] ?? "").replace(/\.$/, "").slice(0, 500) || "it failed without a word";
}
