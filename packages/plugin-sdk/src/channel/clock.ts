/** The time of a channel, in milliseconds. Tests bring a clock that runs faster, so that an hour passes in seconds. */
export interface ChannelClock {
  now(): number;
  /** Runs `action` once after `ms`. The returned function cancels it. */
  after(ms: number, action: () => void): () => void;
  /**
   * Like `after`, for limits on the time that a server may take. It counts real time even when this clock runs faster,
   * because the server does not become faster.
   */
  limit(ms: number, action: () => void): () => void;
  /** A random number from 0 up to 1, for waits that should differ between channels. */
  random(): number;
}

/**
 * The clock of this machine.
 *
 * @param scale how many times faster than real time this clock runs; 1 outside of tests
 */
export function systemClock(scale = 1): ChannelClock {
  const start = Date.now();
  const timer = (ms: number, action: () => void) => {
    const handle = setTimeout(action, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(handle);
  };
  return {
    now: () => start + (Date.now() - start) * scale,
    after: (ms, action) => timer(ms / scale, action),
    limit: timer,
    random: Math.random,
  };
}

/** Resolves after `ms`, or at once when `signal` is aborted. Never rejects. */
export function pause(clock: ChannelClock, ms: number, signal?: AbortSignal): Promise<void> {
  return pauseOf(ms, signal, (time, done) => clock.after(time, done));
}

/** Like `pause`, in real time even when the clock runs faster: for the time that a server needs. */
export function pauseForServer(clock: ChannelClock, ms: number, signal?: AbortSignal): Promise<void> {
  return pauseOf(ms, signal, (time, done) => clock.limit(time, done));
}

function pauseOf(ms: number, signal: AbortSignal | undefined, after: ChannelClock["after"]): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      callOff();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const callOff = after(ms, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** @throws what `late` makes, when `work` takes longer than `ms`; also what `work` throws */
export async function within<T>(
  clock: ChannelClock,
  ms: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  let callOff = () => {};
  const limit = new Promise<never>((_, reject) => {
    callOff = clock.limit(ms, () => reject(late()));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    callOff();
  }
}
