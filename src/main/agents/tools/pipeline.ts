import { randomUUID } from "node:crypto";
import type { AgentEventPayloads } from "@patchbay/plugin-sdk";
import {
  type Agent,
  type Approval,
  type Caller,
  type HookTrace,
  PatchbayError,
  type Problem,
  type ToolInfo,
  type ToolOutcome,
  type ToolTrace,
  toProblem,
} from "../../../contract/index.ts";
import type { ToolOutput } from "../../runtimes/runtime.ts";
import type { Approvals } from "../approvals.ts";
import type { EventBus } from "../bus/event-bus.ts";
import { type ClockKeeper, OUTER_LIMIT_MS, TimeLimitError, withinLimit } from "../clock.ts";
import type {
  AgentDirectory,
  AgentPool,
  AuditSink,
  LimitSource,
  PluginTrust,
  SecretLookup,
} from "../ports.ts";
import { redactDeep } from "../redact.ts";
import type { ArgumentChecker } from "./arguments.ts";
import { digestOf } from "./digest.ts";
import { decidePolicy } from "./policy.ts";
import { type FoundTool, ToolCatalog } from "./tool-catalog.ts";

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
  /** The owner allows exactly this input in advance. */
  approved?: boolean;
  onProgress?(text: string): void;
  /** Told when the owner is asked, and again of the decision. */
  onApproval?(approval: Approval): void;
}

export interface ToolCallEnd {
  /** What the caller gets to read, whatever the outcome. */
  output: ToolOutput;
  trace: ToolTrace;
}

interface Ending {
  outcome: ToolOutcome;
  output: ToolOutput | null;
  problem: Problem | null;
}

/** A call on its way through the pipeline. */
interface Call {
  request: ToolRequest;
  id: string;
  agent: Agent;
  bus: EventBus;
  found: FoundTool | undefined;
  args: Record<string, unknown>;
  changedBy: string[];
  policy: ToolTrace["policy"];
  approval: ToolTrace["approval"];
  executeMs: number | null;
  hooks: HookTrace[];
}

/**
 * The one way to run a tool: find, policy, tool.before, validation, approval, execution, tool.result, tool.after,
 * trace. A call that does not come to run ends with its outcome; tool.after is told of every one.
 */
export class ToolPipeline {
  private readonly options: {
    pool: AgentPool;
    agents: AgentDirectory;
    trust: PluginTrust;
    settings: LimitSource;
    secrets: SecretLookup;
    audit: AuditSink;
    approvals: Approvals;
    keeper: ClockKeeper;
    busOf(agentId: string): EventBus;
  };
  private readonly catalog: ToolCatalog;
  private checker: ArgumentChecker | undefined;

  constructor(options: ToolPipeline["options"]) {
    this.options = options;
    this.catalog = new ToolCatalog(options.pool);
  }

  /** Every tool of the agent; starts its tools-only plugins first. */
  async list(agentId: string): Promise<ToolInfo[]> {
    this.agent(agentId);
    await this.options.pool.wake(agentId);
    return this.catalog.list(agentId);
  }

  /** What a caller may see: tools that the policy denies are left out. Does not start anything. */
  offered(agentId: string, caller: Caller): ToolInfo[] {
    const agent = this.agent(agentId);
    return this.catalog.list(agentId).filter((tool) => {
      const found = this.catalog.find(agentId, tool.name);
      return found !== undefined && this.policyFor(agent, found, caller).effect !== "deny";
    });
  }

  titleOf(agentId: string, name: string): Pick<ToolInfo, "title" | "owner"> {
    return this.catalog.find(agentId, name)?.info ?? { title: name, owner: null };
  }

  /**
   * Runs a tool. Resolves whatever the outcome: refusals and failures are in `trace.outcome` and `trace.problem`.
   * @throws PatchbayError AGENT_NOT_FOUND
   */
  async call(request: ToolRequest): Promise<ToolCallEnd> {
    const startedAt = new Date().toISOString();
    const begin = performance.now();
    const call: Call = {
      request,
      id: request.toolCallId ?? randomUUID(),
      agent: this.agent(request.agentId),
      bus: this.options.busOf(request.agentId),
      found: this.catalog.find(request.agentId, request.tool),
      args: request.input,
      changedBy: [],
      policy: { effect: "deny", rule: "the tool is not there" },
      approval: null,
      executeMs: null,
      hooks: [],
    };
    let ending = await this.attempt(call).catch((error: unknown) => failed(error));
    ending = this.clean(ending);
    const ms = performance.now() - begin;
    if (call.bus.hooksOf("tool.after@v1").length > 0) await this.announce(call, ending, ms);
    const trace = this.traceOf(call, ending, startedAt, ms);
    this.options.audit.record({
      kind: "tool.call",
      agentId: request.agentId,
      ...(trace.owner && { pluginKey: trace.owner }),
      tool: request.tool,
      outcome: ending.outcome,
      sessionId: request.sessionId,
      caller: request.caller,
      ms: Math.round(ms * 100) / 100,
    });
    return { output: ending.output ?? refusal(ending), trace };
  }

  private async attempt(call: Call): Promise<Ending> {
    const { request, bus } = call;
    if (!call.found) {
      await this.options.pool.wake(request.agentId);
      call.found = this.catalog.find(request.agentId, request.tool);
    }
    const { found } = call;
    if (!found) {
      const message = `${call.agent.name} has no tool named ${request.tool}.`;
      return {
        outcome: "failed",
        output: null,
        problem: new PatchbayError("TOOL_NOT_FOUND", message).toProblem(),
      };
    }
    call.policy = this.policyFor(call.agent, found, request.caller);
    if (call.policy.effect === "deny") {
      const message = `The policy of ${call.agent.name} forbids ${found.info.title} (${call.policy.rule}).`;
      return {
        outcome: "denied",
        output: null,
        problem: new PatchbayError("TOOL_DENIED", message).toProblem(),
      };
    }
    if (bus.has("tool.before@v1")) {
      const veto = await this.askGuards(call);
      if (veto) return veto;
    }
    const checker = this.checker ?? (await this.loadChecker());
    checker.check(found.info.title, found.info.parameters, call.args);
    if (call.policy.effect === "ask") {
      const refused = await this.askOwner(call, found);
      if (refused) return refused;
    }
    const ending = await this.execute(call, found);
    return bus.has("tool.result@v1") && ending.output && ending.outcome !== "timed_out"
      ? await this.askResultHooks(call, ending)
      : ending;
  }

  private async askGuards(call: Call): Promise<Ending | undefined> {
    const payload = this.payload(call, { caller: call.request.caller as unknown });
    const answer = await call.bus.veto("tool.before@v1", payload, this.scope(call));
    call.changedBy = answer.changedBy;
    if (!answer.allowed) {
      const title = call.found?.info.title ?? call.request.tool;
      const message = `The plugin ${answer.owner} blocked ${title}: ${answer.reason.replace(/\.$/, "")}.`;
      const details = { owner: answer.owner, reason: answer.reason };
      const problem = new PatchbayError("TOOL_VETOED", message, { details }).toProblem();
      return { outcome: "vetoed", output: null, problem };
    }
    call.args = answer.payload.args;
    return undefined;
  }

  private async askOwner(call: Call, found: FoundTool): Promise<Ending | undefined> {
    const { request } = call;
    const { approvals } = this.options;
    // From here on nobody else holds these arguments: what is shown is what runs.
    call.args = structuredClone(call.args);
    const digest = digestOf(request.tool, call.args);
    const inAdvance = request.approved === true && request.caller.kind === "owner";
    if (inAdvance && digest === digestOf(request.tool, request.input)) {
      call.approval = { id: "in-advance", status: "allowed", scope: "once", waitedMs: 0 };
      return undefined;
    }
    if (approvals.grantedForSession(request.sessionId, request.tool, request.caller)) {
      call.approval = { id: "session", status: "allowed", scope: "session", waitedMs: 0 };
      return undefined;
    }
    const begin = performance.now();
    const decided = await approvals.request(
      {
        agentId: request.agentId,
        sessionId: request.sessionId,
        turnId: request.turnId,
        toolCallId: call.id,
        tool: request.tool,
        owner: found.info.owner,
        arguments: structuredClone(call.args),
        changedBy: call.changedBy,
        caller: request.caller,
      },
      request.signal,
      request.onApproval,
    );
    request.onApproval?.(decided);
    const waitedMs = performance.now() - begin;
    call.approval = { id: decided.id, status: decided.status, scope: decided.scope, waitedMs };
    if (decided.status === "allowed" && digest === digestOf(request.tool, call.args)) return undefined;
    const why = decided.reason ? `: ${decided.reason.replace(/\.$/, "")}` : "";
    const message = `The call of ${found.info.title} was not approved${why}.`;
    const problem = new PatchbayError("TOOL_REJECTED", message).toProblem();
    return { outcome: decided.status === "timed_out" ? "timed_out" : "rejected", output: null, problem };
  }

  private async execute(call: Call, found: FoundTool): Promise<Ending> {
    const { request } = call;
    const { pool, keeper, settings } = this.options;
    const limitMs = settings.get().limits.toolMs;
    const onUpdate = request.onProgress ?? ignore;
    const begin = performance.now();
    try {
      const output = await withinLimit({
        limitMs,
        signal: request.signal,
        keeper,
        agentId: request.agentId,
        pluginKey: found.info.owner ?? "",
        run: (signal) =>
          found.kind === "builtin"
            ? found.tool.execute(call.args, { workspace: call.agent.workspace, signal, onUpdate })
            : pool.callTool(request.agentId, found.owner, request.tool, call.args, {
                sessionId: request.sessionId,
                caller: request.caller,
                signal,
                timeoutMs: OUTER_LIMIT_MS,
                toolCallId: call.id,
                onUpdate,
              }),
      });
      return { outcome: "executed", output, problem: null };
    } catch (error) {
      if (!(error instanceof TimeLimitError)) return failed(error);
      const message = `${found.info.title} did not end within ${Math.round(limitMs / 1000)} s.`;
      const problem = new PatchbayError("TOOL_TIMEOUT", message).toProblem();
      return { outcome: "timed_out", output: null, problem };
    } finally {
      call.executeMs = performance.now() - begin;
    }
  }

  private async askResultHooks(call: Call, ending: Ending): Promise<Ending> {
    const content = ending.output?.content ?? [];
    const payload = this.payload(call, { content, isError: ending.outcome !== "executed" });
    const { payload: after, changedBy } = await call.bus.transform(
      "tool.result@v1",
      payload,
      this.scope(call),
    );
    if (changedBy.length === 0) return ending;
    const output: ToolOutput = { ...ending.output, content: after.content };
    if (!after.isError) return { outcome: "executed", output, problem: null };
    const text = textOf(output) || "a hook marked the result as failed";
    const problem = ending.problem ?? new PatchbayError("TOOL_FAILED", text).toProblem();
    return { outcome: "failed", output, problem };
  }

  private async announce(call: Call, ending: Ending, durationMs: number): Promise<void> {
    // The turn may have been stopped; tool.after is told nevertheless.
    const scope = { ...this.scope(call), signal: new AbortController().signal };
    const error = ending.problem ? { error: ending.problem.message } : {};
    const payload = this.payload(call, { outcome: ending.outcome, durationMs, ...error });
    await call.bus.emit("tool.after@v1", redactDeep(payload, this.options.secrets), scope);
  }

  private payload<T>(
    call: Call,
    more: T,
  ): Pick<
    AgentEventPayloads["tool.before@v1"],
    "agentId" | "sessionId" | "toolCallId" | "toolName" | "args"
  > &
    T {
    const { agentId, sessionId, tool } = call.request;
    return { agentId, sessionId, toolCallId: call.id, toolName: tool, args: call.args, ...more };
  }

  private scope(call: Call) {
    const { sessionId, caller, signal } = call.request;
    return { sessionId, caller, signal, trace: (hook: HookTrace) => void call.hooks.push(hook) };
  }

  private policyFor(agent: Agent, found: FoundTool, caller: Caller) {
    return decidePolicy(agent.policy, {
      tool: found.info,
      caller,
      trust: found.kind === "plugin" ? (this.options.trust.get(found.owner)?.trust ?? "unverified") : null,
      dangerous: found.kind === "builtin" && found.tool.dangerous,
    });
  }

  /** Takes stored secrets out of what the model, the screen and the files get to see. */
  private clean(ending: Ending): Ending {
    return {
      outcome: ending.outcome,
      output: ending.output && redactDeep(ending.output, this.options.secrets),
      problem: ending.problem && redactDeep(ending.problem, this.options.secrets),
    };
  }

  private traceOf(call: Call, ending: Ending, startedAt: string, ms: number): ToolTrace {
    const trace: ToolTrace = {
      toolCallId: call.id,
      tool: call.request.tool,
      owner: call.found?.info.owner ?? null,
      caller: call.request.caller,
      startedAt,
      ms,
      policy: call.policy,
      arguments: call.request.input,
      finalArguments: call.args,
      changedBy: call.changedBy,
      approval: call.approval,
      executeMs: call.executeMs,
      hooks: call.hooks,
      outcome: ending.outcome,
      result: ending.output,
      problem: ending.problem,
    };
    return redactDeep(trace, this.options.secrets);
  }

  private agent(agentId: string): Agent {
    const agent = this.options.agents.get(agentId);
    if (!agent) throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${agentId}.`);
    return agent;
  }

  /** Ajv is loaded with the first call, not with the app. */
  private async loadChecker(): Promise<ArgumentChecker> {
    const { ArgumentChecker } = await import("./arguments.ts");
    this.checker ??= new ArgumentChecker();
    return this.checker;
  }
}

function failed(error: unknown): Ending {
  if (error instanceof PatchbayError && error.code === "TOOL_TIMEOUT") {
    return { outcome: "timed_out", output: null, problem: error.toProblem() };
  }
  const problem = toProblem(error, "TOOL_FAILED");
  return { outcome: "failed", output: { content: [{ type: "text", text: problem.message }] }, problem };
}

function refusal(ending: Ending): ToolOutput {
  return { content: [{ type: "text", text: ending.problem?.message ?? "The tool gave no answer." }] };
}

function textOf(output: ToolOutput): string {
  return output.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function ignore(): void {}
