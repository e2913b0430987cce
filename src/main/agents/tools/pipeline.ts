import { randomUUID } from "node:crypto";
import {
  type Agent,
  type Caller,
  PatchbayError,
  type ToolInfo,
  type ToolTrace,
} from "../../../contract/index.ts";
import type { Approvals } from "../approvals.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { ClockKeeper } from "../clock.ts";
import type {
  AgentDirectory,
  AgentPool,
  AuditSink,
  LimitSource,
  PluginTrust,
  SecretLookup,
} from "../ports.ts";
import { redactDeep } from "../redact.ts";
import { askOwner } from "./approval-step.ts";
import type { ArgumentChecker } from "./arguments.ts";
import { execute } from "./execute.ts";
import { limitOutput } from "./limit-output.ts";
import { decidePolicy } from "./policy.ts";
import {
  type Call,
  type Ending,
  type FoundCall,
  failed,
  payloadOf,
  readable,
  refused,
  scopeOf,
  type ToolCallEnd,
  type ToolRequest,
} from "./tool-call.ts";
import { type FoundTool, ToolCatalog } from "./tool-catalog.ts";

export type { ToolCallEnd, ToolRequest } from "./tool-call.ts";

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

  /** Every tool of the agent; starts its tools-only plugins first. @throws PatchbayError AGENT_NOT_FOUND */
  async list(agentId: string): Promise<ToolInfo[]> {
    this.agent(agentId);
    await this.options.pool.wake(agentId);
    return this.catalog.list(agentId);
  }

  /** What a caller may use: tools that the policy denies are left out. Does not start anything. */
  offered(agentId: string, caller: Caller): ToolInfo[] {
    const agent = this.agent(agentId);
    return this.catalog.list(agentId).filter((tool) => {
      const found = this.catalog.find(agentId, tool.name);
      if (!found || (caller.kind !== "channel" && found.kind === "builtin" && found.tool.inChatsOnly))
        return false;
      return this.policyFor(agent, found, caller).effect !== "deny";
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
    const begin = performance.now();
    const call: Call = {
      request,
      id: request.toolCallId ?? randomUUID(),
      agent: this.agent(request.agentId),
      bus: this.options.busOf(request.agentId),
      args: request.input,
      owner: null,
      changedBy: [],
      policy: { effect: "deny", rule: "the tool is not there" },
      approval: null,
      executeMs: null,
      hooks: [],
    };
    const attempt = this.attempt(call);
    // While the plugin works.
    const startedAt = new Date().toISOString();
    const ending = this.clean(await attempt.catch(failed));
    const ms = performance.now() - begin;
    if (call.bus.hooksOf("tool.after@v1").length > 0) await this.announce(call, ending, ms);
    this.options.audit.record({
      kind: "tool.called",
      agentId: request.agentId,
      ...(call.owner && { pluginKey: call.owner }),
      tool: request.tool,
      outcome: ending.outcome,
      sessionId: request.sessionId,
      caller: request.caller,
      ms: Math.round(ms * 100) / 100,
    });
    return { output: readable(ending), trace: this.traceOf(call, ending, startedAt, ms) };
  }

  private async attempt(call: Call): Promise<Ending> {
    const { request } = call;
    const found = this.catalog.find(request.agentId, request.tool) ?? (await this.findAsleep(request));
    if (!found) return this.missing(call);
    call.owner = found.info.owner;
    call.policy = this.policyFor(call.agent, found, request.caller);
    if (call.policy.effect === "deny") {
      const message = `The policy of ${call.agent.name} forbids ${found.info.title} (${call.policy.rule}).`;
      return refused("denied", "TOOL_DENIED", message);
    }
    return this.attemptFound(Object.assign(call, { found }));
  }

  /** A tool that is not there because its plugin is off or in trouble is missed for that reason, not for its name. */
  private missing({ agent, request }: Call): Ending {
    const known = this.options.pool.whyMissing(request.agentId, request.tool);
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

  private async attemptFound(call: FoundCall): Promise<Ending> {
    const { bus, found } = call;
    if (bus.has("tool.before@v1")) {
      const vetoed = await this.askGuards(call);
      if (vetoed) return vetoed;
    }
    const checker = this.checker ?? (await this.loadChecker());
    checker.check(found.info.title, found.info.parameters, call.args);
    if (call.policy.effect === "ask") {
      const rejected = await askOwner(call, this.options.approvals);
      if (rejected) return rejected;
    }
    const ending = await execute(call, this.options);
    const mayChange = ending.outcome !== "timed_out" && bus.has("tool.result@v1");
    return mayChange ? this.askResultHooks(call, ending) : ending;
  }

  private async askGuards(call: FoundCall): Promise<Ending | undefined> {
    const payload = payloadOf(call, { caller: call.request.caller as unknown });
    const answer = await call.bus.veto("tool.before@v1", payload, scopeOf(call));
    call.changedBy = answer.changedBy;
    if (answer.allowed) {
      call.args = answer.payload.args;
      return undefined;
    }
    const { owner, reason } = answer;
    const message = `The plugin ${owner} blocked ${call.found.info.title}: ${reason.replace(/\.$/, "")}.`;
    return refused("vetoed", "TOOL_VETOED", message, { owner, reason });
  }

  private async askResultHooks(call: FoundCall, ending: Ending): Promise<Ending> {
    const { content } = readable(ending);
    const payload = payloadOf(call, { content, isError: ending.outcome !== "executed" });
    const after = await call.bus.transform("tool.result@v1", payload, scopeOf(call));
    if (after.changedBy.length === 0) return ending;
    const output = { ...ending.output, content: after.payload.content };
    if (!after.payload.isError) return { outcome: "executed", output, problem: null };
    const by = after.changedBy.join(", ");
    const message = `The result of ${call.found.info.title} was marked as failed by ${by}.`;
    const problem = ending.problem ?? new PatchbayError("TOOL_FAILED", message).toProblem();
    return { outcome: "failed", output, problem };
  }

  private async announce(call: Call, ending: Ending, durationMs: number): Promise<void> {
    // The turn may have been stopped; tool.after is told nevertheless.
    const scope = { ...scopeOf(call), signal: new AbortController().signal };
    const error = ending.problem ? { error: ending.problem.message } : {};
    await call.bus.emit(
      "tool.after@v1",
      payloadOf(call, { outcome: ending.outcome, durationMs, ...error }),
      scope,
    );
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
  private clean({ outcome, output, problem }: Ending): Ending {
    const { secrets } = this.options;
    return {
      outcome,
      output: output && redactDeep(limitOutput(output), secrets),
      problem: problem && redactDeep(problem, secrets),
    };
  }

  private traceOf(call: Call, ending: Ending, startedAt: string, ms: number): ToolTrace {
    const { secrets } = this.options;
    const finalArguments = redactDeep(call.args, secrets);
    return {
      toolCallId: call.id,
      tool: call.request.tool,
      owner: call.owner,
      caller: call.request.caller,
      startedAt,
      ms,
      policy: call.policy,
      arguments: call.args === call.request.input ? finalArguments : redactDeep(call.request.input, secrets),
      finalArguments,
      changedBy: call.changedBy,
      approval: call.approval,
      executeMs: call.executeMs,
      hooks: redactDeep(call.hooks, secrets),
      outcome: ending.outcome,
      result: ending.output,
      problem: ending.problem,
    };
  }

  private async findAsleep({ agentId, tool }: ToolRequest): Promise<FoundTool | undefined> {
    await this.options.pool.wake(agentId);
    return this.catalog.find(agentId, tool);
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
