import type { AgentEventPayloads } from "@patchbay/plugin-sdk";
import {
  type Agent,
  type Approval,
  type Caller,
  type EditedByPerson,
  type ErrorCode,
  mostOffered,
  PatchbayError,
  type Problem,
  type ToolInfo,
  type ToolOutcome,
  type ToolTrace,
  toProblem,
  type Withheld,
} from "../../../contract/index.ts";
import type { ToolOutput } from "../../runtimes/plugin-call.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { HookScope } from "../bus/hook-scope.ts";
import type { EffectSink } from "../effects/effect-sink.ts";
import type { AgentPool } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import type { KeepForChat } from "./builtin/builtin.ts";
import type { FoundTool } from "./tool-catalog.ts";

export interface ToolRequest {
  agentId: string;
  sessionId: string;
  /** Null when it is called outside of a turn. */
  turnId: string | null;
  tool: string;
  input: Record<string, unknown>;
  caller: Caller;
  signal: AbortSignal;
  toolCallId?: string;
  /** The span under which the call is recorded; absent outside of turns. */
  span?: Span;
  /** The id of its line in the conversation. */
  entryId?: string;
  /** The owner allows exactly this input in advance. */
  approved?: boolean;
  /** Hooks are left out, also those that must agree; for calls that the owner makes by hand. */
  straight?: boolean;
  /** A call that would wait for an approval is refused, with this sentence. */
  asksNobody?(title: string): PatchbayError;
  /** Told of the approval that it waits for, and of the answer. */
  onApproval?(approval: Approval): void;
  /** Given when the turn answers to a chat: stores a file that is sent with the answer. */
  keepForChat?: KeepForChat;
  /** Takes what the tool and the hooks on it ask for beside their answers; absent: the conversation's own, if there is one. */
  effects?: EffectSink | undefined;
  onProgress?(text: string): void;
}

export interface ToolCallEnd {
  /** What the caller gets to read, whatever the outcome. */
  output: ToolOutput;
  outcome: ToolOutcome;
  /** All steps of the call, without stored secrets. Computed when it is read. */
  readonly trace: ToolTrace;
}

/** How a call ended. `output` is null when nothing came out that could be read. */
export interface Ending {
  outcome: ToolOutcome;
  output: ToolOutput | null;
  problem: Problem | null;
}

/** What the pipeline needs of the agent's bus. */
export type CallBus = Pick<EventBus, "has" | "hooksOf" | "veto" | "transform" | "emit">;

/** A call on its way through the pipeline. */
export interface Call {
  request: ToolRequest;
  id: string;
  agent: Agent;
  bus: CallBus;
  args: Record<string, unknown>;
  owner: string | null;
  changedBy: string[];
  /** The arguments before the person changed them at a pause; absent: they did not. */
  editedByPerson?: EditedByPerson;
  policy: ToolTrace["policy"];
  /** Whether the tool was started. */
  ran: boolean;
  /** How long it took, in milliseconds; 0 until it has answered. */
  tookMs: number;
  span: Span;
  effects: EffectSink | undefined;
}

/** A call that has found its tool. */
export interface FoundCall extends Call {
  found: FoundTool;
}

/** The fields that every hook on a tool call gets, and those of this hook. */
export function payloadOf<T>(call: Call, more: T) {
  const { agentId, sessionId, tool } = call.request;
  const base: Omit<AgentEventPayloads["tool.before@v1"], "caller"> = {
    agentId,
    sessionId,
    toolCallId: call.id,
    toolName: tool,
    args: call.args,
  };
  return { ...base, ...more };
}

export function scopeOf(call: Call): HookScope {
  const { sessionId, caller, signal } = call.request;
  return { sessionId, caller, signal, span: call.span, effects: call.effects };
}

/** An end without execution. */
export function refused(
  outcome: ToolOutcome,
  code: ErrorCode,
  message: string,
  details?: Record<string, unknown>,
): Ending {
  const problem = new PatchbayError(code, message, details ? { details } : {}).toProblem();
  return { outcome, output: null, problem };
}

/** Why a tool is there and not offered, for the record. */
export const withheldWords: Record<Withheld, string> = {
  held: "held",
  new: "new",
  off: "switched off",
  beyond: "not chosen",
};

/** The end of a call of a tool that is there and not offered, whoever makes it and however. */
export function withheldEnd({ agent }: Call, { title, owner }: ToolInfo, withheld: Withheld): Ending {
  const details = { plugin: owner, tool: title };
  switch (withheld) {
    case "held":
      return refused(
        "denied",
        "TOOL_HELD",
        `It changed what it says about ${title}. Held until you look.`,
        details,
      );
    case "new":
      return refused("denied", "TOOL_HELD", `${title} is new. Held until you look.`, details);
    case "off":
      return refused("denied", "TOOL_OFF", `${title} is switched off for ${agent.name}.`, details);
    case "beyond":
      return refused(
        "denied",
        "TOOL_OFF",
        `${agent.name} is offered ${mostOffered} tools of ${owner}, and ${title} is not among them.`,
        details,
      );
  }
}

/** The end of a call that a plugin forbids. */
export function vetoed(call: FoundCall, { owner, reason }: { owner: string; reason: string }): Ending {
  const message = `The plugin ${owner} blocked ${call.found.info.title}: ${reason.replace(/\.$/, "")}.`;
  return refused("vetoed", "TOOL_VETOED", message, { owner, reason });
}

/**
 * The failure for a tool that was not found. When its plugin is off or in trouble, that is the reason given, and not
 * an unknown name.
 */
export function missing({ agent, request }: Call, pool: Pick<AgentPool, "whyMissing">): Ending {
  const known = pool.whyMissing(request.agentId, request.tool);
  const message = `${agent.name} has no tool named ${request.tool}.`;
  if (!known) return refused("failed", "TOOL_NOT_FOUND", message);
  const { plugin, problem } = known;
  const reason = problem ? problem.message : `${plugin} is switched off for ${agent.name}.`;
  return {
    outcome: "failed",
    output: null,
    problem: {
      code: problem?.code ?? "PLUGIN_NOT_RUNNING",
      message: `${request.tool} cannot be used: ${reason}`,
      help: problem?.help ?? `Switch ${plugin} on.`,
      details: { ...problem?.details, tool: request.tool },
    },
  };
}

/** The end of a call that threw. */
export function failed(error: unknown): Ending {
  if (error instanceof PatchbayError && error.code === "TOOL_TIMEOUT") {
    return { outcome: "timed_out", output: null, problem: error.toProblem() };
  }
  const problem = toProblem(error, "TOOL_FAILED");
  return { outcome: "failed", output: { content: [{ type: "text", text: problem.message }] }, problem };
}

/** What the model reads of a call that ended without an output. */
export function readable(ending: Ending): ToolOutput {
  const text = ending.problem?.message ?? "The tool gave no answer.";
  return ending.output ?? { content: [{ type: "text", text }] };
}
