import { randomUUID } from "node:crypto";
import type { AgentEvent, AgentMessage, StreamFn } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, AssistantMessageEvent, Message } from "@earendil-works/pi-ai";
import {
  type Agent,
  type Caller,
  type HookTrace,
  PatchbayError,
  type Problem,
  type ToolInfo,
  toProblem,
} from "../../../contract/index.ts";
import type { EventBus, HookScope } from "../bus/event-bus.ts";
import type { ReadyModel } from "../models/index.ts";
import type { SecretLookup } from "../ports.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { ToolPipeline } from "../tools/pipeline.ts";
import { DeltaRedactor } from "./delta-redactor.ts";
import { DeltaThrottle } from "./delta-throttle.ts";
import { RunTools } from "./run-tools.ts";
import { Thoughts } from "./thoughts.ts";
import { callsOf, fromNeutral, replaceText, textOf, toNeutral } from "./transcript.ts";

/** Tool calls that may fail one after the other before the turn is ended. */
const FAILURES_IN_A_ROW = 15;

export interface RunInput {
  turnId: string;
  agent: Agent;
  caller: Caller;
  signal: AbortSignal;
  systemPrompt: string;
  history: Message[];
  /** The message to answer, and what a turn that was cut short had come to. */
  begun: Message[];
  tools: ToolInfo[];
}

/**
 * One run of the agent loop for a turn: asks the model, runs the tools it calls through the pipeline, one after the
 * other, and stores and streams what happens, until the model is done.
 */
export class AgentRun {
  private readonly input: RunInput;
  private readonly model: ReadyModel;
  private readonly session: LiveSession;
  private readonly bus: EventBus;
  private readonly scope: HookScope;
  private readonly deltas: DeltaThrottle;
  private readonly redactor: DeltaRedactor;
  private readonly thoughts: Thoughts;
  private readonly tools: RunTools;
  private messageId = "";
  private call = { index: 0, startedAt: "", begin: 0, messages: 0 };
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
    },
  ) {
    this.input = input;
    this.model = services.model;
    this.session = services.session;
    this.bus = services.bus;
    this.tools = new RunTools(input, services.session, services.pipeline);
    this.scope = {
      sessionId: this.session.id,
      caller: input.caller,
      signal: input.signal,
      turnId: input.turnId,
      trace: (hook) => this.traceHook(hook),
    };
    this.redactor = new DeltaRedactor(services.secrets);
    this.thoughts = new Thoughts(services.secrets, (type, text) =>
      this.session.publish({ type, turnId: input.turnId, messageId: this.messageId, text }),
    );
    this.deltas = new DeltaThrottle((text) =>
      this.bus.emit("message.delta@v1", { ...this.ids, messageId: this.messageId, text }, this.scope),
    );
  }

  /** Resolves with the last thing the model said, and why it ended badly, if it did. */
  async run(): Promise<{ text: string; problem: Problem | null }> {
    const { runAgentLoopContinue } = await import("@earendil-works/pi-agent-core");
    const { executors } = this.tools;
    const timestamp = Date.now();
    const system: Message = {
      role: "system",
      content: this.input.systemPrompt,
      toolsAdded: executors.map(({ name, description, parameters }) => ({ name, description, parameters })),
      timestamp,
    };
    try {
      await runAgentLoopContinue(
        { messages: [system, ...this.input.history, ...this.input.begun], tools: executors },
        {
          model: this.model.model,
          sessionId: this.session.id,
          toolExecution: "sequential",
          convertToLlm: (messages) => messages.filter(isSpoken),
          afterToolCall: async ({ toolCall }) => ({
            isError: this.tools.outcomeOf(toolCall.id) !== "executed",
          }),
          prepareNextTurn: () => this.prepareNext(),
          finishTurn: ({ toolResults }) => this.finishStep(toolResults.length > 0),
        },
        (event) => this.onEvent(event),
        this.input.signal,
        this.ask,
      );
    } finally {
      await this.deltas.flush();
    }
    return { text: this.lastText, problem: this.problem };
  }

  private get ids() {
    return { agentId: this.input.agent.id, sessionId: this.session.id, turnId: this.input.turnId };
  }

  /** One model call: hooks first, then the tools as they really are, then the provider. */
  private readonly ask: StreamFn = async (model, context, options) => {
    const messages = context.messages.map((message) => this.tools.withRealSchemas(message));
    const spoken = await this.prepare(messages);
    this.call = {
      index: this.call.index + 1,
      startedAt: new Date().toISOString(),
      begin: performance.now(),
      messages: spoken.length - spoken.filter((message) => message.role === "system").length,
    };
    return this.model.stream(model, { ...context, messages: spoken }, options);
  };

  private async prepare(messages: Message[]): Promise<Message[]> {
    if (!this.bus.has("model.before@v1")) return messages;
    const before = toNeutral(messages);
    const { payload, changedBy } = await this.bus.transform(
      "model.before@v1",
      { ...this.ids, messages: before },
      this.scope,
    );
    return changedBy.length > 0 ? fromNeutral(payload.messages, messages) : messages;
  }

  private async onEvent(event: AgentEvent): Promise<void> {
    if (event.type === "message_start" && event.message.role === "assistant") this.messageId = randomUUID();
    if (event.type === "message_update") this.onUpdate(event.assistantMessageEvent);
    if (event.type === "message_end" && event.message.role === "assistant") {
      await this.onAnswer(event.message);
    }
    if (event.type === "message_end" && event.message.role === "toolResult") {
      const { toolCallId, toolName, content, details } = event.message;
      await this.session.append({
        type: "tool_result",
        id: randomUUID(),
        turnId: this.input.turnId,
        toolCallId,
        tool: toolName,
        outcome: this.tools.outcomeOf(toolCallId),
        content: content.map((part) =>
          part.type === "text"
            ? { type: "text", text: part.text }
            : { type: "image", data: part.data, mimeType: part.mimeType },
        ),
        ...(details !== undefined && { details }),
        at: new Date().toISOString(),
      });
    }
  }

  private onUpdate(update: AssistantMessageEvent): void {
    switch (update.type) {
      case "thinking_delta":
        this.thoughts.push(update.delta);
        break;
      case "text_delta":
        this.thoughts.end();
        this.onDelta(this.redactor.push(update.delta));
        break;
      case "toolcall_start":
      case "thinking_end":
        this.thoughts.end();
    }
  }

  private onDelta(text: string): void {
    if (!text) return;
    const { turnId } = this.input;
    this.session.publish({ type: "text_delta", turnId, messageId: this.messageId, text });
    if (this.bus.hooksOf("message.delta@v1").length > 0) this.deltas.push(text);
  }

  private async onAnswer(message: AssistantMessage): Promise<void> {
    const { turnId, signal } = this.input;
    this.thoughts.end();
    this.onDelta(this.redactor.flush());
    const bad = message.stopReason === "error" || message.stopReason === "aborted";
    if (bad && !signal.aborted) this.problem ??= this.model.problemOf(message);
    this.traceModelCall(message);
    if (bad) {
      await this.keepWhatWasSaid(message);
      return;
    }
    await this.deltas.flush();
    if (this.bus.hooksOf("model.after@v1").length > 0) {
      const [neutral] = toNeutral([message]);
      const usage = { input: message.usage.input, output: message.usage.output };
      if (neutral)
        await this.bus.emit("model.after@v1", { ...this.ids, message: neutral, usage }, this.scope);
    }
    let text = textOf(message);
    if (text && this.bus.has("message.final@v1")) {
      const payload = { ...this.ids, messageId: this.messageId, text };
      const final = await this.bus.transform("message.final@v1", payload, this.scope);
      if (final.changedBy.length > 0) {
        text = final.payload.text;
        replaceText(message, text);
      }
    }
    this.lastText = text || this.lastText;
    const toolCalls = callsOf(message);
    for (const { name } of toolCalls) this.tools.admit(name);
    const at = new Date().toISOString();
    const entry = { type: "assistant" as const, id: this.messageId, turnId, text, toolCalls, at };
    await this.session.append({ ...entry, raw: structuredClone(message) });
    if (text) this.session.publish({ type: "message", turnId, messageId: this.messageId, text });
  }

  /** An answer that was cut off stays in the conversation, without its half-made calls. */
  private async keepWhatWasSaid(message: AssistantMessage): Promise<void> {
    const text = textOf(message);
    if (!text) return;
    this.lastText = text;
    const { turnId } = this.input;
    const at = new Date().toISOString();
    await this.session.append({ type: "assistant", id: this.messageId, turnId, text, toolCalls: [], at });
    this.session.publish({ type: "message", turnId, messageId: this.messageId, text });
  }

  private async prepareNext(): Promise<undefined> {
    await this.bus.emit("run.prepare@v1", this.ids, this.scope);
  }

  private finishStep(calledTools: boolean): { action: "end" } | undefined {
    if (!calledTools || this.input.signal.aborted) return undefined;
    const { maxSteps, name } = this.input.agent;
    if (this.call.index >= maxSteps)
      return this.endForLimit(`${name} used all of its ${maxSteps} model calls`);
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

  private traceModelCall(message: AssistantMessage): void {
    const { input, output, cacheRead, cacheWrite } = message.usage;
    const call = {
      index: this.call.index,
      startedAt: this.call.startedAt || new Date().toISOString(),
      ms: performance.now() - this.call.begin,
      model: message.responseModel ?? message.model,
      usage: input + output + cacheRead + cacheWrite > 0 ? { input, output, cacheRead, cacheWrite } : null,
      stopReason: message.stopReason,
      messages: this.call.messages,
      tools: this.tools.count,
      problem: this.problem,
    };
    this.session.trace({ type: "model", turnId: this.input.turnId, call });
    this.session.publish({ type: "model_call", turnId: this.input.turnId, call });
  }

  private traceHook(hook: HookTrace): void {
    this.session.trace({ type: "hook", turnId: this.input.turnId, hook });
  }
}

/** The loop knows more kinds of messages than a model does; none of them is made here. */
function isSpoken(message: AgentMessage): message is Message {
  return ["system", "user", "assistant", "toolResult"].includes(message.role);
}

/** Any failure of a run as a problem; what is not ours came out of the model's library. */
export function runProblem(error: unknown): Problem {
  return toProblem(error, "MODEL_FAILED");
}
