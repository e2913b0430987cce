import type { FetchLike } from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import { MOST_MESSAGE_BYTES } from "./spoken-transport.ts";

/**
 * The same `fetch`, whose answers end with PatchbayError TOOL_FAILED when one message of them has more bytes than a
 * program's may have. A stream of events can be endless; each of its events cannot.
 */
export function boundedAnswers(fetch: FetchLike, most = MOST_MESSAGE_BYTES): FetchLike {
  return async (address, init) => {
    const answer = await fetch(address, init);
    if (!answer.body) return answer;
    const { host } = new URL(address);
    const isStream = answer.headers.get("content-type")?.includes("text/event-stream") ?? false;
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(bound(host, isStream, most)), {
      status,
      statusText,
      headers,
    });
  };
}

const LF = 10;
const CR = 13;

function bound(host: string, isStream: boolean, most: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let lineIsEmpty = true;
  let afterReturn = false;
  /** Counts bytes since the last event, which an empty line ends. Lines end with LF, CR or both. */
  const countEvent = (chunk: Uint8Array): void => {
    for (const byte of chunk) {
      size += 1;
      if (byte !== LF && byte !== CR) lineIsEmpty = false;
      else if (byte === CR || !afterReturn) {
        if (lineIsEmpty) size = 0;
        lineIsEmpty = true;
      }
      afterReturn = byte === CR;
      if (size > most) return;
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      if (isStream) countEvent(chunk);
      else size += chunk.length;
      if (size > most)
        throw new PatchbayError(
          "TOOL_FAILED",
          `${host} answered with more than ${Math.round(most / 1024 / 1024)} MB at once.`,
        );
      controller.enqueue(chunk);
    },
  });
}
