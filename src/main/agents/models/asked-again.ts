import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
} from "@earendil-works/pi-ai";
import type { Problem } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { waitBefore } from "./exchange/patience.ts";

/** What is told of a call that is made more than once. `attempt`: the one that failed, from 1. */
export interface Heard {
  /** It is waited, before the model is asked again. `ms`: for how long. */
  waiting(fact: { attempt: number; ms: number; problem: Problem }): void;
  /** The wait is over, and the model is asked again. `attempt`: the one that begins. */
  again(fact: { attempt: number }): void;
}

interface Asking {
  ask(): Promise<AssistantMessageEventStream>;
  problemOf(message: AssistantMessage): Problem;
  clock: Clock;
  signal: AbortSignal | undefined;
  heard: Heard;
}

/**
 * The answer of a model that is asked again where that may help, and where nothing of its answer was shown yet. What
 * comes out is one answer, as if there had been one call.
 */
export async function askedAgain(asking: Asking): Promise<AssistantMessageEventStream> {
  const { createAssistantMessageEventStream } = await import("@earendil-works/pi-ai");
  const first = await asking.ask();
  const out = createAssistantMessageEventStream();
  void follow(first, asking, out);
  return out;
}

async function follow(
  first: AssistantMessageEventStream,
  asking: Asking,
  out: AssistantMessageEventStream,
): Promise<void> {
  let stream = first;
  for (let attempt = 1; ; attempt += 1) {
    const failed = await passOn(stream, out, (message) => {
      if (message.stopReason !== "error" || asking.signal?.aborted) return null;
      return waitBefore(asking.problemOf(message), attempt, asking.clock.now());
    });
    if (!failed) return;
    const { message, ms } = failed;
    asking.heard.waiting({ attempt, ms, problem: asking.problemOf(message) });
    if (!(await waited(ms, asking.clock, asking.signal))) return endAborted(message, out);
    asking.heard.again({ attempt: attempt + 1 });
    try {
      stream = await asking.ask();
    } catch {
      return endWith({ type: "error", reason: "error", error: message }, message, out);
    }
  }
}

/** Hands an answer on. Resolves with a failure that is to be tried again, of which nothing was handed on. */
async function passOn(
  stream: AssistantMessageEventStream,
  out: AssistantMessageEventStream,
  waitFor: (message: AssistantMessage) => number | null,
): Promise<{ message: AssistantMessage; ms: number } | null> {
  let held: AssistantMessageEvent[] | null = [];
  for await (const event of stream) {
    if (held) {
      if (event.type === "error") {
        const ms = waitFor(event.error);
        if (ms !== null) return { message: event.error, ms };
      }
      if (isSilent(event)) {
        held.push(event);
        continue;
      }
      for (const one of held) out.push(one);
      held = null;
    }
    out.push(event);
  }
  for (const one of held ?? []) out.push(one);
  out.end(await stream.result());
  return null;
}

/** A beginning, of which nobody sees anything yet. */
function isSilent({ type }: AssistantMessageEvent): boolean {
  return type === "start" || type === "text_start" || type === "thinking_start";
}

function endAborted(message: AssistantMessage, out: AssistantMessageEventStream): void {
  const aborted: AssistantMessage = { ...message, stopReason: "aborted" };
  endWith({ type: "error", reason: "aborted", error: aborted }, aborted, out);
}

function endWith(
  event: AssistantMessageEvent,
  message: AssistantMessage,
  out: AssistantMessageEventStream,
): void {
  out.push(event);
  out.end(message);
}

/** Resolves with whether the time passed; not when the signal ended it. */
function waited(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const onAbort = () => {
      cancel();
      resolve(false);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve(true);
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
