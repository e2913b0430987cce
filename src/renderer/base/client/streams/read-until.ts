/**
 * What a stream of the core tells, until it ends or `signal` is aborted. Then nothing more is waited for, not even its
 * beginning, and the stream is given back, so that the core stops the work behind it.
 */
export async function* readUntil<T>(
  stream: Promise<AsyncIterable<T>>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const over = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
  const reader = stream.then((opened) => opened[Symbol.asyncIterator]());
  try {
    const opened = await Promise.race([reader, over]);
    for (;;) {
      const step = await Promise.race([opened?.next(), over]);
      if (!step || step.done) return;
      yield step.value;
    }
  } finally {
    // Whether it ended before, or never began, is all the same.
    reader.then((opened) => opened.return?.()).catch(() => {});
  }
}
