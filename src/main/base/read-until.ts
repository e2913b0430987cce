/**
 * Reads a stream of the running app until `signal` is aborted, and then closes the stream itself. Passing the signal to
 * `fetch` is not enough: `fetch` refers to its request only weakly, and once the request is garbage-collected, an abort
 * no longer reaches the answer.
 */
export async function* readUntil<T>(
  stream: AsyncIterable<T> & { return?(): Promise<unknown> },
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const leave = () => {
    stream.return?.().catch(() => {
      // The stream had ended before.
    });
  };
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    yield* stream;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
