import type { ChannelMessage } from "@patchbay/plugin-sdk";
import {
  type Agent,
  type Caller,
  fromProblem,
  PatchbayError,
  withAttachments,
} from "../../../contract/index.ts";
import { isoTime } from "../../base/clock.ts";
import { Slots } from "../../base/slots.ts";
import type { HookScope } from "../bus/hook-scope.ts";
import type { Commands } from "../commands.ts";
import type { EffectSink } from "../effects/effect-sink.ts";
import { keepFile, storeAttachments } from "../files/attachments.ts";
import type { Prompts } from "../offered/prompts.ts";
import type { LiveSession } from "../sessions/session.ts";
import { SilenceFilter, spoken } from "../silence.ts";
import type { TurnInput } from "../turns/turn-input.ts";
import type { Turns } from "../turns/turns.ts";
import type { VoiceNotes } from "../voice/voice.ts";
import { answerOf, type TurnAnswer } from "./answers.ts";
import type { ChannelRoles } from "./channel-roles.ts";
import type { Conversations, ConversationsOptions } from "./conversations.ts";
import type { InFlight } from "./in-flight.ts";
import { finalTextOf, type KnownMessage } from "./known-messages.ts";
import { callerOf, takeIn, withSpeaker } from "./message.ts";

/** Most turns that run at once for the channels of one agent; further ones wait. */
const TURNS_AT_ONCE = 50;

export interface AnsweringOptions extends ConversationsOptions {
  commands: Commands;
  prompts: Pick<Prompts, "isOneOf" | "fill">;
  turns: Turns;
  voice: VoiceNotes;
  /** Takes what is asked for beside answers in a conversation. */
  effectsOf(agentId: string, sessionId: string, caller: Caller): EffectSink | undefined;
}

/** The answer to a message, before the hooks on outgoing messages. */
interface Made {
  turnId: string | null;
  text: string;
  silent?: boolean;
  /** A sentence for whoever wrote, which stands before the text. */
  sorry?: string;
}

/**
 * Leads one message to its answer: hooks on the message, a turn or a slash command, hooks on the answer; then the
 * answer is stored.
 */
export class Answering {
  private readonly options: AnsweringOptions;
  private readonly conversations: Conversations;
  private readonly roles: ChannelRoles;
  private readonly lanes = new Map<string, Slots>();

  constructor(options: AnsweringOptions, conversations: Conversations, roles: ChannelRoles) {
    this.options = options;
    this.conversations = conversations;
    this.roles = roles;
  }

  /** Answers one message; one that was answered before gets the stored answer. @throws PatchbayError why its turn failed */
  async answer(
    agentId: string,
    pluginKey: string,
    message: ChannelMessage,
    work: InFlight,
    signal: AbortSignal,
  ): Promise<TurnAnswer> {
    const { sessions, activate, turns } = this.options;
    await activate(agentId);
    const session = await this.conversations.ofMessage(agentId, pluginKey, message);
    const known =
      message.messageId === undefined ? undefined : await this.conversations.find(session, message.messageId);
    if (known?.state === "answered") return answerOf(known.session, known);
    const agent = turns.agent(agentId);
    const caller = callerOf(pluginKey, message);
    const span = this.options.outside({ agentId, sessionId: session.id });
    const effects = this.options.effectsOf(agentId, session.id, caller);
    const scope: HookScope = { sessionId: session.id, caller, signal, span, effects };
    const made =
      known?.state === "begun" && known.session === session
        ? await this.finish(agent, session, caller, message, known, work, signal)
        : await this.make(agent, session, caller, message, work, scope);
    const said = withSorry(made.silent ? { text: "", silent: true } : spoken(made.text), made.sorry);
    if (!said.silent) {
      const base = { agentId, sessionId: session.id, channel: pluginKey, text: said.text };
      const { payload } = await this.options.busOf(agentId).transform("channel.message.out@v1", base, scope);
      said.text = payload.text;
      said.silent = payload.text.trim() === "";
    }
    // A command may have closed the conversation and begun the next one.
    const last = await sessions.forConversation(agentId, pluginKey, message.conversation);
    const { messageId } = message;
    const place = { channel: pluginKey, signal };
    const sound =
      said.silent || made.turnId === null
        ? null
        : await this.options.voice.speak(agent, said.text, message, place);
    const voice = sound && (await keepFile(last.files, sound.name, sound.mimeType, sound.bytes));
    const answer = { ...said, turnId: made.turnId, ...(voice && { voice }) };
    await last.append({
      type: "answer",
      id: this.options.ids.next(),
      ...(messageId !== undefined && { messageId }),
      ...answer,
      at: isoTime(this.options.clock),
    });
    return answerOf(last, answer);
  }

  private async make(
    agent: Agent,
    session: LiveSession,
    caller: Caller & { kind: "channel" },
    message: ChannelMessage,
    work: InFlight,
    scope: HookScope,
  ): Promise<Made> {
    const place = { channel: caller.channel, signal: scope.signal };
    const heard = await this.options.voice.hear(agent, message, place);
    const read = { ...message, text: heard.text };
    const text = await takeIn(this.options.busOf(agent.id), read, {
      agentId: agent.id,
      channel: caller.channel,
      scope,
    });
    if (text === null) return { turnId: null, text: "", silent: true };
    const { signal } = scope;
    if (await this.options.prompts.isOneOf(agent.id, text))
      return this.prompted(agent, session, caller, message, text, work, signal);
    if (text.startsWith("/")) {
      const { output } = await this.options.commands.run(agent.id, { text, session, caller, signal });
      return { turnId: null, text: output };
    }
    const attachments = await storeAttachments(session.files, agent, this.options.root, message.attachments);
    const stored = withAttachments(withSpeaker(text, message), attachments);
    const turnId = this.options.ids.next();
    const turn = { turnId, text: stored, attachments, ...(heard.sorry !== "" && { sorry: heard.sorry }) };
    return this.runTurn(agent, session, caller, message, turn, work, signal);
  }

  /** A prompt of a plugin by its slash command. What it lacks is said in the chat. */
  private async prompted(
    agent: Agent,
    session: LiveSession,
    caller: Caller & { kind: "channel" },
    message: ChannelMessage,
    line: string,
    work: InFlight,
    signal: AbortSignal,
  ): Promise<Made> {
    const turnId = this.options.ids.next();
    try {
      const request = { agentId: agent.id, text: line, sessionId: session.id, caller, signal };
      const { pictures, text, prompt } = await this.options.prompts.fill(request);
      const attachments = await storeAttachments(session.files, agent, this.options.root, pictures);
      const turn = { turnId, text: withAttachments(text, attachments), attachments, prompt };
      return this.runTurn(agent, session, caller, message, turn, work, signal);
    } catch (error) {
      if (!(error instanceof PatchbayError) || signal.aborted) throw error;
      return { turnId: null, text: [error.message, error.help].filter(Boolean).join(" ") };
    }
  }

  /**
   * Continues a turn that was cut short. When the agent had completed its answer before the cut, that answer is used.
   */
  private async finish(
    agent: Agent,
    session: LiveSession,
    caller: Caller & { kind: "channel" },
    message: ChannelMessage,
    known: Extract<KnownMessage, { state: "begun" }>,
    work: InFlight,
    signal: AbortSignal,
  ): Promise<Made> {
    const { turnId, text, sorry } = known;
    const final = finalTextOf(session.entries, turnId);
    if (final !== null) return { turnId, text: final, ...(sorry !== undefined && { sorry }) };
    const turn = { turnId, text, resumes: true, ...(sorry !== undefined && { sorry }) };
    return this.runTurn(agent, session, caller, message, turn, work, signal);
  }

  private async runTurn(
    agent: Agent,
    session: LiveSession,
    caller: Caller & { kind: "channel" },
    message: ChannelMessage,
    turn: Pick<TurnInput, "turnId" | "text" | "attachments" | "resumes" | "sorry" | "prompt">,
    work: InFlight,
    signal: AbortSignal,
  ): Promise<Made> {
    const { sorry } = turn;
    if (sorry !== undefined) work.delta(`${sorry}\n\n`);
    const deltas = new SilenceFilter((text) => work.delta(text));
    const { messageId, group = false } = message;
    const roomPrompt = this.roles.promptOf(agent.id, caller.channel, message);
    const end = await this.lanesOf(agent.id).hold(undefined, () =>
      this.options.turns.run(
        agent,
        session,
        { ...turn, caller, messageId, channel: { name: caller.channel, group }, roomPrompt },
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
    return { turnId: turn.turnId, text: end.text, ...(sorry !== undefined && { sorry }) };
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

function withSorry<T extends { text: string; silent: boolean }>(said: T, sorry = ""): T {
  if (sorry === "") return said;
  return { ...said, text: said.silent ? sorry : `${sorry}\n\n${said.text}`, silent: false };
}
