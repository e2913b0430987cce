import type { AgentEvent, AgentMessage, StreamFn } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, Message } from "@earendil-works/pi-ai";
import { PatchbayError, type Problem, type RecordFact, toProblem } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { HookScope } from "../bus/hook-scope.ts";
import { emptyAnswer } from "../models/exchange/model-failure.ts";
import type { ReadyModel } from "../models/index.ts";
import type { PauseDesk } from "../pause/desk.ts";
import type { SecretLookup } from "../ports.ts";
import { answerOf, askedOf } from "../record/exchange.ts";
import type { Span } from "../record/recorder.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { ToolPipeline } from "../tools/pipeline.ts";
import { askOptions, heardBy } from "./asking.ts";
import { GoingOn } from "./going-on.ts";
import { givenAnswer, pauseBeforeModel } from "./model-pause.ts";
import type { RunInput } from "./run-input.ts";
import { RunTools } from "./run-tools.ts";
import { StreamedAnswer } from "./stream/streamed-answer.ts";
import { callsOf, fromNeutral, replaceText, textOf, toNeutral } from "./transcript.ts";

/** Tool calls that may fail one after the other before the turn is ended. */
const FAILURES_IN_A_ROW = 15;

/**
 * One run of the agent loop for a turn: asks the model, runs the tools it calls through the pipeline, one after the
 * other, and stores and streams what happens, until the model is done.
 */
export class AgentRun {
  private readonly input: RunInput;
  private model: ReadyModel;
  private modelName: string;
  /** What the model has been told and has said; the loop adds to it. */
  private readonly messages: Message[];
  private readonly session: LiveSession;
  private readonly bus: EventBus;
  private readonly pauses: PauseDesk;
  private readonly scope: HookScope;
  private readonly streamed: StreamedAnswer;
  private readonly tools: RunTools;
  private readonly goingOn: GoingOn;
  private calls = 0;
  private call: Span;
  /** The person says this answer in the model's place. */
  private isGiven = false;
  private problem: Problem | null = null;
  private lastText = "";

  constructor(
    input: RunInput,
    services: {
      model: ReadyModel;
      session: LiveSession;
      bus: EventBus;
      pipeline: ToolPipeline;
      secrets: SecretLookup;
      clock: Clock;
      pauses: PauseDesk;
      /** Makes a place for what is not kept. */
      outside(): Span;
    },
  ) {
    this.input = input;
    this.model = services.model;
    this.modelName = input.modelName;
    this.messages = [...input.history, ...input.begun];
    this.session = services.session;
    this.bus = services.bus;
    this.pauses = services.pauses;
    this.tools = new RunTools(input, services.session, services.pipeline);
    this.scope = {
      sessionId: this.session.id,
      caller: input.caller,
      signal: input.signal,
      span: input.turn,
      effects: input.effects,
    };
    this.goingOn = new GoingOn(input, {
      session: services.session,
      isAtLimit: () => this.isAtLimit,
      changeModel: ({ model, modelName }) => {
        this.model = model;
        this.modelName = modelName;
      },
    });
    this.call = input.turn;
    this.streamed = new StreamedAnswer(input.turn, {
      secrets: services.secrets,
      clock: services.clock,
      hasListeners: () => this.bus.hooksOf("message.delta@v1").length > 0,
      // Pieces of an answer are not recorded, so what hooks do with them is not either.
      tell: (messageId, text) => {
        const scope = { ...this.scope, span: services.outside() };
        return this.bus.emit("message.delta@v1", { ...this.ids, messageId, text }, scope);
      },
    });
  }

  /** Resolves with the last thing the model said, and why it ended badly, if it did. */
  async run(): Promise<{ text: string; problem: Problem | null }> {
    const { runAgentLoopContinue } = await import("@earendil-works/pi-agent-core");
    const { executors } = this.tools;
    const timestamp = this.input.turn.recorder.lastAt;
    const system: Message = {
      role: "system",
      content: this.input.systemPrompt,
      toolsAdded: executors.map(({ name, description, parameters }) => ({ name, description, parameters })),
      timestamp,
    };
    this.messages.unshift(system);
    try {
      await runAgentLoopContinue(
        { messages: this.messages, tools: executors },
        {
          model: this.model.model,
          sessionId: this.session.id,
          toolExecution: "sequential",
          convertToLlm: (messages) => messages.filter(isSpoken),
          afterToolCall: async ({ toolCall }) => ({
            isError: this.tools.outcomeOf(toolCall.id) !== "executed",
          }),
          getSteeringMessages: () => this.goingOn.steers(),
          getFollowUpMessages: () => this.goingOn.followUps(),
          prepareNextTurn: () => this.prepareNext(),
          finishTurn: ({ toolResults }) => this.finishStep(toolResults.length > 0),
        },
        (event) => this.onEvent(event),
        this.input.signal,
        this.ask,
      );
    } finally {
      await this.streamed.told();
    }
    return { text: this.lastText, problem: this.problem };
  }

  private get ids() {
    return { agentId: this.input.agent.id, sessionId: this.session.id, turnId: this.input.turnId };
  }

  /** One model call: hooks first, then the tools as they really are, then the provider. */
  private readonly ask: StreamFn = async (_model, context, given) => {
    const messages = context.messages.map((message) => this.tools.withRealSchemas(message));
    this.call = this.input.turn.child();
    this.streamed.asked(this.call);
    let spoken = await this.prepare(messages);
    const { effects } = this.input;
    // What the hooks on this very call asked for: it is the next one.
    const steers = await this.goingOn.steers();
    this.messages.push(...steers);
    if (steers.length > 0) spoken = [...spoken, ...steers];
    if (this.pauses.armed) {
      const { agent, caller, signal } = this.input;
      const place = { agentId: agent.id, sessionId: this.session.id, caller, signal, span: this.call };
      const next = await pauseBeforeModel(this.pauses, { ...place, model: this.modelName, messages: spoken });
      this.isGiven = "given" in next;
      if ("given" in next) return givenAnswer(next.given, this.call.recorder.lastAt);
      spoken = next;
    }
    const options = askOptions(given, effects, this.input.agent);
    const { model } = this.model;
    this.calls += 1;
    this.call.record(askedOf(this.calls, model, spoken, this.tools.count, options));
    return this.model.stream(model, { ...context, messages: spoken }, options, heardBy(this.call));
  };

  private async prepare(messages: Message[]): Promise<Message[]> {
    if (!this.bus.has("model.before@v1")) return messages;
    const before = toNeutral(messages);
    const { payload, isChanged } = await this.bus.transform(
      "model.before@v1",
      { ...this.ids, model: this.modelName, messages: before },
      { ...this.scope, span: this.call },
    );
    return isChanged ? fromNeutral(payload.messages, messages) : messages;
  }

  private async onEvent(event: AgentEvent): Promise<void> {
    if (event.type === "message_start" && event.message.role === "assistant")
      this.streamed.messageId = this.input.ids.next();
    if (event.type === "message_update") this.streamed.update(event.assistantMessageEvent);
    if (event.type === "message_end" && event.message.role === "assistant") {
      await this.onAnswer(event.message);
    }
    if (event.type === "message_end" && event.message.role === "toolResult")
      await this.tools.noteSkipped(event.message);
  }

  private async onAnswer(message: AssistantMessage): Promise<void> {
    const { signal } = this.input;
    this.streamed.end();
    const bad = message.stopReason === "error" || message.stopReason === "aborted";
    if (bad && !signal.aborted) this.problem ??= this.model.problemOf(message);
    if (this.isEmpty(message)) this.problem ??= emptyAnswer(this.model.model.id);
    this.input.effects.answering();
    if (!this.isGiven) this.call.record(answerOf(message, this.problem));
    if (bad) return this.keepWhatWasSaid(message);
    await this.streamed.told();
    if (!this.isGiven && this.bus.hooksOf("model.after@v1").length > 0) {
      const [neutral] = toNeutral([message]);
      const usage = { input: message.usage.input, output: message.usage.output };
      if (neutral)
        await this.bus.emit(
          "model.after@v1",
          { ...this.ids, message: neutral, usage },
          { ...this.scope, span: this.call },
        );
    }
    let text = textOf(message);
    let changedBy: string[] = [];
    if (text && this.bus.has("message.final@v1")) {
      const payload = { ...this.ids, messageId: this.streamed.messageId, text };
      const final = await this.bus.transform("message.final@v1", payload, { ...this.scope, span: this.call });
      ({ changedBy } = final);
      if (final.isChanged) {
        text = final.payload.text;
        replaceText(message, text);
      }
    }
    const toolCalls = callsOf(message);
    for (const { name } of toolCalls) this.tools.admit(name);
    await this.keep(text, { changedBy, toolCalls, raw: structuredClone(message) });
  }

  /** Stores an answer, and after it what plugins left in the conversation while they heard of it. */
  private async keep(text: string, more: Partial<Extract<RecordFact, { type: "assistant_said" }>> = {}) {
    this.lastText = text || this.lastText;
    const { messageId } = this.streamed;
    this.call.record({ type: "assistant_said", messageId, text, changedBy: [], toolCalls: [], ...more });
    this.input.effects.answered();
    await this.session.settled();
  }

  /** The whole run ended without a word for the person. */
  private isEmpty(message: AssistantMessage): boolean {
    const ended = message.stopReason === "stop" || message.stopReason === "length";
    const said = this.lastText !== "" || textOf(message).trim() !== "";
    return ended && !said && callsOf(message).length === 0;
  }

  /** Stores the text of an answer that was cut off, without tool calls that were not complete. */
  private async keepWhatWasSaid(message: AssistantMessage): Promise<void> {
    const text = textOf(message);
    if (text) await this.keep(text);
    else this.input.effects.answered();
  }

  private get isAtLimit(): boolean {
    return this.calls >= this.input.agent.maxSteps;
  }

  private async prepareNext(): Promise<undefined> {
    this.input.noteOffer();
    this.tools.refresh();
  }

  private finishStep(calledTools: boolean): { action: "end" } | undefined {
    if (this.input.effects.takeStop()) return { action: "end" };
    if (!calledTools || this.input.signal.aborted) return undefined;
    const { maxSteps, name } = this.input.agent;
    if (this.isAtLimit) return this.endForLimit(`${name} used all of its ${maxSteps} model calls`);
    if (this.tools.failuresInARow >= FAILURES_IN_A_ROW) {
      return this.endForLimit(`${FAILURES_IN_A_ROW} tool calls of ${name} failed one after the other`);
    }
    return undefined;
  }

  private endForLimit(why: string): { action: "end" } {
    const message = `The turn was ended: ${why}.`;
    this.problem ??= new PatchbayError("TURN_LIMIT", message).toProblem();
    return { action: "end" };
  }
}

/** The library's loop knows more kinds of messages than a model does. None of those is made here. */
function isSpoken(message: AgentMessage): message is Message {
  return ["system", "user", "assistant", "toolResult"].includes(message.role);
}

/** Any failure of a run as a problem; what is not ours came out of the model's library. */
export function runProblem(error: unknown): Problem {
  return toProblem(error, "MODEL_FAILED");
}
