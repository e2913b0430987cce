import { withDefaults } from "@patchbay/plugin-sdk";
import {
  type Agent,
  anybody,
  type Caller,
  type CallWhy,
  type Explanation,
  PatchbayError,
  type PolicyOverview,
  type PolicyRule,
  type Problem,
  type RuleDraft,
  toProblem,
  type VerdictChange,
} from "../../../contract/index.ts";
import type { Approvals } from "../approvals.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { Channels } from "../channels/channels.ts";
import type { AgentDirectory, AgentPool, PluginTrust } from "../ports.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { explain, inOrder } from "../tools/explain.ts";
import { covers } from "../tools/policy.ts";
import { isThereFor, verdictOn } from "../tools/rights.ts";
import type { FoundTool, ToolCatalog } from "../tools/tool-catalog.ts";
import { callersOf, type KnownChannel } from "./callers.ts";
import { changesBetween, withRule } from "./compare.ts";
import { whyCalled } from "./recorded-call.ts";

const before = "tool.before@v1";

interface Question {
  name: string;
  caller: Caller;
  sessionId?: string | undefined;
  arguments?: Record<string, unknown> | undefined;
}

export interface PolicyOptions {
  agents: Pick<AgentDirectory, "get">;
  pool: Pick<AgentPool, "wake" | "required" | "whyMissing">;
  trust: PluginTrust;
  catalog: ToolCatalog;
  approvals: Pick<Approvals, "sessionGrants">;
  sessions: Pick<Sessions, "list" | "open">;
  channels: Pick<Channels, "roleOf">;
  busOf(agentId: string): Pick<EventBus, "hooksOf">;
  /** The channels of an agent with the people whom the person let in there. */
  channelsOf(agentId: string): KnownChannel[];
}

/** Which rules an agent has, why a call is judged as it is, and what another rule would change. Runs no tool and asks no plugin. */
export class Policies {
  readonly #options: PolicyOptions;

  constructor(options: PolicyOptions) {
    this.#options = options;
  }

  /** Starts tools-only plugins first, like everything here that speaks of tools. @throws PatchbayError AGENT_NOT_FOUND */
  async overview(agentId: string): Promise<PolicyOverview> {
    const { policy } = this.#agent(agentId);
    const tools = await this.#tools(agentId);
    const callers = callersOf(this.#options.channelsOf(agentId), policy);
    const deciding = this.#deciding(policy, tools, callers);
    const titles = new Map((await this.#options.sessions.list(agentId)).map(({ id, title }) => [id, title]));
    return {
      rules: inOrder(policy).map((rule) => ({
        rule,
        names: tools.flatMap(({ info }) => (covers(rule.tool, info.name) ? [info.name] : [])),
        decides: deciding.get(rule)?.size ?? 0,
      })),
      allowances: this.#options.approvals.sessionGrants
        .of(agentId)
        .map((grant) => ({ ...grant, session: titles.get(grant.sessionId) ?? "" })),
      callers,
    };
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, TOOL_NOT_FOUND */
  async explain(agentId: string, question: Question): Promise<Explanation> {
    const agent = this.#agent(agentId);
    const { pool, approvals, catalog, trust, busOf } = this.#options;
    await pool.wake(agentId);
    const { name, sessionId } = question;
    const found = catalog.find(agentId, name);
    if (!found) throw this.#missing(agent, name);
    const caller = this.#withRole(agentId, question.caller);
    const judgement = explain(agent, found, caller, trust);
    const required = pool.required(agentId).filter(({ events }) => events.includes(before));
    return {
      tool: name,
      title: found.info.title,
      owner: found.info.owner,
      caller,
      judgement,
      offered: isThereFor(found, caller) && judgement.effect !== "deny",
      forSession: sessionId !== undefined && approvals.sessionGrants.has(agentId, sessionId, name, caller),
      hooks: [
        ...new Set(
          busOf(agentId)
            .hooksOf(before)
            .map(({ owner }) => owner),
        ),
      ],
      missing: required.map(({ owner }) => owner),
      problem: question.arguments ? await problemWith(found, question.arguments) : null,
    };
  }

  /** Why a recorded call was judged as it was. @throws PatchbayError AGENT_NOT_FOUND, SESSION_NOT_FOUND, TURN_NOT_FOUND */
  async why(agentId: string, sessionId: string, turnId: string, toolCallId: string): Promise<CallWhy> {
    const agent = this.#agent(agentId);
    const { sessions, catalog, trust } = this.#options;
    const session = await sessions.open(agentId, sessionId);
    return whyCalled(session, turnId, toolCallId, (tool, caller) => {
      const found = catalog.find(agentId, tool);
      return found ? verdictOn(agent, found, caller, trust).effect : null;
    });
  }

  /** What changes with `rule` in the place of `replaces`; see `withRule`. @throws PatchbayError AGENT_NOT_FOUND */
  async preview(
    agentId: string,
    rule: RuleDraft | null,
    replaces: RuleDraft | null,
  ): Promise<{ changes: VerdictChange[]; tools: number }> {
    const { policy } = this.#agent(agentId);
    const tools = await this.#tools(agentId);
    const after = withRule(policy, rule, replaces);
    const callers = callersOf(this.#options.channelsOf(agentId), [...policy, ...after]);
    return changesBetween(policy, after, { tools, callers, trust: this.#options.trust });
  }

  /** The next call of that conversation asks again. */
  takeBack(agentId: string, sessionId: string, tool: string, caller: Caller): void {
    this.#options.approvals.sessionGrants.takeBack(agentId, sessionId, tool, caller);
  }

  /** For each rule the tools for which it decides, for one of the callers at least. */
  #deciding(policy: PolicyRule[], tools: readonly FoundTool[], callers: readonly Caller[]) {
    const deciding = new Map<PolicyRule, Set<FoundTool>>();
    for (const found of tools) {
      for (const caller of callers) {
        const { by } = verdictOn({ policy }, found, caller, this.#options.trust);
        if (!by) continue;
        const own = deciding.get(by) ?? new Set();
        deciding.set(by, own.add(found));
      }
    }
    return deciding;
  }

  async #tools(agentId: string): Promise<FoundTool[]> {
    const { pool, catalog } = this.#options;
    await pool.wake(agentId);
    return catalog.list(agentId).flatMap(({ name }) => catalog.find(agentId, name) ?? []);
  }

  #withRole(agentId: string, caller: Caller): Caller {
    if (caller.kind === "owner" || caller.role !== undefined || caller.userId === anybody) return caller;
    const role = this.#options.channels.roleOf(agentId, caller.channel, caller.userId);
    return { ...caller, ...(role !== undefined && { role }) };
  }

  #missing(agent: Agent, name: string): PatchbayError {
    const known = this.#options.pool.whyMissing(agent.id, name);
    const help = known ? { help: `It belongs to ${known.plugin}, which does not run.` } : {};
    return new PatchbayError("TOOL_NOT_FOUND", `${agent.name} has no tool named ${name}.`, help);
  }

  #agent(agentId: string): Agent {
    const agent = this.#options.agents.get(agentId);
    if (!agent) throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${agentId}.`);
    return agent;
  }
}

async function problemWith(
  { info: { title, parameters } }: FoundTool,
  given: Record<string, unknown>,
): Promise<Problem | null> {
  const { ArgumentChecker } = await import("../tools/arguments.ts");
  try {
    new ArgumentChecker().check(title, parameters, withDefaults(parameters, given));
    return null;
  } catch (error) {
    return toProblem(error);
  }
}
