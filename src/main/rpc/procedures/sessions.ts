import type { TurnEvent } from "../../../contract/index.ts";
import type { Agents } from "../../agents/index.ts";
import { searchSessions } from "../../agents/sessions/search.ts";
import type { Removed } from "../../removed/removed.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

const owner = { kind: "owner" } as const;

export interface SessionNeeds {
  work: Pick<Agents, "createSession" | "closeSession" | "prompt" | "retry" | "abort" | "moves">;
  sessions: Pick<Agents["sessions"], "list" | "open" | "spoken" | "rename">;
  removed: Pick<Removed, "removeSession">;
  views: Pick<Views, "agentById">;
  /** Resolves when the agent's plugins with hooks, commands or channels have started or failed to. */
  ready(agentId: string): Promise<void>;
}

export function sessionProcedures({ work, sessions, removed, views, ready }: SessionNeeds) {
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
    search: area.search.handler(({ input: { agentId, words } }) => {
      views.agentById(agentId);
      return searchSessions(sessions, agentId, words);
    }),
    rename: area.rename.handler(({ input: { agentId, sessionId, title } }) => {
      views.agentById(agentId);
      return sessions.rename(agentId, sessionId, title);
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
    remove: area.remove.handler(async ({ input: { agentId, sessionId } }) => {
      views.agentById(agentId);
      await removed.removeSession(agentId, sessionId);
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
    retry: area.retry.handler(async ({ input: { agentId, sessionId } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return work.retry(agentId, { sessionId, caller: owner });
    }),
    fork: area.fork.handler(async ({ input: { agentId, sessionId, entryId, at } }) => {
      views.agentById(agentId);
      const session = await sessions.open(agentId, sessionId);
      return { restore: await session.serial(() => work.moves.fork(session, entryId, at, null)) };
    }),
    label: area.label.handler(async ({ input: { agentId, sessionId, entryId, label } }) => {
      views.agentById(agentId);
      const session = await sessions.open(agentId, sessionId);
      await session.serial(() => work.moves.label(session, entryId, label, null));
      return done;
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
