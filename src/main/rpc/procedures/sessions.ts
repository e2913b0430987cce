import type { TurnEvent } from "../../../contract/index.ts";
import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

const owner = { kind: "owner" } as const;

export function sessionProcedures({ work, views, ready }: Needs<"work" | "views" | "ready">) {
  const { sessions } = work;
  const area = procedures.sessions;
  return {
    list: area.list.handler(({ input: { agentId } }) => {
      views.agentById(agentId);
      return sessions.list(agentId);
    }),
    create: area.create.handler(async ({ input: { agentId, title } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return work.createSession(agentId, title);
    }),
    entries: area.entries.handler(async ({ input: { agentId, sessionId } }) => {
      views.agentById(agentId);
      const session = await sessions.open(agentId, sessionId);
      return [...session.entries];
    }),
    trace: area.trace.handler(async ({ input: { agentId, sessionId } }) => {
      views.agentById(agentId);
      const session = await sessions.open(agentId, sessionId);
      return session.readTraces();
    }),
    close: area.close.handler(async ({ input: { agentId, sessionId } }) => {
      views.agentById(agentId);
      await work.closeSession(agentId, sessionId);
      return done;
    }),
    watch: area.watch.handler(async ({ input: { agentId, sessionId }, signal }) => {
      views.agentById(agentId);
      const session = await sessions.open(agentId, sessionId);
      return relay(session.feed.read(signal));
    }),
    prompt: area.prompt.handler(async ({ input: { agentId, text, sessionId } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return work.prompt(agentId, { text, sessionId, caller: owner });
    }),
    abort: area.abort.handler(async ({ input: { agentId, sessionId } }) => {
      views.agentById(agentId);
      await work.abort(agentId, sessionId);
      return done;
    }),
  };
}

/**
 * The caller passes events that are subscribed already; a generator would subscribe only at its first `next()` and miss
 * what happens before.
 */
async function* relay(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent, void> {
  yield* events;
}
