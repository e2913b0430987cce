import { withDefaults } from "@patchbay/plugin-sdk";
import {
  type Agent,
  type Caller,
  PatchbayError,
  type ToolInfo,
  type ToolRights,
} from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { NetworkJudge } from "../../platform/walls/wall.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { LimitKeeper } from "../call-limit.ts";
import type { EffectSink } from "../effects/effect-sink.ts";
import type { PauseDesk } from "../pause/desk.ts";
import type {
  AgentDirectory,
  AgentPool,
  AuditSink,
  JudgeRefusedHost,
  LimitSource,
  PluginTrust,
  SecretLookup,
} from "../ports.ts";
import { between } from "../record/project-tool.ts";
import type { Span } from "../record/recorder.ts";
import type { RecordPlace } from "../record/recording.ts";
import { redactDeep } from "../redact.ts";
import { type ApprovalDesk, askOwner } from "./approval-step.ts";
import type { ArgumentChecker } from "./arguments.ts";
import type { BuiltinTool } from "./builtin/index.ts";
import { withoutHooks } from "./by-hand/without-hooks.ts";
import { CallEnd } from "./call-end.ts";
import { execute } from "./execute.ts";
import { limitOutput } from "./limit-output.ts";
import { askPausing, pauseAfter } from "./paused-call.ts";
import { redactedIn } from "./redacted.ts";
import { askResultHooks } from "./result-hooks.ts";
import { isThereFor, rightsOf, verdictOn } from "./rights.ts";
import {
  type Call,
  type Ending,
  type FoundCall,
  failed,
  missing,
  payloadOf,
  refused,
  scopeOf,
  type ToolCallEnd,
  type ToolRequest,
  vetoed,
  withheldEnd,
  withheldWords,
} from "./tool-call.ts";
import { type FoundTool, ToolCatalog } from "./tool-catalog.ts";

export type { ToolCallEnd, ToolRequest } from "./tool-call.ts";

/**
 * The only way to run a tool. The steps: find, policy, hooks on tool.before, validation, approval, execution, hooks on
 * tool.result and tool.after, trace. A call may end at any step with its outcome; tool.after is told of every call.
 */
export class ToolPipeline {
  private readonly options: {
    pool: AgentPool;
    agents: Pick<AgentDirectory, "get">;
    trust: PluginTrust;
    settings: LimitSource;
    secrets: SecretLookup;
    approvals: ApprovalDesk;
    clock: Clock;
    ids: Ids;
    /** Makes a place for a call that belongs to no turn. */
    outside(place: RecordPlace): Span;
    /** Patchbay's built-in tools, when absent. */
    builtins?: ReadonlyMap<string, BuiltinTool>;
    keeper: LimitKeeper;
    /** Patchbay's own folder. */
    root: string;
    audit: AuditSink;
    networkOf?(agentId: string, during: Span["place"]): NetworkJudge;
    refusedHost?: JudgeRefusedHost | undefined;
    /** Takes what is asked for beside answers in a conversation outside of turns. */
    effectsOf?(agentId: string, sessionId: string, caller: Caller): EffectSink | undefined;
    busOf(agentId: string): EventBus;
    /** Who stops calls; absent: nobody. */
    pauses?: PauseDesk;
  };
  readonly catalog: ToolCatalog;
  private checker: ArgumentChecker | undefined;

  constructor(options: ToolPipeline["options"]) {
    this.options = options;
    this.catalog = new ToolCatalog(options.pool, options.builtins);
  }

  /** Every tool of the agent; starts its tools-only plugins first. @throws PatchbayError AGENT_NOT_FOUND */
  async list(agentId: string): Promise<ToolInfo[]> {
    this.agent(agentId);
    await this.options.pool.wake(agentId);
    return this.catalog.list(agentId);
  }

  /** Every tool with what decides about it. Starts tools-only plugins first. @throws PatchbayError AGENT_NOT_FOUND */
  async rights(agentId: string): Promise<ToolRights> {
    const tools = await this.list(agentId);
    const find = (name: string) => this.catalog.find(agentId, name);
    return rightsOf(this.agent(agentId), tools, find, this.options.trust);
  }

  /** What a caller may use: tools that the policy denies are left out. Does not start anything. */
  offered(agentId: string, caller: Caller): ToolInfo[] {
    const agent = this.agent(agentId);
    return this.catalog.list(agentId).filter((tool) => {
      const found = this.catalog.find(agentId, tool.name);
      if (!found || found.info.withheld || !isThereFor(found, caller)) return false;
      return verdictOn(agent, found, caller, this.options.trust).effect !== "deny";
    });
  }

  titleOf(agentId: string, name: string): Pick<ToolInfo, "title" | "owner"> {
    return this.catalog.find(agentId, name)?.info ?? { title: name, owner: null };
  }

  /**
   * Runs a tool. Resolves whatever the outcome: refusals and failures are in `trace.outcome` and `trace.problem`.
   * @throws PatchbayError AGENT_NOT_FOUND; TOOL_DENIED: somebody else than the owner wants hooks to be left out
   */
  async call(request: ToolRequest): Promise<ToolCallEnd> {
    const { agentId, sessionId, tool } = request;
    const call: Call = {
      request,
      id: request.toolCallId ?? this.options.ids.next(),
      agent: this.agent(agentId),
      bus: request.straight ? withoutHooks(request) : this.options.busOf(agentId),
      args: request.input,
      owner: null,
      changedBy: [],
      policy: { effect: "deny", rule: "the tool is not there" },
      ran: false,
      tookMs: 0,
      span: request.span ?? this.options.outside({ agentId, sessionId }).child(),
      effects: request.effects ?? this.options.effectsOf?.(agentId, sessionId, request.caller),
    };
    const { id: toolCallId, span } = call;
    const { caller, input } = request;
    const found = this.catalog.find(agentId, tool);
    const { title, owner } = found?.info ?? { title: tool, owner: null };
    const called = { type: "tool_called", toolCallId, tool, title, owner, caller, arguments: input } as const;
    const { at: begin } = span.record(request.straight ? { ...called, straight: true } : called);
    const ending = this.clean(await this.attempt(call, found));
    const { outcome, output, problem } = ending;
    const redacted = redactedIn(call.args, ending, this.options.secrets);
    if (call.bus.hooksOf("tool.after@v1").length > 0)
      await this.announce(call, ending, between(begin, span.recorder.lastAt));
    const id = request.entryId ?? toolCallId;
    span.record({ type: "tool_ended", id, toolCallId, tool, outcome, result: output, problem, ...redacted });
    return new CallEnd(span, ending, this.options.secrets);
  }

  /** Never rejects. */
  private async attempt(call: Call, found: FoundTool | undefined): Promise<Ending> {
    try {
      let ending = await (found ? this.attemptAllowed(call, found) : this.attemptAsleep(call));
      const { pauses } = this.options;
      if (pauses?.armed && hasRun(call)) ending = await pauseAfter(call, ending, pauses);
      const mayChange = hasRun(call) && ending.outcome !== "timed_out" && call.bus.has("tool.result@v1");
      return mayChange ? await askResultHooks(call, ending) : ending;
    } catch (error) {
      return failed(error);
    }
  }

  /** The tool was not found among running plugins: starts the agent's tools-only plugins, one of which may have it. */
  private async attemptAsleep(call: Call): Promise<Ending> {
    const { agentId, tool } = call.request;
    await this.options.pool.wake(agentId);
    const found = this.catalog.find(agentId, tool);
    return found
      ? await this.attemptAllowed(call, found, { title: found.info.title })
      : missing(call, this.options.pool);
  }

  private attemptAllowed(call: Call, found: FoundTool, news?: { title: string }): Promise<Ending> | Ending {
    const { owner, passes } = found.info;
    // What is passed on is for the owner's own hand and programs alone.
    if (passes && (call.request.turnId !== null || call.request.caller.kind !== "owner"))
      return missing(call, this.options.pool);
    call.owner = owner;
    const { withheld } = found.info;
    call.policy = withheld
      ? { effect: "deny", rule: `the tool is ${withheldWords[withheld]}` }
      : verdictOn(call.agent, found, call.request.caller, this.options.trust);
    const { effect, rule } = call.policy;
    const judged = { type: "tool_judged", toolCallId: call.id, owner, effect, rule } as const;
    call.span.record(news ? { ...judged, ...news } : judged);
    if (withheld) return withheldEnd(call, found.info, withheld);
    if (effect === "deny") {
      const message = `The policy of ${call.agent.name} forbids ${found.info.title} (${rule}).`;
      return refused("denied", "TOOL_DENIED", message);
    }
    return this.attemptFound(Object.assign(call, { found }));
  }

  /**
   * Chooses the next step without awaiting anything: every awaited promise adds to the time of a call. What the schema has
   * defaults for is filled in first, so that hooks and the owner judge what will run.
   */
  private attemptFound(call: FoundCall): Promise<Ending> {
    call.args = withDefaults(call.found.info.parameters, call.args);
    if (this.options.pauses?.armed) return this.attemptPausing(call, this.options.pauses);
    return call.bus.has("tool.before@v1") ? this.attemptGuarded(call) : this.attemptChecked(call);
  }

  private async attemptPausing(call: FoundCall, pauses: PauseDesk): Promise<Ending> {
    const checker = await this.loadChecker();
    return (await askPausing(call, pauses, checker)) ?? this.attemptChecked(call);
  }

  private attemptChecked(call: FoundCall): Promise<Ending> {
    if (!this.checker) return this.loadChecker().then(() => this.attemptChecked(call));
    const { title, parameters } = call.found.info;
    // Once more: a hook may have left something out.
    call.args = withDefaults(parameters, call.args);
    this.checker.check(title, parameters, call.args);
    return call.policy.effect === "ask" ? this.attemptApproved(call) : this.execute(call);
  }

  private async attemptApproved(call: FoundCall): Promise<Ending> {
    return (await askOwner(call, this.options.approvals)) ?? (await this.execute(call));
  }

  private execute(call: FoundCall): Promise<Ending> {
    return execute(call, this.options);
  }

  private async attemptGuarded(call: FoundCall): Promise<Ending> {
    const payload = payloadOf(call, { caller: call.request.caller as unknown });
    const answer = await call.bus.veto("tool.before@v1", payload, scopeOf(call));
    call.changedBy = answer.changedBy;
    if (answer.allowed) call.args = answer.payload.args;
    const { id: toolCallId, args, changedBy } = call;
    if (changedBy.length > 0)
      call.span.record({ type: "tool_rewritten", toolCallId, arguments: args, changedBy });
    if (answer.allowed) return this.attemptChecked(call);
    return vetoed(call, answer);
  }

  private async announce(call: Call, ending: Ending, durationMs: number): Promise<void> {
    // tool.after is told of a call even when its turn was stopped.
    const scope = { ...scopeOf(call), signal: new AbortController().signal, until: call.request.signal };
    const error = ending.problem ? { error: ending.problem.message } : {};
    await call.bus.emit(
      "tool.after@v1",
      payloadOf(call, { outcome: ending.outcome, durationMs, ...error }),
      scope,
    );
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

function hasRun(call: Call): call is FoundCall {
  return call.ran;
}
