import {
  type Agent,
  type Attached,
  type Caller,
  PatchbayError,
  type TurnEvent,
} from "../../../contract/index.ts";
import { isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { Commands } from "../commands.ts";
import type { Aftermath, PluginTurn } from "../effects/aftermath.ts";
import type { PromptMessage } from "../offered/filled-prompt.ts";
import type { Prompts } from "../offered/prompts.ts";
import type { Resources } from "../offered/resources.ts";
import type { AgentDirectory } from "../ports.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { SessionMoves } from "../sessions/session-tree.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { makeRoom } from "./compact/make-room.ts";
import { breakOff, endedBy, failedTurn } from "./endings.ts";
import { messageOf } from "./message.ts";
import { commandEvents, forward, type Ran } from "./told.ts";
import { runTurn } from "./turn.ts";
import type { TurnEnd, TurnInput, TurnServices } from "./turn-input.ts";

export interface PromptInput {
  text: string;
  /** Absent: a new session. */
  sessionId?: string | undefined;
  /** Files that were handed in, or that came with the message of `instead`. */
  attachments?: readonly Attached[] | undefined;
  /** The turn whose message this one takes the place of. */
  instead?: string | undefined;
  caller: Caller;
}

/** What a turn is told by those who start one; the rest is known here. */
type NewTurn = Omit<TurnInput, "agent" | "session" | "signal"> & {
  /** Id of an entry of the conversation, before which it goes on. */
  before?: string | undefined;
};

export interface RetryInput {
  sessionId: string;
  caller: Caller;
}

/** Runs turns: one after the other within a session, side by side across sessions. */
export class Turns {
  private readonly options: {
    agents: AgentDirectory;
    sessions: Sessions;
    moves: SessionMoves;
    commands: Commands;
    prompts: Pick<Prompts, "isOneOf" | "fill">;
    resources: Pick<Resources, "read">;
    ids: Ids;
    services: Omit<TurnServices, "bus">;
    /** Patchbay's own folder. */
    root: string;
    busOf(agentId: string): EventBus;
    /** Does what plugins asked for in a turn that is not part of it. */
    aftermath: Aftermath;
    /** Resolves when the agent is active. */
    activate(agentId: string): Promise<void>;
  };
  /** Conversations whose last turn is being tried again. */
  private readonly retried = new Set<string>();
  private closing = false;

  constructor(options: Turns["options"]) {
    this.options = options;
  }

  /**
   * Runs a turn, or a slash command, and streams it; the last event is `turn_ended` or `command`: the latter also after the
   * turn of a message that a plugin made a command. It runs to its end
   * whether or not anybody reads the events.
   * @throws PatchbayError AGENT_NOT_FOUND, SESSION_NOT_FOUND, ENTRY_NOT_FOUND, NOT_FOUND, BAD_INPUT, PAYLOAD_TOO_LARGE, DISK_FULL,
   * WRITE_FAILED, SHUTTING_DOWN with the first read
   */
  async *prompt(agentId: string, input: PromptInput): AsyncGenerator<TurnEvent, void> {
    const agent = this.agent(agentId);
    if (await this.isPrompt(agent, input)) {
      yield* this.prompted(agent, input);
      return;
    }
    if (input.text.startsWith("/")) {
      if (input.attachments?.length)
        throw new PatchbayError("BAD_INPUT", "A command takes no files with it.");
      yield* this.command(agent, input);
      return;
    }
    yield* this.sent(agent, await this.sessionFor(agent, input), input);
  }

  /** Whether a message calls a prompt of a plugin. One that is written anew is what it says. */
  private async isPrompt(agent: Agent, { text, instead }: PromptInput): Promise<boolean> {
    if (!text.startsWith("/") || instead !== undefined) return false;
    await this.options.activate(agent.id);
    return this.options.prompts.isOneOf(agent.id, text);
  }

  private async *prompted(agent: Agent, input: PromptInput): AsyncGenerator<TurnEvent, void> {
    const { text, caller, sessionId = "" } = input;
    const fill = (signal: AbortSignal) =>
      this.options.prompts.fill({ agentId: agent.id, text, sessionId, caller, signal });
    const open = sessionId === "" ? null : await this.sessionFor(agent, input);
    const filled = await (open ? open.beside(fill) : fill(new AbortController().signal));
    // A conversation that is begun with a prompt is made when there is something to say in it.
    yield* this.sent(agent, open ?? (await this.sessionFor(agent, input)), { ...input, ...filled });
  }

  private async *sent(
    agent: Agent,
    session: LiveSession,
    input: PromptInput & Partial<PromptMessage>,
  ): AsyncGenerator<TurnEvent, void> {
    if (input.instead !== undefined && !session.isStill)
      throw new PatchbayError("BAD_INPUT", "The agent is at work in this conversation.", {
        help: "Stop it, or wait until it is done.",
      });
    const message = await session.beside((signal) =>
      messageOf(agent, session, { ...this.options, signal }, input),
    );
    yield* this.streamed(agent, session, {
      turnId: this.options.ids.next(),
      caller: input.caller,
      ...message,
    });
  }

  /**
   * Runs the last turn of a conversation once more, from where it failed: its message is not repeated, calls that were made are not made
   * again, and an answer that was cut off is asked for anew. Only in conversations of the owner: in a channel's the turn would get the
   * owner's rights for somebody else's message, and the answer would not get there. Streams it as {@link prompt} does.
   * @throws PatchbayError AGENT_NOT_FOUND, SESSION_NOT_FOUND, NOTHING_TO_RETRY, SHUTTING_DOWN with the first read
   */
  async *retry(agentId: string, { sessionId, caller }: RetryInput): AsyncGenerator<TurnEvent, void> {
    const agent = this.agent(agentId);
    const session = await this.sessionFor(agent, { sessionId, caller });
    const failed = session.view.source.kind === "owner" ? failedTurn(session.path) : undefined;
    if (!failed || this.retried.has(session.id) || !session.isStill)
      throw new PatchbayError(
        "NOTHING_TO_RETRY",
        "The last message of the conversation is not to be tried again.",
      );
    this.retried.add(session.id);
    try {
      yield* this.streamed(agent, session, { ...failed, caller, resumes: true });
    } finally {
      this.retried.delete(session.id);
    }
  }

  private async *streamed(
    agent: Agent,
    session: LiveSession,
    turn: NewTurn,
  ): AsyncGenerator<TurnEvent, void> {
    const { turnId } = turn;
    const events = session.feed.read();
    const running = this.run(agent, session, turn);
    running.catch(() => events.return?.());
    let isCommand = false;
    for await (const event of events) {
      if (!("turnId" in event) || event.turnId !== turnId) continue;
      yield event;
      if (event.type === "turn_started") isCommand = event.aside?.kind === "command";
      if (event.type !== "turn_ended") continue;
      const { ran } = isCommand ? await running : {};
      if (ran) yield* commandEvents(ran, session);
      return;
    }
    // The session was closed before the turn could report its end.
    yield endedBy(turnId, new PatchbayError("SHUTTING_DOWN", "The conversation was closed."));
  }

  /** Stops what runs in a session and what waits in it. Resolves when it has ended. */
  async abort(agentId: string, sessionId: string): Promise<void> {
    const session = await this.options.sessions.open(agentId, sessionId);
    await session.abort();
  }

  /** Nothing new is started from now on. */
  stop(): void {
    this.closing = true;
  }

  /**
   * Runs one turn when those before it in its session are done; after it, the command that plugins made of its message.
   * Resolves whatever the outcome. @throws PatchbayError COMMAND_FAILED of that command
   */
  async run(
    agent: Agent,
    session: LiveSession,
    { before, ...turn }: NewTurn,
    { signal, onEvent }: { signal?: AbortSignal; onEvent?: (event: TurnEvent) => void } = {},
  ): Promise<TurnEnd & { ran?: Ran }> {
    const { services, busOf, aftermath, moves } = this.options;
    if (turn.by === undefined) aftermath.personWrote(session);
    const stop = new AbortController();
    const listening = onEvent && forward(session, turn.turnId, onEvent, stop.signal);
    try {
      const end: TurnEnd & { ran?: Ran } = await session.serial(async (stopped) => {
        let ended: TurnEnd;
        try {
          if (before !== undefined) await moves.goBefore(session, before);
          // The agent may have been changed while the turn waited for the ones before it.
          const now = this.options.agents.get(agent.id) ?? agent;
          const own = { ...services, bus: busOf(agent.id) };
          if (!turn.resumes)
            await makeRoom(own, this.options.ids, { agent: now, session }, { ...turn, signal: stopped });
          ended = await runTurn(own, {
            agent: now,
            session,
            signal: stopped,
            ...turn,
            ...comingFrom(turn, session),
          });
        } catch (error) {
          return breakOff(session, turn.turnId, error, isoTime(services.clock));
        }
        if (ended.after) await aftermath.finish(session, ended.after, turn);
        if (ended.command === undefined) return ended;
        return this.commandOf(agent, session, { ...turn, text: ended.command, signal: stopped }, ended);
      }, signal);
      await listening;
      return end;
    } finally {
      stop.abort();
    }
  }

  /** Runs a turn whose message is a plugin's. @throws PatchbayError AGENT_NOT_FOUND, SHUTTING_DOWN */
  async runOf(session: LiveSession, turn: PluginTurn): Promise<void> {
    const agent = this.agent(session.agentId);
    await this.run(agent, session, { turnId: this.options.ids.next(), ...turn });
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, SHUTTING_DOWN */
  agent(agentId: string): Agent {
    if (this.closing) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
    const agent = this.options.agents.get(agentId);
    if (!agent) throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${agentId}.`);
    return agent;
  }

  private async commandOf(
    agent: Agent,
    session: LiveSession,
    { text, caller, signal }: Pick<TurnInput, "text" | "caller" | "signal">,
    end: TurnEnd,
  ): Promise<TurnEnd & { ran: Ran }> {
    const id = this.options.ids.next();
    const ran = await this.options.commands.runWithin(agent.id, { text, session, caller, signal, id });
    return { ...end, text: ran.output, ran: { id, text, ...ran } };
  }

  private async *command(agent: Agent, input: PromptInput): AsyncGenerator<TurnEvent, void> {
    const { sessions, commands } = this.options;
    await this.options.activate(agent.id);
    const session = input.sessionId === undefined ? null : await sessions.open(agent.id, input.sessionId);
    const signal = new AbortController().signal;
    const id = this.options.ids.next();
    const { text, caller } = input;
    const ran = await commands.run(agent.id, { text, session, caller, signal, id });
    yield* commandEvents({ id, text, ...ran }, session);
  }

  private async sessionFor(agent: Agent, input: Omit<PromptInput, "text">): Promise<LiveSession> {
    const { sessions } = this.options;
    await this.options.activate(agent.id);
    if (input.sessionId === undefined) return sessions.create(agent.id);
    const session = await sessions.open(agent.id, input.sessionId);
    if (session.view.status === "closed") {
      throw new PatchbayError("BAD_INPUT", "That conversation is closed.", { help: "Start a new one." });
    }
    return session;
  }
}

/** Where a turn comes from: of the first one of a conversation that was begun from another, that one. */
function comingFrom({ from }: Pick<TurnInput, "from">, { entries }: LiveSession): Pick<TurnInput, "from"> {
  const [head] = entries;
  if (from || head?.type !== "session" || head.parent === undefined) return { from };
  const isFirst = !entries.some(({ type }) => type === "user");
  return isFirst ? { from: { sessionId: head.parent, turnId: null } } : {};
}
