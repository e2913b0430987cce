import type { TurnEvent } from "../../contract/index.ts";
import { done, procedures } from "./implementer.ts";
import type { Services } from "./services.ts";

export function sessionProcedures({ sessions, turns, views, ready }: Services) {
  const area = procedures.sessions;
  return {
    list: area.list.handler(({ input: { agentId } }) => {
      views.agentById(agentId);
      return sessions.list(agentId);
    }),
    create: area.create.handler(async ({ input: { agentId, title } }) => {
      views.agentById(agentId);
      return (await sessions.create(agentId, { title })).view;
    }),
    entries: area.entries.handler(async ({ input: { agentId, sessionId } }) => {
      const session = await sessions.open(agentId, sessionId);
      return [...session.entries];
    }),
    trace: area.trace.handler(async ({ input: { agentId, sessionId } }) => {
      const session = await sessions.open(agentId, sessionId);
      return session.readTraces();
    }),
    close: area.close.handler(async ({ input: { agentId, sessionId } }) => {
      await turns.closeSession(agentId, sessionId);
      return done;
    }),
    watch: area.watch.handler(async ({ input: { agentId, sessionId }, signal }) => {
      const session = await sessions.open(agentId, sessionId);
      return relay(session.feed.read(signal));
    }),
    prompt: area.prompt.handler(async ({ input: { agentId, text, sessionId }, signal }) => {
      views.agentById(agentId);
      await ready(agentId);
      return turns.prompt(agentId, { text, sessionId, caller: { kind: "owner" } }, signal);
    }),
    abort: area.abort.handler(async ({ input: { agentId, sessionId } }) => {
      await (await sessions.open(agentId, sessionId)).abort();
      return done;
    }),
  };
}

/** The feed subscribes where this is called, so that nothing is missed before the first event is asked for. */
async function* relay(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent, void> {
  yield* events;
}
