import type { ChannelMessage } from "@patchbay/plugin-sdk";
import { PatchbayError, type TurnEvent } from "../../../contract/index.ts";
import type {
  ApprovalListener,
  ChannelPrompt,
  ChannelReview,
  ChannelServices,
} from "../../runtimes/channel-door.ts";
import type { Approvals } from "../approvals.ts";
import { tellChatsOfQuestions } from "../chat-questions.ts";
import { englishOnly } from "../chat-words.ts";
import type { Dialogs } from "../dialogs.ts";
import type { ChatLanguages } from "../ports.ts";
import type { Sound, SpeechFormat } from "../voice/speech-service.ts";
import type { VoicePlace } from "../voice/voice.ts";
import { Answering, type AnsweringOptions } from "./answering.ts";
import type { TurnAnswer } from "./answers.ts";
import { ChannelApprovals } from "./channel-approvals.ts";
import { type ChannelRights, ChannelRoles } from "./channel-roles.ts";
import { ConversationQueues } from "./conversation-queues.ts";
import { Conversations } from "./conversations.ts";
import { InFlight } from "./in-flight.ts";
import { judgeMessage } from "./message.ts";
import { People, type PeopleStore } from "./people.ts";
import { TestMessages, type TestMessagesOptions } from "./test-messages.ts";

/** A prompt whose caller in this process also sees what happens in the turn. */
export type WatchedPrompt = ChannelPrompt & { onEvent?: (event: TurnEvent) => void };

/** Conversations from outside: each message is answered once, in the order of its conversation. */
export class Channels {
  readonly approvals: ChannelApprovals;
  readonly conversations: Conversations;
  readonly testMessages: TestMessages;
  readonly people: People;
  private readonly options: AnsweringOptions;
  private readonly answering: Answering;
  private readonly languages: ChatLanguages;
  private readonly roles: ChannelRoles;
  private readonly queues = new ConversationQueues();
  private readonly inFlight = new Map<string, InFlight>();

  constructor(
    options: AnsweringOptions &
      TestMessagesOptions & {
        approvals: Approvals;
        dialogs: Pick<Dialogs, "changes">;
        rights?: ChannelRights | undefined;
        people?: PeopleStore | undefined;
        languages?: ChatLanguages | undefined;
      },
  ) {
    this.options = options;
    this.languages = options.languages ?? englishOnly;
    this.roles = new ChannelRoles(options);
    this.people = new People(options, this.roles, (...who) => this.turnOut(...who));
    this.approvals = new ChannelApprovals(options, this.roles);
    this.conversations = new Conversations(options, this.roles);
    this.testMessages = new TestMessages(options, this.conversations);
    tellChatsOfQuestions(options);
    this.answering = new Answering(options, this.conversations, this.roles);
  }

  /** The services of one channel. */
  of(agentId: string, pluginKey: string): ChannelServices {
    return {
      prompt: async (input) => {
        const { turnId: _turnId, ...answer } = await this.prompt(agentId, pluginKey, input);
        return answer;
      },
      append: (input) => this.conversations.append(agentId, pluginKey, input),
      end: (conversation) => this.leave(agentId, pluginKey, conversation),
      followLanguage: (listener) => this.followLanguage(agentId, listener),
      followPeople: (listener) => this.people.follow(agentId, pluginKey, listener),
      introduce: (stranger) => this.people.introduce(agentId, pluginKey, stranger),
      pair: (given) => this.people.pair(agentId, pluginKey, given),
      followApprovals: (listener: ApprovalListener, characters?: number) =>
        this.approvals.follow(agentId, pluginKey, listener, characters),
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
   * Answers a message with a turn or a slash command. A message that comes again while it is being worked on gets the
   * same answer. After that it gets the stored answer. When its turn was cut short, the turn is continued.
   * @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED, AGENT_NOT_FOUND, SHUTTING_DOWN, and why the turn
   * failed
   */
  async prompt(agentId: string, pluginKey: string, input: WatchedPrompt): Promise<TurnAnswer> {
    const message = this.roles.judge(agentId, pluginKey, judgeMessage(input));
    this.roles.letIn(agentId, pluginKey, message, "answer");
    this.options.turns.agent(agentId);
    const { messageId, conversation } = message;
    const place = JSON.stringify([agentId, pluginKey, conversation]);
    const name = JSON.stringify([place, messageId ?? this.options.ids.next()]);
    const whose = JSON.stringify([agentId, pluginKey, message.userId]);
    let work = this.inFlight.get(name);
    if (!work) {
      work = new InFlight({ whose, mayBeLeft: messageId !== undefined }, (self, signal) =>
        this.queues
          .run(place, signal, () => this.answering.answer(agentId, pluginKey, message, self, signal))
          .finally(() => this.inFlight.delete(name)),
      );
      this.inFlight.set(name, work);
    }
    const { onDelta, onEvent, signal } = input;
    return work.join({ onDelta, onEvent, signal });
  }

  /** The role that the person gave somebody at a channel; undefined for anybody else. */
  roleOf(agentId: string, pluginKey: string, userId: string): string | undefined {
    return this.roles.roleOf(agentId, pluginKey, userId);
  }

  /** Whether a service is set. @throws PatchbayError AGENT_NOT_FOUND, VOICE_UNAVAILABLE */
  checkVoice(agentId: string, what: "listen" | "speak"): void {
    const { voice, turns } = this.options;
    voice.check(turns.agent(agentId), what);
  }

  /** What a recording says. @throws PatchbayError AGENT_NOT_FOUND, VOICE_UNAVAILABLE, VOICE_FAILED */
  async transcribe(agentId: string, sound: Sound, place: VoicePlace): Promise<string> {
    const { voice, turns } = this.options;
    return voice.transcribe(turns.agent(agentId), sound, place);
  }

  /** A text as sound. @throws PatchbayError AGENT_NOT_FOUND, VOICE_UNAVAILABLE, VOICE_FAILED, BAD_INPUT */
  async synthesize(
    agentId: string,
    said: { text: string; format: SpeechFormat },
    place: VoicePlace,
  ): Promise<Sound> {
    const { voice, turns } = this.options;
    return voice.synthesize(turns.agent(agentId), said, place);
  }

  /** Ends a conversation whose person is gone: what runs in it is stopped, and what it asked is withdrawn. */
  async leave(agentId: string, pluginKey: string, conversation: string): Promise<void> {
    const session = await this.conversations.lookUp(agentId, pluginKey, conversation);
    if (!session || session.view.status === "closed") return;
    await session.abort();
    await this.end(agentId, pluginKey, conversation);
  }

  /**
   * Stops what runs and waits for somebody who may not write any more, and ends the conversations that were theirs alone:
   * let in again, they begin anew.
   */
  private async turnOut(agentId: string, pluginKey: string, userId: string): Promise<void> {
    const why = `${userId} is no longer among the people whom ${pluginKey} may answer.`;
    const whose = JSON.stringify([agentId, pluginKey, userId]);
    for (const work of this.inFlight.values()) work.refuse(whose, new PatchbayError("NOT_LET_IN", why));
    for (const conversation of await this.conversations.ofOnly(agentId, pluginKey, userId))
      await this.leave(agentId, pluginKey, conversation);
  }

  private followLanguage(agentId: string, listener: (language: string) => void): () => void {
    let last = "";
    const tell = () => {
      const language = this.languages.of(agentId);
      if (language === last) return;
      last = language;
      listener(language);
    };
    tell();
    return this.languages.onChange(tell);
  }

  /** Ends a conversation after the messages that wait in it. The next message begins a new one. */
  async end(agentId: string, pluginKey: string, conversation: string): Promise<void> {
    const place = JSON.stringify([agentId, pluginKey, conversation]);
    await this.queues.run(place, new AbortController().signal, async () => {
      const session = await this.conversations.lookUp(agentId, pluginKey, conversation);
      if (session) await this.options.sessions.endNow(session);
    });
  }
}
