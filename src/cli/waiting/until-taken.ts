import { type ErrorCode, problemFromWire } from "../../contract/index.ts";
import type { Output } from "../terminal/output.ts";

/** Whether a question was answered elsewhere meanwhile, or its time is over. */
export const isGone = (code: ErrorCode) => code === "DIALOG_NOT_FOUND" || code === "APPROVAL_NOT_FOUND";

/**
 * Asks, and hands the answer to the core; asks again, with the core's own sentence, while it is refused.
 * @param ask gets whether an answer was refused before
 * @throws what `ask` throws, and what `take` throws once the question is gone or the core does not answer
 */
export async function untilTaken<A>(
  output: Pick<Output, "note" | "paint">,
  signal: AbortSignal,
  ask: (again: boolean) => Promise<A>,
  take: (answer: A) => Promise<unknown>,
): Promise<A> {
  for (let again = false; ; again = true) {
    const answer = await ask(again);
    if (await isTaken(take(answer), (why) => output.note(`${output.paint.bad("✗")} ${why}`))) return answer;
    signal.throwIfAborted();
  }
}

/**
 * False when the answer was refused, and the question is still open.
 * @param told gets the reason
 */
export async function isTaken(taking: Promise<unknown>, told?: (why: string) => void): Promise<boolean> {
  try {
    await taking;
    return true;
  } catch (error) {
    const { code, message } = problemFromWire(error);
    if (isGone(code) || code === "INTERNAL" || code === "SHUTTING_DOWN") throw error;
    told?.(message);
    return false;
  }
}
