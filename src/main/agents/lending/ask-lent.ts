import type { Message } from "@earendil-works/pi-ai";
import type { RecordFact } from "../../../contract/index.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { ModelReply, ModelRequest } from "../../runtimes/plugin-call.ts";
import type { ReadyModel } from "../models/index.ts";
import { answerOf, requestOf } from "../record/exchange.ts";
import { plainAssistant, textOf, userMessage } from "../turns/transcript.ts";

/** Most characters of an answer that a plugin gets. */
const MOST_TEXT = 100_000;

/** Asks a model once, without tools; what the record keeps of it, and the answer. */
export async function askLent(
  { model, stream, problemOf }: ReadyModel,
  { system, messages, maxTokens }: ModelRequest,
  { owner, clock, signal }: { owner: string; clock: Clock; signal: AbortSignal },
): Promise<{ fact: RecordFact & { type: "model_lent" }; reply: ModelReply }> {
  const { normalizeContext } = await import("@earendil-works/pi-ai");
  const at = isoTime(clock);
  const context = normalizeContext({
    ...(system !== "" && { systemPrompt: system }),
    messages: messages.map(({ role, text, pictures }): Message => {
      const shown = pictures.map((picture) => ({ type: "image" as const, ...picture }));
      return role === "user" ? userMessage(text, at, shown) : plainAssistant(text, [], at);
    }),
  });
  const answer = await (await stream(model, context, { signal, maxTokens })).result();
  const problem = answer.stopReason === "error" && !signal.aborted ? problemOf(answer) : null;
  const { model: name, stopReason, usage, cost, response } = answerOf(answer, problem);
  return {
    // In the order of the schema, by which a replay is compared.
    fact: {
      type: "model_lent",
      owner,
      model: name,
      stopReason,
      usage,
      ...(cost && { cost }),
      problem,
      request: requestOf(model, context.messages, { maxTokens }),
      response,
    },
    reply: {
      text: textOf(answer).slice(0, MOST_TEXT),
      model: name,
      isCut: answer.stopReason === "length",
    },
  };
}
