import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import { PatchbayError, type SessionEntry } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { ReadyModel } from "./model.ts";
import type { ScriptStep } from "./script-file.ts";

const SCRIPTED_API = "patchbay-scripted";

const scriptedModel: Model<Api> = {
  id: "scripted",
  name: "Scripted",
  api: SCRIPTED_API,
  provider: "patchbay",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000_000,
  maxTokens: 100_000,
};

/** A model that answers with the steps of a script: one step for each call, always the same. */
export async function scriptedModelOf(
  steps: readonly ScriptStep[],
  entries: readonly SessionEntry[],
  clock: Clock,
): Promise<ReadyModel> {
  const { createAssistantMessageEventStream } = await import("@earendil-works/pi-ai");
  let next = stepsConsumed(entries);
  return {
    model: scriptedModel,
    canSummarise: false,
    stream: (_model, _context, options) => {
      const stream = createAssistantMessageEventStream();
      const index = next;
      next += 1;
      void play(steps[index], index, stream, clock, options?.signal);
      return stream;
    },
    problemOf: (message) =>
      new PatchbayError("MODEL_FAILED", `The script failed on purpose: ${message.errorMessage}.`, {
        details: { step: Number(message.responseId) },
      }).toProblem(),
  };
}

/**
 * How many steps a session has used, counted from its entries, so that the script goes on at the right step after a
 * restart.
 */
function stepsConsumed(entries: readonly SessionEntry[]): number {
  let consumed = 0;
  for (const entry of entries) {
    if (entry.type === "assistant") {
      const raw = entry.raw as Partial<AssistantMessage> | undefined;
      if (raw?.api === SCRIPTED_API) consumed = Math.max(consumed, Number(raw.responseId) + 1);
    }
    if (entry.type === "turn_end" && typeof entry.problem?.details?.step === "number") {
      consumed = Math.max(consumed, entry.problem.details.step + 1);
    }
  }
  return consumed;
}

type Stream = ReturnType<typeof import("@earendil-works/pi-ai").createAssistantMessageEventStream>;

async function play(
  step: ScriptStep | undefined,
  index: number,
  stream: Stream,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { say, calls, fail, delayMs } = step ?? afterTheEnd;
  const message = emptyMessage(index, clock.now());
  stream.push({ type: "start", partial: message });
  try {
    const pieces = say.match(/\S*\s*(?:\S+\s*){0,3}/g)?.filter((piece) => piece !== "") ?? [];
    const pause = delayMs / Math.max(1, pieces.length);
    if (pieces.length === 0) await wait(clock, delayMs, signal);
    else await speak(message, pieces, pause, stream, clock, signal);
    if (fail !== undefined) throw new Error(fail);
    for (const [number, call] of calls.entries()) {
      const contentIndex = message.content.length;
      const toolCall = {
        type: "toolCall" as const,
        id: `script-${index}-${number}`,
        name: call.tool,
        // A script is read from JSON or YAML, so its inputs are JSON.
        arguments: structuredClone(call.input) as Record<string, never>,
      };
      message.content.push(toolCall);
      stream.push({ type: "toolcall_start", contentIndex, partial: message });
      stream.push({ type: "toolcall_end", contentIndex, toolCall, partial: message });
    }
    message.stopReason = calls.length > 0 ? "toolUse" : "stop";
    stream.push({ type: "done", reason: message.stopReason, message });
  } catch (error) {
    message.stopReason = signal?.aborted ? "aborted" : "error";
    message.errorMessage = error instanceof Error ? error.message : String(error);
    stream.push({ type: "error", reason: message.stopReason, error: message });
  }
  stream.end(message);
}

async function speak(
  message: AssistantMessage,
  pieces: string[],
  pause: number,
  stream: Stream,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const part = { type: "text" as const, text: "" };
  message.content.push(part);
  stream.push({ type: "text_start", contentIndex: 0, partial: message });
  for (const piece of pieces) {
    await wait(clock, pause, signal);
    part.text += piece;
    stream.push({ type: "text_delta", contentIndex: 0, delta: piece, partial: message });
  }
  stream.push({ type: "text_end", contentIndex: 0, content: part.text, partial: message });
}

async function wait(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

const afterTheEnd: ScriptStep = {
  say: "The script has no more steps.",
  calls: [],
  fail: undefined,
  delayMs: 0,
};

function emptyMessage(index: number, timestamp: number): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: SCRIPTED_API,
    provider: "patchbay",
    model: "scripted",
    responseId: String(index),
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "pending",
    timestamp,
  };
}
