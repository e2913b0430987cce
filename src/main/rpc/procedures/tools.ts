import { fromProblem } from "../../../contract/index.ts";
import { procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

const owner = { kind: "owner" } as const;
/** Stands for a conversation where a tool is used outside of one. */
const noSession = "direct";

export function toolProcedures({ work, ready }: Needs<"work" | "ready">) {
  const area = procedures.tools;
  return {
    list: area.list.handler(async ({ input: { agentId } }) => {
      await ready(agentId);
      return work.tools.list(agentId);
    }),
    call: area.call.handler(async ({ input: { agentId, name, input, sessionId, yes }, signal }) => {
      await ready(agentId);
      const { output, trace } = await work.tools.call({
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

export function hookProcedures({ work, views, ready }: Needs<"work" | "views" | "ready">) {
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

export function commandProcedures({ work, views, ready }: Needs<"work" | "views" | "ready">) {
  const area = procedures.commands;
  return {
    list: area.list.handler(async ({ input: { agentId } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return work.commands.list(agentId);
    }),
    run: area.run.handler(async ({ input: { agentId, text, sessionId }, signal }) => {
      views.agentById(agentId);
      await ready(agentId);
      const session = sessionId === undefined ? null : await work.sessions.open(agentId, sessionId);
      const { output } = await work.commands.run(agentId, {
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
