/** Time, so that an hour can pass in seconds. All values are milliseconds. */
export interface ChannelClock {
  now(): number;
  /** Runs `action` once after `ms`. Returns what calls it off. */
  after(ms: number, action: () => void): () => void;
  /** As `after`, for how long others may take: they get no faster when the time of this clock does. */
  limit(ms: number, action: () => void): () => void;
  /** From 0 up to 1, for jitter. */
  random(): number;
}

/**
 * The clock of this machine.
 *
 * @param scale how much faster time passes than on the wall; 1 outside of tests
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
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      callOff();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const callOff = clock.after(ms, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** @throws what `late` makes, when `work` takes longer than `ms` */
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
