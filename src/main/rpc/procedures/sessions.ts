import { PatchbayError, type TurnEvent } from "../../../contract/index.ts";
import { exportedSession } from "../../agents/files/exported-session.ts";
import type { IncomingFiles } from "../../agents/files/incoming-files.ts";
import { fetchPicture } from "../../agents/files/remote-picture.ts";
import { fileOf } from "../../agents/files/session-file.ts";
import type { Agents } from "../../agents/index.ts";
import type { SecretLookup } from "../../agents/ports.ts";
import { searchSessions } from "../../agents/sessions/search.ts";
import { versionsOf } from "../../agents/sessions/versions.ts";
import type { Removed } from "../../removed/removed.ts";
import { saveNew } from "../../store/index.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

const owner = { kind: "owner" } as const;

export interface SessionNeeds {
  work: Pick<Agents, "createSession" | "closeSession" | "prompt" | "retry" | "abort" | "moves">;
  sessions: Pick<Agents["sessions"], "list" | "open" | "spoken" | "rename">;
  removed: Pick<Removed, "removeSession">;
  views: Pick<Views, "agentById">;
  /** Files of messages that are not sent yet. */
  incoming: Pick<IncomingFiles, "take">;
  /** What is taken out of exported conversations. */
  secrets: Pick<SecretLookup, "redact" | "hasNone">;
  /** The person's downloads folder; undefined where the core runs without a desktop. */
  downloads: string | undefined;
  /** Resolves when the agent's plugins with hooks, commands or channels have started or failed to. */
  ready(agentId: string): Promise<void>;
}

export function sessionProcedures(needs: SessionNeeds) {
  const { work, sessions, removed, views, incoming, secrets, downloads, ready } = needs;
  const area = procedures.sessions;
  const opened = ({ agentId, sessionId }: { agentId: string; sessionId: string }) => {
    views.agentById(agentId);
    return sessions.open(agentId, sessionId);
  };
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
    pin: area.pin.handler(async ({ input }) => {
      const session = await opened(input);
      await session.pin(input.pinned);
      return session.view;
    }),
    export: area.export.handler(async ({ input }) => {
      const { text, fileName, mimeType } = exportedSession(await opened(input), input.format, secrets);
      return new File([text], fileName, { type: mimeType });
    }),
    save: area.save.handler(async ({ input }) => {
      const { text, fileName } = exportedSession(await opened(input), input.format, secrets);
      if (downloads === undefined)
        throw new PatchbayError("BAD_INPUT", "Without a desktop there is no folder for downloads.");
      return { path: await saveNew(downloads, fileName, text) };
    }),
    attach: area.attach.handler(async ({ input: { piece, ...input } }) =>
      incoming.take(await opened(input), { ...input, piece: new Uint8Array(await piece.arrayBuffer()) }),
    ),
    file: area.file.handler(async ({ input }) => fileOf(await opened(input), input.file)),
    picture: area.picture.handler(({ input: { agentId, url }, signal }) => {
      views.agentById(agentId);
      return fetchPicture(url, signal);
    }),
    versions: area.versions.handler(async ({ input }) => versionsOf((await opened(input)).tree)),
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
    prompt: area.prompt.handler(async ({ input: { agentId, ...message } }) => {
      views.agentById(agentId);
      await ready(agentId);
      return work.prompt(agentId, { ...message, caller: owner });
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
