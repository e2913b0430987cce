import { fromProblem } from "../../contract/index.ts";
import { procedures } from "./implementer.ts";
import type { Services } from "./services.ts";

const owner = { kind: "owner" } as const;
/** Stands for a conversation where a tool, hook or command is used outside of one. */
const noSession = "direct";

export function toolProcedures({ tools, ready }: Services) {
  const area = procedures.tools;
  return {
    list: area.list.handler(async ({ input }) => {
      await ready(input.agentId);
      return tools.list(input.agentId);
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

export function hookProcedures({ busOf, views, ready }: Services) {
  const area = procedures.hooks;
  return {
    list: area.list.handler(async ({ input: { agentId } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return busOf(agentId).list();
    }),
    fire: area.fire.handler(async ({ input: { agentId, event, input }, signal }) => {
      views.agentById(agentId);
      await ready(agentId);
      const fired = await busOf(agentId).fire(event, input, {
        sessionId: noSession,
        caller: owner,
        signal: signal ?? never,
      });
      return { ...fired, denied: fired.denied || null };
    }),
  };
}

export function commandProcedures({ commands, views, ready }: Services) {
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
      return {
        output: await commands.run(agentId, text, { sessionId, caller: owner, signal: signal ?? never }),
      };
    }),
  };
}

const never = new AbortController().signal;
