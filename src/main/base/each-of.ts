/** Runs a task for each item, at most `limit` at once. */
export async function eachOf<T>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items.values();
  const work = async () => {
    for (const item of rest) await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
}
