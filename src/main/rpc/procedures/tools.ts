import { fromProblem } from "../../../contract/index.ts";
import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import { EventFeed } from "../../agents/event-feed.ts";
import type { Agents } from "../../agents/index.ts";
import { revoked, switchedOff, switchedOn, withEffect } from "../../agents/tools/rules.ts";
import type { ToolCallEnd, ToolRequest } from "../../agents/tools/tool-call.ts";
import type { Views } from "../../views/views.ts";
import { procedures } from "../implementer.ts";
import { originOf } from "../rule-place.ts";

const owner = { kind: "owner" } as const;
/** Stands for a conversation where a tool is used outside of one. */
const noSession = "direct";

interface ListenerNeeds {
  views: Pick<Views, "agentById">;
  /** Resolves when the agent's plugins with hooks, commands or channels have started or failed to. */
  ready(agentId: string): Promise<void>;
}

export interface ToolNeeds extends Pick<ListenerNeeds, "ready"> {
  tools: Pick<Agents["tools"], "list" | "call" | "rights">;
  approvals: Pick<Agents["approvals"], "sessionGrants">;
  owner: { agents: Pick<AgentPluginService["agents"], "changeRules"> };
}

export function toolProcedures({ tools, approvals, owner: { agents }, ready }: ToolNeeds) {
  const area = procedures.tools;
  const rights = async (agentId: string) => {
    await ready(agentId);
    return tools.rights(agentId);
  };
  return {
    rights: area.rights.handler(({ input: { agentId } }) => rights(agentId)),
    setRule: area.setRule.handler(async ({ input: { agentId, name, effect }, context }) => {
      const origin = originOf(context.caller, "tools");
      await agents.changeRules(agentId, (rules) => withEffect(rules, name, effect, origin));
      if (effect !== "allow") approvals.sessionGrants.endOf(agentId, name);
      return rights(agentId);
    }),
    offer: area.offer.handler(async ({ input: { agentId, name, offered }, context }) => {
      const origin = originOf(context.caller, "tools");
      const change = offered ? switchedOn : switchedOff;
      await agents.changeRules(agentId, (rules) => change(rules, name, origin));
      return rights(agentId);
    }),
    revoke: area.revoke.handler(async ({ input: { agentId, ...rule } }) => {
      await agents.changeRules(agentId, (rules) => revoked(rules, rule));
      approvals.sessionGrants.endOf(agentId, rule.tool);
      return rights(agentId);
    }),
    list: area.list.handler(async ({ input: { agentId } }) => {
      await ready(agentId);
      return tools.list(agentId);
    }),
    call: area.call.handler(async ({ input, signal = never }) => {
      await ready(input.agentId);
      return answerOf(await tools.call({ ...requestOf(input), signal }));
    }),
    run: area.run.handler(async ({ input, signal = never }) => {
      await ready(input.agentId);
      return told((more) => tools.call({ ...requestOf(input), ...more }), signal);
    }),
  };
}

interface AskedCall {
  agentId: string;
  name: string;
  input: Record<string, unknown>;
  sessionId?: string | undefined;
  yes: boolean;
}

function requestOf({ agentId, name, input, sessionId, yes }: AskedCall) {
  return {
    agentId,
    sessionId: sessionId ?? noSession,
    turnId: null,
    tool: name,
    input,
    caller: owner,
    approved: yes,
  };
}

/** @throws PatchbayError the problem of a call that ended with one, with its trace in the details */
function answerOf({ output, trace }: ToolCallEnd) {
  if (trace.problem) {
    const { problem } = trace;
    throw fromProblem({ ...problem, details: { ...problem.details, trace } });
  }
  return { content: output.content, details: output.details, trace };
}

type ToldCall = { type: "progress"; text: string } | ({ type: "done" } & ReturnType<typeof answerOf>);

/** The progress of a call as it comes, then its answer. The call is stopped when nobody reads on. */
async function* told(
  call: (more: Pick<ToolRequest, "signal" | "onProgress">) => Promise<ToolCallEnd>,
  signal: AbortSignal,
): AsyncGenerator<ToldCall, void> {
  const feed = new EventFeed<ToldCall>();
  const progress = feed.read();
  const left = new AbortController();
  const ended = call({
    signal: AbortSignal.any([signal, left.signal]),
    onProgress: (text) => feed.push({ type: "progress", text }),
  }).finally(() => feed.end());
  try {
    yield* progress;
    yield { type: "done", ...answerOf(await ended) };
  } finally {
    left.abort();
    await ended.catch(() => {});
  }
}

export interface HookNeeds extends ListenerNeeds {
  work: Pick<Agents, "busOf" | "fire">;
}

export function hookProcedures({ work, views, ready }: HookNeeds) {
  const area = procedures.hooks;
  return {
    list: area.list.handler(async ({ input: { agentId } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return work.busOf(agentId).list();
    }),
    fire: area.fire.handler(async ({ input: { agentId, event, input } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return work.fire(agentId, event, input);
    }),
  };
}

export interface CommandNeeds extends ListenerNeeds {
  commands: Pick<Agents["commands"], "list" | "run">;
  sessions: Pick<Agents["sessions"], "open">;
}

export function commandProcedures({ commands, sessions, views, ready }: CommandNeeds) {
  const area = procedures.commands;
  return {
    list: area.list.handler(async ({ input: { agentId } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return commands.list(agentId);
    }),
    run: area.run.handler(async ({ input: { agentId, text, sessionId }, signal }) => {
      views.agentById(agentId);
      await ready(agentId);
      const session = sessionId === undefined ? null : await sessions.open(agentId, sessionId);
      const { output } = await commands.run(agentId, {
        text,
        session,
        caller: owner,
        signal: signal ?? never,
      });
      return { output };
    }),
  };
}

export interface ShortcutNeeds {
  shortcuts: Pick<Agents["shortcuts"], "press">;
  sessions: Pick<Agents["sessions"], "open">;
}

export function shortcutProcedures({ shortcuts, sessions }: ShortcutNeeds) {
  return {
    press: procedures.shortcuts.press.handler(async ({ input, signal = never }) => {
      const { agentId, plugin, id, sessionId } = input;
      const session = sessionId === undefined ? null : await sessions.open(agentId, sessionId);
      return shortcuts.press(agentId, { plugin, id, sessionId: session?.id ?? "", signal });
    }),
  };
}

const never = new AbortController().signal;
