import type { ChannelMessage } from "@patchbay/plugin-sdk";
import { type ChannelTraffic, type Session, withAttachments } from "../../../contract/index.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { EventBus } from "../bus/event-bus.ts";
import { storeAttachments } from "../files/attachments.ts";
import type { Span } from "../record/recorder.ts";
import type { RecordPlace } from "../record/recording.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Turns } from "../turns/turns.ts";
import type { ChannelRoles } from "./channel-roles.ts";
import { type KnownMessage, KnownMessages } from "./known-messages.ts";
import { callerOf, judgeMessage, takeIn, withSpeaker } from "./message.ts";
import { trafficOf } from "./traffic.ts";

/**
 * For this long after a new conversation was begun, a repeated message is also looked for in the one before it;
 * milliseconds.
 */
const LOOK_BACK = 24 * 60 * 60 * 1_000;

export interface ConversationsOptions {
  sessions: Sessions;
  turns: Pick<Turns, "agent">;
  clock: Clock;
  ids: Ids;
  /** Makes a place for what belongs to no turn. */
  outside(place: RecordPlace): Span;
  busOf(agentId: string): EventBus;
  activate(agentId: string): Promise<void>;
  /** Patchbay's own folder, into which no attachment is put. */
  root: string;
}

/**
 * The sessions of channel conversations: finds and opens them, knows which messages they have, and stores messages that
 * start no turn.
 */
export class Conversations {
  private readonly options: ConversationsOptions;
  private readonly roles: ChannelRoles;
  private readonly known = new KnownMessages();

  constructor(options: ConversationsOptions, roles: ChannelRoles) {
    this.options = options;
    this.roles = roles;
  }

  /** The session that a conversation is in now; made when there is none. What is said of it is kept. */
  async open(
    agentId: string,
    pluginKey: string,
    conversation: string,
    said: { about?: NonNullable<Session["about"]>; group?: boolean } = {},
  ): Promise<LiveSession> {
    this.options.turns.agent(agentId);
    await this.options.activate(agentId);
    const session = await this.options.sessions.forConversation(agentId, pluginKey, conversation);
    const { about: known = {}, source } = session.view;
    const { about = {}, group = source.group ?? false } = said;
    const isNews = Object.entries(about).some(([name, value]) => known[name] !== value);
    if (isNews || group !== (source.group ?? false))
      await session.append({ type: "about", about, group, at: isoTime(this.options.clock) });
    return session;
  }

  /**
   * The session that a message belongs to. The first message that names its room says in which room the conversation is, for
   * good.
   * @throws PatchbayError OTHER_ROOM
   */
  async ofMessage(agentId: string, pluginKey: string, message: ChannelMessage): Promise<LiveSession> {
    const { conversation, room, group = false } = message;
    const session = await this.options.sessions.forConversation(agentId, pluginKey, conversation);
    const { source } = session.view;
    this.roles.sameRoom(agentId, pluginKey, message, source.room);
    if (room !== undefined && room !== source.room)
      await session.append({ type: "about", about: {}, group, room, at: isoTime(this.options.clock) });
    return session;
  }

  /** The session of a conversation, where there is one. */
  async lookUp(agentId: string, pluginKey: string, conversation: string): Promise<LiveSession | undefined> {
    const known = (await this.list(agentId, pluginKey)).find(
      ({ source }) => source.conversation === conversation,
    );
    return known && this.options.sessions.open(agentId, known.id);
  }

  /** The sessions of one channel, the one with the newest message first. */
  async list(agentId: string, pluginKey: string): Promise<Session[]> {
    const all = await this.options.sessions.list(agentId);
    return all.filter(({ source }) => source.kind === "channel" && source.channel === pluginKey);
  }

  /** The open conversations in which nobody but this person has written. */
  async ofOnly(agentId: string, pluginKey: string, userId: string): Promise<string[]> {
    const found: string[] = [];
    for (const { id, source, status } of await this.list(agentId, pluginKey)) {
      if (status === "closed" || source.conversation === undefined) continue;
      const entries = await this.options.sessions.entries(agentId, id);
      const writers = entries.flatMap((entry) =>
        (entry.type === "user" || entry.type === "heard") && entry.caller.kind === "channel"
          ? [entry.caller.userId]
          : [],
      );
      if (writers.length > 0 && writers.every((writer) => writer === userId)) found.push(source.conversation);
    }
    return found;
  }

  /** Counts and times of what went through a channel; `text` adds what was said lately. */
  async traffic(agentId: string, pluginKey: string, limit: number, text: boolean): Promise<ChannelTraffic> {
    const { sessions } = this.options;
    const entriesOf = (id: string) => sessions.entries(agentId, id);
    return trafficOf(await this.list(agentId, pluginKey), limit, text ? entriesOf : null);
  }

  /** What is known of a message, in its conversation or in the one that was closed before it. */
  async find(
    session: LiveSession,
    messageId: string,
  ): Promise<(KnownMessage & { session: LiveSession }) | undefined> {
    const here = this.known.find(session, messageId);
    if (here) return { ...here, session };
    if (this.options.clock.now() - Date.parse(session.view.createdAt) > LOOK_BACK) return undefined;
    const before = await this.options.sessions.previousOf(session);
    const there = before && this.known.find(before, messageId);
    return there && { ...there, session: before };
  }

  /**
   * Stores a message without a turn; it is on disk when this resolves.
   * @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE, AGENT_NOT_FOUND, SHUTTING_DOWN, DISK_FULL, WRITE_FAILED
   */
  async append(agentId: string, pluginKey: string, input: ChannelMessage): Promise<{ sessionId: string }> {
    const message = this.roles.judge(agentId, pluginKey, judgeMessage(input));
    this.roles.letIn(agentId, pluginKey, message, "remember");
    const agent = this.options.turns.agent(agentId);
    const { messageId } = message;
    await this.options.activate(agentId);
    const session = await this.ofMessage(agentId, pluginKey, message);
    if (messageId !== undefined && (await this.find(session, messageId))) return { sessionId: session.id };
    const caller = callerOf(pluginKey, message);
    const span = this.options.outside({ agentId, sessionId: session.id });
    const scope = { sessionId: session.id, caller, signal: new AbortController().signal, span };
    const incoming = await takeIn(this.options.busOf(agentId), message, {
      agentId,
      channel: pluginKey,
      scope,
    });
    if (incoming === null) return { sessionId: session.id };
    const attachments = await storeAttachments(session.files, agent, this.options.root, message.attachments);
    await session.append({
      type: "heard",
      id: this.options.ids.next(),
      text: withAttachments(withSpeaker(incoming, message), attachments),
      caller,
      ...(messageId !== undefined && { messageId }),
      ...(attachments.length > 0 && { attachments }),
      at: isoTime(this.options.clock),
    });
    return { sessionId: session.id };
  }

  /**
   * Stores what the channel's own program has said in a conversation in the agent's name, so that the model knows of it.
   * @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE, AGENT_NOT_FOUND, SHUTTING_DOWN, DISK_FULL, WRITE_FAILED
   */
  async appendInAgentsName(
    agentId: string,
    pluginKey: string,
    input: ChannelMessage,
  ): Promise<{ sessionId: string }> {
    const { text, messageId, conversation } = judgeMessage(input);
    const session = await this.open(agentId, pluginKey, conversation);
    if (messageId !== undefined && (await this.find(session, messageId))) return { sessionId: session.id };
    await session.append({
      type: "sent",
      id: this.options.ids.next(),
      text,
      inAgentsName: true,
      ...(messageId !== undefined && { messageId }),
      at: isoTime(this.options.clock),
    });
    return { sessionId: session.id };
  }

  /** Notes what the owner sent into a conversation. Does nothing when there is no such conversation. */
  async noteSent(agentId: string, pluginKey: string, conversation: string, text: string): Promise<void> {
    const session = await this.lookUp(agentId, pluginKey, conversation);
    await session?.append({
      type: "sent",
      id: this.options.ids.next(),
      text,
      at: isoTime(this.options.clock),
    });
  }
}
