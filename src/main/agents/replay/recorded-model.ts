import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import { fromProblem, isObject, PatchbayError } from "../../../contract/index.ts";
import type { ReadyModel } from "../models/index.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

/** A model that gives the recorded answers, one a call. */
export async function recordedModel(turn: RecordedTurn): Promise<ReadyModel> {
  refuseLikeThen(turn);
  const { createAssistantMessageEventStream } = await import("@earendil-works/pi-ai");
  const answers = turn.all("model_answered");
  let next = 0;
  let problem = answers[0]?.problem ?? null;
  return {
    model: modelOf(turn),
    canSummarise: false,
    problemOf: () => problem ?? new PatchbayError("MODEL_FAILED", "The model failed.").toProblem(),
    stream: () => {
      const answer = answers[next];
      next += 1;
      if (!answer) throw new PatchbayError("READ_FAILED", "The record has no further answer of the model.");
      ({ problem } = answer);
      // As the provider's library gave it.
      const message = structuredClone(answer.response) as AssistantMessage;
      const stream = createAssistantMessageEventStream();
      stream.push({ type: "start", partial: message });
      if (turn.in(answer.spanId, "model_speaking"))
        stream.push({ type: "thinking_end", contentIndex: 0, content: "", partial: message });
      const { stopReason } = message;
      if (stopReason === "error" || stopReason === "aborted")
        stream.push({ type: "error", reason: stopReason, error: message });
      else stream.push({ type: "done", reason: stopReason as "stop", message });
      stream.end(message);
      return stream;
    },
  };
}

/** Throws the problem of the recorded turn when that turn ended before its model was ready. */
function refuseLikeThen(turn: RecordedTurn): void {
  const wasReady =
    turn.all("prompt_made").length > 0 ||
    turn.all("hook_asked").some(({ event }) => event === "prompt.assemble@v1");
  const problem = turn.all("turn_ended").at(-1)?.problem;
  if (!wasReady && problem) throw fromProblem(problem);
}

function modelOf(turn: RecordedTurn): Model<Api> {
  const request = turn.all("model_asked")[0]?.request;
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
