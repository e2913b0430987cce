/**
 * Reads a stream of the running app until `signal` is aborted, and then leaves it. The signal alone does not end it for sure:
 * `fetch` holds its request weakly, and one that was collected while its answer still comes does not hear of an abort.
 */
export async function* readUntil<T>(
  stream: AsyncIterable<T> & { return?(): Promise<unknown> },
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const leave = () => {
    stream.return?.().catch(() => {
      // It had ended before.
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
