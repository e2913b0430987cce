import {
  type Effect,
  fromProblem,
  PatchbayError,
  type Problem,
  type RecordEventOf,
  type Trust,
} from "../../../../contract/index.ts";
import { TimeLimitError } from "../../../base/limit.ts";
import type { CallResult, CallScope, PluginCall, ToolOutput } from "../../../runtimes/plugin-call.ts";
import type { AgentPool, LiveContributions } from "../../ports.ts";
import type { Offer } from "../../turns/world.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

/**
 * Stands in for the pool in a replay: each plugin gives the answers that it gave when the turn was recorded. A call is
 * found by its span.
 */
export class StandInPool implements AgentPool {
  readonly changes = { on: () => {}, off: () => {} };
  private readonly turn: RecordedTurn;
  private offered: Offer;

  constructor(turn: RecordedTurn) {
    this.turn = turn;
    this.offered = turn.world;
  }

  live(): LiveContributions {
    return this.offered.live;
  }

  offer(offer: Offer): void {
    this.offered = offer;
  }

  trustOf(pluginKey: string): Trust | undefined {
    return this.offered.trust[pluginKey];
  }

  required() {
    return this.offered.required;
  }

  async wake(): Promise<void> {}

  view() {
    return { state: "running" as const, generation: 1 };
  }

  whyMissing(_agentId: string, tool: string): { plugin: string; problem: Problem } | undefined {
    const ended = this.turn.all("tool_ended").find((event) => event.tool === tool);
    const problem = ended?.problem;
    if (!problem || problem.code === "TOOL_NOT_FOUND") return undefined;
    return {
      plugin: "",
      problem: { ...problem, message: problem.message.replace(`${tool} cannot be used: `, "") },
    };
  }

  async call<C extends PluginCall>(
    _agentId: string,
    key: string,
    call: C,
    scope: CallScope,
  ): Promise<CallResult<C>> {
    // What hooks outside of the record asked for is repeated by the replay itself, as other news from outside.
    const asked = this.turn.in(scope.spanId, "effects_asked");
    if (asked && call.kind === "hook") scope.effects?.(asked.effects as Effect[]);
    switch (call.kind) {
      case "hook":
        // The type of a result follows from the kind of its call.
        return this.hook(key, call.hookId, scope) as CallResult<C>;
      case "tool":
        return this.tool(scope.spanId, call.onUpdate, scope.effects) as CallResult<C>;
      default:
        throw unknownCall(`${call.kind} of ${key}`);
    }
  }

  /** What a tool came to, after the reports of its progress. */
  tool(spanId: string | null, onUpdate: (text: string) => void, effects?: CallScope["effects"]): ToolOutput {
    const answered = this.turn.in(spanId, "tool_answered");
    if (!answered) throw unknownCall("tool call");
    for (const event of this.turn.all("tool_progress")) if (event.spanId === spanId) onUpdate(event.text);
    const asked = this.turn.in(spanId, "effects_asked");
    if (asked) effects?.(asked.effects as Effect[]);
    if (answered.problem) throw fromProblem(answered.problem);
    // As the tool gave it.
    return answered.output as ToolOutput;
  }

  private hook(owner: string, hookId: string, { spanId }: CallScope): unknown {
    // Calls outside of turns are not in the record.
    if (spanId === null) return undefined;
    const answered = this.turn.in(spanId, "hook_answered");
    if (!answered || answered.owner !== owner || answered.hookId !== hookId)
      throw unknownCall(`hook of ${owner}`);
    return this.hookReturn(answered);
  }

  private hookReturn(answered: RecordEventOf<"hook_answered">): unknown {
    const { decision, reason, after, hookId, owner } = answered;
    switch (decision) {
      case "ran":
        return undefined;
      case "allowed":
        return { allow: true };
      case "rewrote":
        return { allow: true, payload: after };
      case "replaced":
        return after;
      case "denied":
        return { allow: false, reason };
      case "dropped":
        return { drop: true, ...(reason !== undefined && { reason }) };
      case "timed_out": {
        const hook = this.offered.live.hooks.find((one) => one.id === hookId && one.owner === owner);
        throw new TimeLimitError(hook?.timeoutMs ?? 0);
      }
      case "failed":
      case "not_running":
        throw new Error(reason);
    }
  }
}

/** The replayed turn makes a call that the recorded one did not make. */
function unknownCall(what: string): PatchbayError {
  return new PatchbayError("READ_FAILED", `The record has no answer for this ${what}.`);
}
