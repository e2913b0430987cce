import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import {
  type Session,
  type SessionEntry,
  sessionEntrySchema,
  type TraceEntry,
} from "../../../contract/index.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Storage } from "../../store/index.ts";
import type { SecretLookup } from "../ports.ts";
import { repairsFor } from "./repair.ts";
import { LiveSession, newSessionId, notFound, nullIfNotFound, sessionIdPattern } from "./session.ts";
import { StoredRecord } from "./stored-record.ts";
import { Summaries, summarise } from "./summary.ts";

/** Sessions that stay in memory although nobody uses them. */
const KEPT_IN_MEMORY = 32;

/** Conversations of channels whose session is found without looking into the folder. */
const KNOWN_CONVERSATIONS = 10_000;

/** The title of a conversation before anything was said. */
export const untitled = "New conversation";

/** Told of conversations that begin and end, before anything else happens in them. */
export interface SessionLifecycle {
  opened(session: LiveSession): Promise<void>;
  closed(session: LiveSession, reason: "user" | "shutdown"): Promise<void>;
}

/** What the conversations need of the store. */
export type SessionStorage = Pick<Storage, "log" | "blobs" | "sessions" | "files">;

/** The conversations of all agents: a log for each, the record of its turns beside it. */
export class Sessions {
  readonly changes = new EventEmitter<{ session: [Session] }>();
  private readonly storage: SessionStorage;
  private readonly clock: Clock;
  private readonly newId: Ids;
  private readonly lifecycle: SessionLifecycle;
  private readonly secrets: SecretLookup;
  private readonly live = new Map<string, Promise<LiveSession>>();
  private readonly summaries: Summaries;
  /** Ids of the sessions that conversations of channels are in now, by agent, channel and conversation. */
  private readonly conversations = new Map<string, string>();
  private finding: Promise<unknown> = Promise.resolve();

  constructor(options: {
    storage: SessionStorage;
    clock: Clock;
    ids: Ids;
    secrets: SecretLookup;
    lifecycle: SessionLifecycle;
  }) {
    this.storage = options.storage;
    this.summaries = new Summaries(options.storage);
    this.clock = options.clock;
    this.newId = options.ids;
    this.secrets = options.secrets;
    this.lifecycle = options.lifecycle;
  }

  /** Newest first. */
  async list(agentId: string): Promise<Session[]> {
    const found = await Promise.all(
      (await this.storage.sessions(agentId)).map(async (id) => {
        const live = await this.live.get(this.name(agentId, id));
        return live ? live.view : this.summaries.read(agentId, id);
      }),
    );
    return found
      .filter((session) => session !== undefined)
      .sort((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1));
  }

  /** What was said in a conversation, read without opening it. */
  async spoken(agentId: string, id: string) {
    const live = await this.live.get(this.name(agentId, id));
    return live ? { entries: live.entries, bytes: 0 } : this.summaries.spoken(agentId, id);
  }

  /** @throws PatchbayError SESSION_NOT_FOUND, DISK_FULL, WRITE_FAILED */
  async rename(agentId: string, id: string, title: string): Promise<Session> {
    const session = await this.open(agentId, id);
    await session.append({ type: "title", title, at: isoTime(this.clock) });
    return session.view;
  }

  /** Makes a session; its first line is on disk when it resolves. @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async create(
    agentId: string,
    options: { title?: string; source?: Session["source"]; id?: string; parent?: string } = {},
  ): Promise<LiveSession> {
    const at = isoTime(this.clock);
    const head: SessionEntry = {
      type: "session",
      id: options.id ?? newSessionId(this.clock, this.newId),
      agentId,
      title: options.title || untitled,
      source: options.source ?? { kind: "owner" },
      ...(options.parent !== undefined && { parent: options.parent }),
      at,
      v: 1,
    };
    const session = this.build(agentId, head.id, summarise([head]), []);
    this.live.set(this.name(agentId, head.id), Promise.resolve(session));
    await session.append(head).catch(async (error: unknown) => {
      this.live.delete(this.name(agentId, head.id));
      await session.dispose();
      throw error;
    });
    this.makeRoom();
    await this.lifecycle.opened(session);
    return session;
  }

  /** @throws PatchbayError SESSION_NOT_FOUND */
  async open(agentId: string, id: string): Promise<LiveSession> {
    if (!sessionIdPattern.test(id)) throw notFound(id);
    const name = this.name(agentId, id);
    let session = this.live.get(name);
    if (!session) {
      session = this.load(agentId, id);
      this.live.set(name, session);
      session.catch(() => this.live.delete(name));
    }
    const open = await session;
    open.lastUsed = this.clock.now();
    this.makeRoom();
    return open;
  }

  /** What was said and done, in order. @throws PatchbayError SESSION_NOT_FOUND */
  async entries(agentId: string, id: string): Promise<SessionEntry[]> {
    return [...(await this.open(agentId, id)).entries];
  }

  /** What happened inside of its turns, in order. @throws PatchbayError SESSION_NOT_FOUND */
  async trace(agentId: string, id: string): Promise<TraceEntry[]> {
    return (await this.open(agentId, id)).readTraces();
  }

  /** Stops what runs in it and ends it for good. @throws PatchbayError SESSION_NOT_FOUND */
  async end(agentId: string, id: string): Promise<void> {
    const session = await this.open(agentId, id);
    await session.abort();
    await this.endNow(session);
  }

  /** Ends it from within its own order of work. */
  async endNow(session: LiveSession): Promise<void> {
    if (session.view.status === "closed") return;
    await session.append({ type: "closed", reason: "user", at: isoTime(this.clock) });
    await this.lifecycle.closed(session, "user");
  }

  /** The session of a channel's conversation: its newest one that is not closed, or a new one. */
  async forConversation(agentId: string, channel: string, conversation: string): Promise<LiveSession> {
    const name = JSON.stringify([agentId, channel, conversation]);
    const known = this.conversations.get(name);
    if (known !== undefined) {
      const session = await this.open(agentId, known).catch(() => null);
      if (session && session.view.status !== "closed") return session;
    }
    const session = await this.findInOrder(agentId, channel, conversation);
    this.conversations.delete(name);
    this.conversations.set(name, session.id);
    if (this.conversations.size > KNOWN_CONVERSATIONS)
      this.conversations.delete(this.conversations.keys().next().value as string);
    return session;
  }

  /** The conversation of a channel that was closed before this one; undefined when there is none. */
  async previousOf(session: LiveSession): Promise<LiveSession | undefined> {
    const [, prefix = "", number = "0"] = /^(c-.*-)(\d+)$/.exec(session.id) ?? [];
    if (Number(number) < 2) return undefined;
    return this.open(session.agentId, `${prefix}${Number(number) - 1}`).catch(() => undefined);
  }

  private findInOrder(agentId: string, channel: string, conversation: string): Promise<LiveSession> {
    // Looked up one after the other: two first messages at the same time must not make two sessions.
    const found = this.finding.then(() => this.findConversation(agentId, channel, conversation));
    this.finding = found.catch(() => undefined);
    return found;
  }

  private async findConversation(
    agentId: string,
    channel: string,
    conversation: string,
  ): Promise<LiveSession> {
    const digest = createHash("sha256").update(conversation).digest("hex").slice(0, 20);
    const prefix = `c-${channel}-${digest}`;
    const known = (await this.storage.sessions(agentId)).filter((id) => id.startsWith(`${prefix}-`));
    const latest = known.map((id) => Number(id.slice(prefix.length + 1))).sort((a, b) => b - a)[0] ?? 0;
    if (latest > 0) {
      const session = await this.open(agentId, `${prefix}-${latest}`).catch(nullIfNotFound);
      // A session whose first line was lost when the app was killed is empty and cannot be continued.
      if (session && session.view.status !== "closed") return session;
    }
    const source = { kind: "channel" as const, channel, conversation };
    const id = `${prefix}-${latest + 1}`;
    return this.create(agentId, { title: conversation, source, id });
  }

  /** Sessions that are in memory now. */
  async opened(agentId?: string): Promise<LiveSession[]> {
    const settled = await Promise.allSettled(this.live.values());
    return settled
      .flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
      .filter((session) => agentId === undefined || session.agentId === agentId);
  }

  /** Stops what runs and closes the files; of one agent, or of all. */
  async close(agentId?: string): Promise<void> {
    await this.letGo(await this.opened(agentId));
  }

  /** The same for one conversation, which is about to be removed. @throws PatchbayError SESSION_NOT_FOUND */
  async release(session: LiveSession): Promise<void> {
    await this.letGo([session]);
  }

  /** Tells of a conversation that was restored. @throws PatchbayError SESSION_NOT_FOUND */
  async cameBack(agentId: string, id: string): Promise<void> {
    this.changes.emit("session", (await this.open(agentId, id)).view);
  }

  private async letGo(open: readonly LiveSession[]): Promise<void> {
    await Promise.all(open.map((session) => session.abort()));
    for (const session of open) {
      if (session.view.status !== "closed") await this.lifecycle.closed(session, "shutdown");
    }
    await Promise.all(open.map((session) => session.dispose()));
    for (const session of open) this.live.delete(this.name(session.agentId, session.id));
  }

  private async load(agentId: string, id: string): Promise<LiveSession> {
    if (!(await this.storage.sessions(agentId)).includes(id)) throw notFound(id);
    const file = this.linesOf(agentId, id);
    const entries = await file.readAll();
    const record = this.recordOf(agentId, id);
    const session = this.build(agentId, id, summarise(entries), entries, file, record);
    const repairs = repairsFor(entries, isoTime(this.clock));
    for (const repair of repairs) await session.append(repair);
    await record.mend(repairs);
    return session;
  }

  private build(
    agentId: string,
    id: string,
    summary: Session | undefined,
    entries: SessionEntry[],
    file = this.linesOf(agentId, id),
    record = this.recordOf(agentId, id),
  ): LiveSession {
    if (!summary) throw notFound(id);
    return new LiveSession({
      session: summary,
      entries,
      file,
      record,
      files: this.storage.files(agentId, id),
      uploads: this.storage.files(agentId, id, "uploads"),
      clock: this.clock,
      secrets: this.secrets,
      changed: (session) => this.changes.emit("session", session),
    });
  }

  private recordOf(agentId: string, sessionId: string): StoredRecord {
    const { storage, clock, secrets } = this;
    return new StoredRecord({ storage, agentId, sessionId, clock, secrets });
  }

  private linesOf(agentId: string, id: string) {
    const place = { kind: "session" as const, agentId, sessionId: id };
    return this.storage.log({ place, schema: sessionEntrySchema });
  }

  private makeRoom(): void {
    if (this.live.size <= KEPT_IN_MEMORY) return;
    void this.opened().then(async (sessions) => {
      const idle = sessions
        .filter((session) => session.idle && this.clock.now() - session.lastUsed > 1_000)
        .sort((left, right) => left.lastUsed - right.lastUsed);
      for (const session of idle.slice(0, sessions.length - KEPT_IN_MEMORY)) {
        this.live.delete(this.name(session.agentId, session.id));
        await session.dispose();
      }
    });
  }

  private name(agentId: string, id: string): string {
    return `${agentId}/${id}`;
  }
}
