/** What is now, then what follows. `leave` is called when nobody reads it any more. */
export async function* following<T>(
  first: T,
  events: AsyncIterable<T>,
  leave: () => void,
): AsyncGenerator<T, void> {
  try {
    yield first;
    yield* events;
  } finally {
    leave();
  }
}
