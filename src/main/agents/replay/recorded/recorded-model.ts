import type { Api, AssistantMessage, AssistantMessageEventStream, Model } from "@earendil-works/pi-ai";
import {
  fromProblem,
  isObject,
  type ModelConfig,
  PatchbayError,
  type Problem,
} from "../../../../contract/index.ts";
import type { ReadyModel } from "../../models/index.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

/** The settings that stand in a replay for a model that a plugin asked for: its name is all that the record has of it. */
export function namedModel(model: string): ModelConfig {
  return { kind: "openai-compatible", model, baseUrl: "http://127.0.0.1" };
}

/** The models of a recorded turn. They give the recorded answers, one a call. */
export class RecordedModels {
  private readonly turn: RecordedTurn;
  /** Whether the text is streamed, for hooks that are told of pieces of it. */
  private readonly speaks: boolean;
  private answered = 0;
  private problem: Problem | null;

  constructor(turn: RecordedTurn, { speaks = false } = {}) {
    this.turn = turn;
    this.speaks = speaks;
    this.problem = turn.all("model_answered")[0]?.problem ?? null;
  }

  /** The model of the run that begins. */
  async next(): Promise<ReadyModel> {
    refuseLikeThen(this.turn);
    const { createAssistantMessageEventStream } = await import("@earendil-works/pi-ai");
    return {
      model: modelOf(this.turn, this.answered),
      canSummarise: false,
      problemOf: () => this.problem ?? new PatchbayError("MODEL_FAILED", "The model failed.").toProblem(),
      stream: (_model, _context, _options, heard) => {
        const answer = this.turn.all("model_answered")[this.answered];
        this.answered += 1;
        if (!answer)
          throw new PatchbayError(
            "REPLAY_NO_ANSWER",
            "The model was asked more often than in the recorded turn, which has no further answer.",
          );
        this.problem = answer.problem;
        for (const event of this.turn.events) {
          if (event.spanId !== answer.spanId) continue;
          if (event.type === "model_waiting")
            heard?.waiting({ attempt: event.attempt, ms: event.ms, problem: event.problem });
          if (event.type === "model_again") heard?.again({ attempt: event.attempt });
        }
        // As the provider's library gave it.
        const message = structuredClone(answer.response) as AssistantMessage;
        const stream = createAssistantMessageEventStream();
        stream.push({ type: "start", partial: message });
        if (this.turn.in(answer.spanId, "model_speaking")) {
          stream.push({ type: "thinking_end", contentIndex: 0, content: "", partial: message });
          if (this.speaks) speak(message, stream);
        }
        const { stopReason } = message;
        if (stopReason === "error" || stopReason === "aborted")
          stream.push({ type: "error", reason: stopReason, error: message });
        else stream.push({ type: "done", reason: stopReason as "stop", message });
        stream.end(message);
        return stream;
      },
    };
  }
}

function speak(message: AssistantMessage, stream: AssistantMessageEventStream): void {
  for (const [contentIndex, part] of message.content.entries())
    if (part.type === "text" && part.text !== "")
      stream.push({ type: "text_delta", contentIndex, delta: part.text, partial: message });
}

/** Throws the problem of the recorded turn when that turn ended before its model was ready. */
function refuseLikeThen(turn: RecordedTurn): void {
  const wasReady =
    turn.all("prompt_made").length > 0 ||
    turn.all("hook_asked").some(({ event }) => event === "prompt.assemble@v1");
  const problem = turn.all("turn_ended").at(-1)?.problem;
  if (!wasReady && problem) throw fromProblem(problem);
}

/** @param index of the first call that it is asked with */
function modelOf(turn: RecordedTurn, index: number): Model<Api> {
  const request = turn.all("model_asked")[index]?.request;
  const named = isObject(request) && isObject(request.model) ? request.model : {};
  const text = (name: string) => (typeof named[name] === "string" ? named[name] : "");
  const number = (name: string) => (typeof named[name] === "number" ? named[name] : 0);
  return {
    api: text("api") as Api,
    provider: text("provider"),
    id: text("id"),
    name: text("id"),
    baseUrl: text("baseUrl"),
    reasoning: named.reasoning === true,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: number("contextWindow"),
    maxTokens: number("maxTokens"),
  };
}
