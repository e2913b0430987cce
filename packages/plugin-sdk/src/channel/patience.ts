import { type ChannelClock, pause } from "./clock.ts";
import { ChannelFailure } from "./failure.ts";

const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;
/** After that many failures, over about two minutes, it is given up. */
const MOST_TRIES = 8;

/**
 * Asks a platform until it answers, with pauses that grow: for what has to be known before the next message of a
 * conversation may be taken in.
 *
 * @param signal aborted when the connection is closed
 * @throws ChannelFailure the last one, when the platform refuses, after eight failures, or when the connection is closed;
 * whatever `request` throws that is no ChannelFailure is passed on at once
 */
export async function untilAnswered<T>(
  clock: ChannelClock,
  signal: AbortSignal,
  request: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ChannelFailure) || !passes(error) || tries >= MOST_TRIES) throw error;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LAST_WAIT_MS);
      await pause(clock, Math.max(wait, error.retryAfterMs ?? 0), signal);
      if (signal.aborted) throw error;
    }
  }
}

function passes({ kind }: ChannelFailure): boolean {
  return kind === "offline" || kind === "rate-limited";
}
