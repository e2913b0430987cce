import { fromProblem } from "../../../contract/index.ts";
import type { Agents } from "../../agents/index.ts";
import type { Views } from "../../views/views.ts";
import { procedures } from "../implementer.ts";

const owner = { kind: "owner" } as const;
/** Stands for a conversation where a tool is used outside of one. */
const noSession = "direct";

interface ListenerNeeds {
  views: Pick<Views, "agentById">;
  /** Resolves when the agent's plugins with hooks, commands or channels have started or failed to. */
  ready(agentId: string): Promise<void>;
}

export interface ToolNeeds extends Pick<ListenerNeeds, "ready"> {
  tools: Pick<Agents["tools"], "list" | "call">;
}

export function toolProcedures({ tools, ready }: ToolNeeds) {
  const area = procedures.tools;
  return {
    list: area.list.handler(async ({ input: { agentId } }) => {
      await ready(agentId);
      return tools.list(agentId);
    }),
    call: area.call.handler(async ({ input: { agentId, name, input, sessionId, yes }, signal }) => {
      await ready(agentId);
      const { output, trace } = await tools.call({
        agentId,
        sessionId: sessionId ?? noSession,
        turnId: null,
        tool: name,
        input,
        caller: owner,
        signal: signal ?? never,
        approved: yes,
      });
      if (trace.problem) {
        const { problem } = trace;
        throw fromProblem({ ...problem, details: { ...problem.details, trace } });
      }
      return { content: output.content, details: output.details, trace };
    }),
  };
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

const never = new AbortController().signal;
