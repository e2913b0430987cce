import { randomUUID } from "node:crypto";
import {
  type Agent,
  type Caller,
  fromProblem,
  PatchbayError,
  type TurnEvent,
} from "../../../contract/index.ts";
import type { ChannelPrompt } from "../../runtimes/runtime.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { Commands } from "../commands.ts";
import type { AgentDirectory, AgentPool, SecretLookup } from "../ports.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { ToolPipeline } from "../tools/pipeline.ts";
import { runTurn, type TurnEnd } from "./turn.ts";

export interface PromptInput {
  text: string;
  /** Absent: a new session. */
  sessionId?: string;
  caller: Caller;
}

/** Runs turns: one after the other within a session, side by side across sessions. */
export class Turns {
  private readonly options: {
    agents: AgentDirectory;
    pool: AgentPool;
    sessions: Sessions;
    pipeline: ToolPipeline;
    commands: Commands;
    secrets: SecretLookup;
    busOf(agentId: string): EventBus;
    /** Resolves when the agent is active. */
    activate(agentId: string): Promise<void>;
  };
  private closing = false;

  constructor(options: Turns["options"]) {
    this.options = options;
  }

  /**
   * Runs a turn, or a slash command, and streams it; the last event is `turn_ended` or `command`. It runs to its end
   * whether or not anybody reads the events.
   * @throws PatchbayError AGENT_NOT_FOUND, SESSION_NOT_FOUND, BAD_INPUT, SHUTTING_DOWN with the first read
   */
  async *prompt(agentId: string, input: PromptInput): AsyncGenerator<TurnEvent, void> {
    const agent = this.agent(agentId);
    if (input.text.startsWith("/")) {
      yield* this.command(agent, input);
      return;
    }
    const session = await this.sessionFor(agent, input);
    const turnId = randomUUID();
    const events = session.feed.read();
    void this.run(agent, session, { turnId, text: input.text, caller: input.caller }).catch(() =>
      events.return?.(),
    );
    for await (const event of events) {
      if (!("turnId" in event) || event.turnId !== turnId) continue;
      yield event;
      if (event.type === "turn_ended") return;
    }
  }

  /** Stops what runs in a session and what waits in it. Resolves when it has ended. */
  async abort(agentId: string, sessionId: string): Promise<void> {
    const session = await this.options.sessions.open(agentId, sessionId);
    await session.abort();
  }

  /**
   * Runs a turn for a message from outside: one conversation of the platform is one session of the agent.
   * @throws PatchbayError with the reason when the turn fails
   */
  async promptFromChannel(
    agentId: string,
    pluginKey: string,
    input: ChannelPrompt,
  ): Promise<{ sessionId: string; text: string }> {
    const agent = this.agent(agentId);
    const { sessions, commands } = this.options;
    await this.options.activate(agentId);
    const session = await sessions.forConversation(agentId, pluginKey, input.conversation);
    const { userId, role } = input;
    const caller: Caller = { kind: "channel", channel: pluginKey, userId, ...(role && { role }) };
    const sessionId = session.id;
    const bus = this.options.busOf(agentId);
    const scope = { sessionId, caller, signal: input.signal };
    const base = { agentId, sessionId, channel: pluginKey };
    const received = { ...base, text: input.text, metadata: { userId, conversation: input.conversation } };
    const incoming = await bus.transform("channel.message.in@v1", received, scope);
    if (incoming.droppedBy !== null) return { sessionId, text: "" };
    const { text } = incoming.payload;
    let answer: string;
    if (text.startsWith("/")) {
      answer = (await commands.run(agentId, { text, session, caller, signal: input.signal })).output;
    } else {
      answer = await this.answerChannel(agent, session, text, caller, input);
    }
    const outgoing = await bus.transform("channel.message.out@v1", { ...base, text: answer }, scope);
    return { sessionId, text: outgoing.payload.text };
  }

  /** Nothing new is started from now on. */
  stop(): void {
    this.closing = true;
  }

  private async answerChannel(
    agent: Agent,
    session: LiveSession,
    text: string,
    caller: Caller,
    input: ChannelPrompt,
  ): Promise<string> {
    const turnId = randomUUID();
    const stop = new AbortController();
    const listening = input.onDelta && this.forwardDeltas(session, turnId, input.onDelta, stop.signal);
    try {
      const end = await this.run(agent, session, { turnId, text, caller }, input.signal);
      if (end.problem) throw fromProblem(end.problem);
      return end.text;
    } finally {
      stop.abort();
      await listening;
    }
  }

  private async forwardDeltas(
    session: LiveSession,
    turnId: string,
    onDelta: (text: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const event of session.feed.read(signal)) {
      if (event.type === "text_delta" && event.turnId === turnId) onDelta(event.text);
    }
  }

  private run(
    agent: Agent,
    session: LiveSession,
    turn: { turnId: string; text: string; caller: Caller },
    signal?: AbortSignal,
  ): Promise<TurnEnd> {
    const { pool, pipeline, secrets, busOf } = this.options;
    return session.serial(
      (stopped) =>
        runTurn(
          { pool, pipeline, secrets, bus: busOf(agent.id) },
          // The agent may have been changed while the turn waited for the ones before it.
          { agent: this.options.agents.get(agent.id) ?? agent, session, signal: stopped, ...turn },
        ),
      signal,
    );
  }

  private async *command(agent: Agent, input: PromptInput): AsyncGenerator<TurnEvent, void> {
    const { sessions, commands } = this.options;
    await this.options.activate(agent.id);
    const session = input.sessionId === undefined ? null : await sessions.open(agent.id, input.sessionId);
    const signal = new AbortController().signal;
    const id = randomUUID();
    const { text, caller } = input;
    const { output, cleared } = await commands.run(agent.id, { text, session, caller, signal, id });
    if (cleared && session) yield { type: "session_cleared", sessionId: session.id };
    yield { type: "command", id, text, output };
  }

  private async sessionFor(agent: Agent, input: PromptInput): Promise<LiveSession> {
    const { sessions } = this.options;
    await this.options.activate(agent.id);
    if (input.sessionId === undefined) return sessions.create(agent.id);
    const session = await sessions.open(agent.id, input.sessionId);
    if (session.view.status === "closed") {
      throw new PatchbayError("BAD_INPUT", "That conversation is closed.", { help: "Start a new one." });
    }
    return session;
  }

  private agent(agentId: string): Agent {
    if (this.closing) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
    const agent = this.options.agents.get(agentId);
    if (!agent) throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${agentId}.`);
    return agent;
  }
}
