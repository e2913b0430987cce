import type { Readable } from "node:stream";

/**
 * Calls `found`, once, when one of the texts passes by in a stream that somebody else reads, also when it is cut in two.
 * The texts are plain ASCII.
 */
export function spot(stream: Readable, texts: readonly string[], found: () => void): void {
  const longest = Math.max(...texts.map((text) => text.length));
  let tail = "";
  const look = (chunk: Buffer) => {
    const text = tail + chunk.toString("latin1");
    if (texts.some((each) => text.includes(each))) {
      stream.off("data", look);
      found();
    } else tail = text.slice(1 - longest);
  };
  stream.on("data", look);
}
