import {
  type Approval,
  type AskingProgram,
  fromProblem,
  PatchbayError,
  type RepeatedCall,
} from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import { EventFeed } from "../../agents/event-feed.ts";
import type { Agents } from "../../agents/index.ts";
import { repeated } from "../../agents/tools/by-hand/repeat.ts";
import { revoked, switchedOff, switchedOn, withEffect } from "../../agents/tools/rules.ts";
import type { ToolCallEnd, ToolRequest } from "../../agents/tools/tool-call.ts";
import type { Views } from "../../views/views.ts";
import { procedures } from "../implementer.ts";
import { originOf } from "../rule-place.ts";

const owner = { kind: "owner" } as const;
/** Stands for a conversation where a tool is used outside of one. */
const noSession = "direct";
/** Most characters of another program's name. */
const mostProgramName = 80;

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
      return told<ToldCall>(async (left, tell) => {
        const request = {
          ...requestOf(input),
          ...(input.program && through(input.program, input)),
          signal: left,
          onProgress: (text: string) => tell({ type: "progress", text }),
          onApproval: (approval: Approval) => tell({ type: "approval", approval }),
        };
        tell({ type: "done", ...answerOf(await tools.call(request)) });
      }, signal);
    }),
    repeat: area.repeat.handler(async ({ input, signal = never }) => {
      await ready(input.agentId);
      return told<RepeatedCall>(
        (left, tell) => repeated(tools, { ...requestOf(input), signal: left }, input.times, tell),
        signal,
      );
    }),
  };
}

interface AskedCall {
  agentId: string;
  name: string;
  input: Record<string, unknown>;
  sessionId?: string | undefined;
  yes?: boolean;
  straight: boolean;
}

function requestOf({ agentId, name, input, sessionId, yes = false, straight }: AskedCall) {
  return {
    agentId,
    sessionId: sessionId ?? noSession,
    turnId: null,
    tool: name,
    input,
    caller: owner,
    // Whoever makes a call by hand without its hooks has seen it: asking them once more would ask nothing.
    approved: yes || straight,
    straight,
  };
}

/** What is otherwise in a call that the person makes through another program. */
function through({ name, canAsk }: AskingProgram, { agentId, name: tool }: AskedCall): Partial<ToolRequest> {
  const program = cleanLine(name).slice(0, mostProgramName).toWellFormed() || "a program";
  const caller = { kind: "owner", program } as const;
  if (canAsk) return { caller };
  const asksNobody = (title: string) =>
    new PatchbayError(
      "TOOL_ASKS",
      `${title} asks before each call, and ${program} cannot show you the question.`,
      {
        details: { tool: title, program },
        help: `Allow it in Patchbay, on the page Tools of the agent, or with \`patchbay agent rule ${agentId} ${tool} allow\`.`,
      },
    );
  return { caller, asksNobody };
}

/** @throws PatchbayError the problem of a call that ended with one, with its trace in the details */
function answerOf({ output, trace }: ToolCallEnd) {
  if (trace.problem) {
    const { problem } = trace;
    throw fromProblem({ ...problem, details: { ...problem.details, trace } });
  }
  return { content: output.content, details: output.details, trace };
}

type ToldCall =
  | { type: "progress"; text: string }
  | { type: "approval"; approval: Approval }
  | ({ type: "done" } & ReturnType<typeof answerOf>);

/** What a work tells as it comes, to its end. It is stopped when nobody reads on. */
async function* told<T>(
  work: (signal: AbortSignal, tell: (event: T) => void) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const feed = new EventFeed<T>();
  const events = feed.read();
  const left = new AbortController();
  const done = work(AbortSignal.any([signal, left.signal]), (event) => feed.push(event));
  done.catch(() => {}).finally(() => feed.end());
  try {
    yield* events;
    await done;
  } finally {
    left.abort();
    await done.catch(() => {});
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
  commands: Pick<Agents["commands"], "list" | "run" | "wake">;
  sessions: Pick<Agents["sessions"], "open">;
}

export function commandProcedures({ commands, sessions, views, ready }: CommandNeeds) {
  const area = procedures.commands;
  return {
    list: area.list.handler(async ({ input: { agentId, wait } }) => {
      views.agentById(agentId);
      await ready(agentId);
      // Those that start at their first use say only then which prompts they have; they come into the list later.
      const woken = commands.wake(agentId);
      if (wait) await woken;
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

export interface ResourceNeeds extends ListenerNeeds {
  resources: Pick<Agents["resources"], "find" | "suggest">;
}

export function resourceProcedures({ resources, views, ready }: ResourceNeeds) {
  const area = procedures.resources;
  return {
    find: area.find.handler(async ({ input: { agentId, ...wanted }, signal = never }) => {
      views.agentById(agentId);
      await ready(agentId);
      return resources.find(agentId, wanted, signal);
    }),
    suggest: area.suggest.handler(async ({ input: { agentId, ...asked }, signal = never }) => {
      views.agentById(agentId);
      return resources.suggest(agentId, asked, signal);
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
