import { isObject } from "../../../contract/is-object.ts";
import { wait } from "./link.ts";

// Milliseconds to wait for the preload's message, which comes right after the drop.
const limitMs = 1_000;

/**
 * The path of what is being dropped, as the preload of the desktop shell tells it after each drop; null in a browser,
 * where pages are not told paths. Call it while the drop is being handled.
 */
export async function droppedPath(): Promise<string | null> {
  if (window.patchbayDesktop !== true) return null;
  const life = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const receive = (event: MessageEvent) => {
    if (event.source !== window) return;
    const paths = pathsOf(event.data);
    if (paths) resolve(paths[0] || null);
  };
  window.addEventListener("message", receive, { signal: life.signal });
  const path = await Promise.race([promise, wait(limitMs, life.signal).then(() => null)]);
  life.abort();
  return path;
}

/** The paths in the preload's message; null for any other message. */
function pathsOf(message: unknown): string[] | null {
  if (!isObject(message) || message.type !== "patchbay:dropped" || !Array.isArray(message.paths)) return null;
  return message.paths.filter((path) => typeof path === "string");
}
