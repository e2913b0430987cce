import type { ChannelMessage } from "@patchbay/plugin-sdk";
import {
  type Agent,
  type Caller,
  type ChannelTraffic,
  fromProblem,
  type Session,
  type StoredAttachment,
  type TurnEvent,
} from "../../../contract/index.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { Slots } from "../../base/slots.ts";
import type {
  ApprovalListener,
  ChannelPrompt,
  ChannelReview,
  ChannelServices,
} from "../../runtimes/runtime.ts";
import type { Approvals } from "../approvals.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { HookScope } from "../bus/hook-scope.ts";
import type { Commands } from "../commands.ts";
import type { AgentDirectory } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import type { RecordPlace } from "../record/recording.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Turns } from "../turns/turns.ts";
import { answerOf } from "./answers.ts";
import { storeAttachments, withAttachments } from "./attachments.ts";
import { ChannelApprovals } from "./channel-approvals.ts";
import { ConversationQueues } from "./conversation-queues.ts";
import { InFlight } from "./in-flight.ts";
import { finalTextOf, type KnownMessage, KnownMessages } from "./known-messages.ts";
import { judgeMessage, withSpeaker } from "./message.ts";
import { SilenceFilter, spoken } from "./silence.ts";
import { trafficOf } from "./traffic.ts";
import type { TurnAnswer } from "./turn-answer.ts";

/** Turns that the channels of one agent may have under way at once; more wait. */
const TURNS_AT_ONCE = 50;
/** How long after a new conversation was begun messages are looked for in the one before it (milliseconds). */
const LOOK_BACK = 24 * 60 * 60 * 1_000;

/** A prompt whose caller in this process also sees what happens in the turn. */
export type WatchedPrompt = ChannelPrompt & { onEvent?: (event: TurnEvent) => void };

/** What was made of a message, before the last hooks. */
interface Made {
  turnId: string | null;
  text: string;
  silent?: boolean;
}

/** Conversations from outside: each message is answered once, in the order of its conversation. */
export class Channels {
  readonly approvals: ChannelApprovals;
  private readonly options: {
    agents: AgentDirectory;
    sessions: Sessions;
    commands: Commands;
    turns: Turns;
    approvals: Approvals;
    clock: Clock;
    ids: Ids;
    /** Makes a place for what belongs to no turn. */
    outside(place: RecordPlace): Span;
    busOf(agentId: string): EventBus;
    activate(agentId: string): Promise<void>;
  };
  private readonly queues = new ConversationQueues();
  private readonly known = new KnownMessages();
  private readonly inFlight = new Map<string, InFlight>();
  private readonly lanes = new Map<string, Slots>();

  constructor(options: Channels["options"]) {
    this.options = options;
    this.approvals = new ChannelApprovals(options);
  }

  /** The services of one channel. */
  of(agentId: string, pluginKey: string): ChannelServices {
    return {
      prompt: async (input) => {
        const { turnId: _turnId, ...answer } = await this.prompt(agentId, pluginKey, input);
        return answer;
      },
      append: (input) => this.append(agentId, pluginKey, input),
      followApprovals: (listener: ApprovalListener) => this.approvals.follow(agentId, pluginKey, listener),
      review: async (input: ChannelReview) => this.approvals.review(agentId, pluginKey, input),
    };
  }

  /**
   * Whether a message would be taken now, for those who do not wait for its answer.
   * @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED
   */
  check(agentId: string, pluginKey: string, message: ChannelMessage): void {
    judgeMessage(message);
    this.queues.checkRoom(JSON.stringify([agentId, pluginKey, message.conversation]));
  }

  /**
   * Answers a message with a turn or a slash command. One that comes again while it is worked on gets the same answer; one
   * that was answered before, the stored one; one whose turn was cut short, the rest of that turn.
   * @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED, AGENT_NOT_FOUND, SHUTTING_DOWN, and why the turn failed
   */
  async prompt(agentId: string, pluginKey: string, input: WatchedPrompt): Promise<TurnAnswer> {
    const message = judgeMessage(input);
    this.options.turns.agent(agentId);
    const { messageId, conversation } = message;
    const place = JSON.stringify([agentId, pluginKey, conversation]);
    const name = JSON.stringify([place, messageId ?? this.options.ids.next()]);
    let work = this.inFlight.get(name);
    if (!work) {
      work = new InFlight(messageId !== undefined, (self, signal) =>
        this.queues
          .run(place, signal, () => this.answer(agentId, pluginKey, message, self, signal))
          .finally(() => this.inFlight.delete(name)),
      );
      this.inFlight.set(name, work);
    }
    const { onDelta, onEvent, signal } = input;
    return work.join({ onDelta, onEvent, signal });
  }

  /**
   * Stores a message without a turn; it is on disk when this resolves.
   * @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE, AGENT_NOT_FOUND, SHUTTING_DOWN, DISK_FULL, WRITE_FAILED
   */
  async append(agentId: string, pluginKey: string, input: ChannelMessage): Promise<{ sessionId: string }> {
    const message = judgeMessage(input);
    const agent = this.options.turns.agent(agentId);
    const { messageId } = message;
    await this.options.activate(agentId);
    const session = await this.options.sessions.forConversation(agentId, pluginKey, message.conversation);
    if (messageId !== undefined && (await this.find(session, messageId))) return { sessionId: session.id };
    const caller = callerOf(pluginKey, message);
    const span = this.options.outside({ agentId, sessionId: session.id });
    const scope = { sessionId: session.id, caller, signal: new AbortController().signal, span };
    const incoming = await this.comeIn(agentId, pluginKey, session, message, scope);
    if (incoming === null) return { sessionId: session.id };
    const attachments = await storeAttachments(session.filesFolder, agent, message.attachments ?? []);
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

  /** Counts and times of what went through a channel; `text` adds what was said lately. */
  async traffic(agentId: string, pluginKey: string, limit: number, text: boolean): Promise<ChannelTraffic> {
    const { sessions } = this.options;
    const entriesOf = (id: string) => sessions.entries(agentId, id);
    return trafficOf(await this.list(agentId, pluginKey), limit, text ? entriesOf : null);
  }

  /** Notes what the owner sent into a conversation; where there is none, nothing is noted. */
  async noteSent(agentId: string, pluginKey: string, conversation: string, text: string): Promise<void> {
    const session = await this.lookUp(agentId, pluginKey, conversation);
    await session?.append({
      type: "sent",
      id: this.options.ids.next(),
      text,
      at: isoTime(this.options.clock),
    });
  }

  /** Ends a conversation when what waits in it is done; the next message begins a new one. */
  async end(agentId: string, pluginKey: string, conversation: string): Promise<void> {
    const place = JSON.stringify([agentId, pluginKey, conversation]);
    await this.queues.run(place, new AbortController().signal, async () => {
      const session = await this.lookUp(agentId, pluginKey, conversation);
      if (session) await this.options.sessions.endNow(session);
    });
  }

  private async answer(
    agentId: string,
    pluginKey: string,
    message: ChannelMessage,
    work: InFlight,
    signal: AbortSignal,
  ): Promise<TurnAnswer> {
    const { sessions, activate, turns } = this.options;
    await activate(agentId);
    const session = await sessions.forConversation(agentId, pluginKey, message.conversation);
    const known = message.messageId === undefined ? undefined : await this.find(session, message.messageId);
    if (known?.state === "answered") return answerOf(known.session, known);
    const agent = turns.agent(agentId);
    const caller = callerOf(pluginKey, message);
    const span = this.options.outside({ agentId, sessionId: session.id });
    const scope: HookScope = { sessionId: session.id, caller, signal, span };
    const made =
      known?.state === "begun" && known.session === session
        ? await this.finish(agent, session, caller, message, known, work, signal)
        : await this.make(agent, session, caller, message, work, scope);
    const said = made.silent ? { text: "", silent: true } : spoken(made.text);
    if (!said.silent) {
      const base = { agentId, sessionId: session.id, channel: pluginKey, text: said.text };
      const { payload } = await this.options.busOf(agentId).transform("channel.message.out@v1", base, scope);
      said.text = payload.text;
      said.silent = payload.text.trim() === "";
    }
    // A command may have closed the conversation and begun the next one.
    const last = await sessions.forConversation(agentId, pluginKey, message.conversation);
    const { messageId } = message;
    await last.append({
      type: "answer",
      id: this.options.ids.next(),
      ...(messageId !== undefined && { messageId }),
      turnId: made.turnId,
      ...said,
      at: isoTime(this.options.clock),
    });
    return answerOf(last, { ...said, turnId: made.turnId });
  }

  private async make(
    agent: Agent,
    session: LiveSession,
    caller: Caller & { kind: "channel" },
    message: ChannelMessage,
    work: InFlight,
    scope: HookScope,
  ): Promise<Made> {
    const text = await this.comeIn(agent.id, caller.channel, session, message, scope);
    if (text === null) return { turnId: null, text: "", silent: true };
    if (text.startsWith("/")) {
      const { signal } = scope;
      const { output } = await this.options.commands.run(agent.id, { text, session, caller, signal });
      return { turnId: null, text: output };
    }
    const attachments = await storeAttachments(session.filesFolder, agent, message.attachments ?? []);
    const stored = withAttachments(withSpeaker(text, message), attachments);
    const turnId = this.options.ids.next();
    const turn = { turnId, text: stored, attachments };
    return this.runTurn(agent, session, caller, message, turn, work, scope.signal);
  }

  /** The rest of a turn that was cut short; what it said to its end already is its answer. */
  private async finish(
    agent: Agent,
    session: LiveSession,
    caller: Caller & { kind: "channel" },
    message: ChannelMessage,
    known: Extract<KnownMessage, { state: "begun" }>,
    work: InFlight,
    signal: AbortSignal,
  ): Promise<Made> {
    const { turnId, text } = known;
    const final = finalTextOf(session.entries, turnId);
    if (final !== null) return { turnId, text: final };
    const turn = { turnId, text, resumes: true };
    return this.runTurn(agent, session, caller, message, turn, work, signal);
  }

  private async runTurn(
    agent: Agent,
    session: LiveSession,
    caller: Caller & { kind: "channel" },
    message: ChannelMessage,
    turn: { turnId: string; text: string; attachments?: StoredAttachment[]; resumes?: boolean },
    work: InFlight,
    signal: AbortSignal,
  ): Promise<Made> {
    const deltas = new SilenceFilter((text) => work.delta(text));
    const { messageId, group = false } = message;
    const end = await this.lanesOf(agent.id).hold(undefined, () =>
      this.options.turns.run(
        agent,
        session,
        { ...turn, caller, messageId, channel: { name: caller.channel, group } },
        {
          signal,
          onEvent: (event) => {
            if (event.type === "text_delta") deltas.push(event.text);
            work.event(event);
          },
        },
      ),
    );
    if (end.problem) throw fromProblem(end.problem);
    return { turnId: turn.turnId, text: end.text };
  }

  /** The text after the hooks on messages that come in; null when one of them drops it. */
  private async comeIn(
    agentId: string,
    channel: string,
    session: LiveSession,
    message: ChannelMessage,
    scope: HookScope,
  ): Promise<string | null> {
    const { userId, conversation, text } = message;
    const received = { agentId, sessionId: session.id, channel, text, metadata: { userId, conversation } };
    const { payload, droppedBy } = await this.options
      .busOf(agentId)
      .transform("channel.message.in@v1", received, scope);
    return droppedBy === null ? payload.text : null;
  }

  /** What is known of a message, in its conversation or in the one that was closed before it. */
  private async find(
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

  private lanesOf(agentId: string): Slots {
    let lanes = this.lanes.get(agentId);
    if (!lanes) {
      lanes = new Slots(TURNS_AT_ONCE);
      this.lanes.set(agentId, lanes);
    }
    return lanes;
  }
}

function callerOf(channel: string, { userId, role }: ChannelMessage): Caller & { kind: "channel" } {
  return { kind: "channel", channel, userId, ...(role !== undefined && { role }) };
}
