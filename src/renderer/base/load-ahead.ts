/**
 * Loads the code of screens one after the other while the window has nothing else to do, so that they open at once.
 * What does not load now is asked for again, and complained about, when its screen is opened.
 *
 * @returns ends it
 */
export function loadAhead(screens: readonly (() => Promise<unknown>)[]): () => void {
  const left = [...screens];
  let waiting = requestIdleCallback(next);
  let isEnded = false;
  async function next(): Promise<void> {
    await left
      .shift()?.()
      .catch(() => {});
    if (left.length > 0 && !isEnded) waiting = requestIdleCallback(next);
  }
  return () => {
    isEnded = true;
    cancelIdleCallback(waiting);
  };
}
