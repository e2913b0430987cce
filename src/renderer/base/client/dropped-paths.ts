import { z } from "zod";
import { wait } from "./link.ts";

const messageSchema = z.object({ type: z.literal("patchbay:dropped"), paths: z.array(z.string()) });
const limitMs = 1_000;

/**
 * Where what is being dropped lies, as the preload of the desktop shell says after each drop; null in a browser, which tells
 * no page. Call while the drop is being handled.
 */
export async function droppedPath(): Promise<string | null> {
  if (window.patchbayDesktop !== true) return null;
  const life = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const receive = (event: MessageEvent) => {
    if (event.source !== window) return;
    const { data } = messageSchema.safeParse(event.data);
    if (data) resolve(data.paths[0] || null);
  };
  window.addEventListener("message", receive, { signal: life.signal });
  const path = await Promise.race([promise, wait(limitMs, life.signal).then(() => null)]);
  life.abort();
  return path;
}
