import { PatchbayError } from "../../../../contract/index.ts";
import type { Fetch } from "./judged-fetch.ts";

/**
 * The same `fetch`, for answers that are read whole and must be small. What is larger is cut off at once.
 *
 * @throws PatchbayError PAYLOAD_TOO_LARGE
 */
export function smallAnswers(fetch: Fetch, mostBytes: number): Fetch {
  return async (address, init) => {
    const answer = await fetch(address, init);
    if (!answer.body) return answer;
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of answer.body) {
      size += piece.length;
      // Leaving the loop ends the stream, and with it the connection.
      if (size > mostBytes)
        throw new PatchbayError(
          "PAYLOAD_TOO_LARGE",
          `${new URL(address).host} answered with more than ${mostBytes} bytes.`,
        );
      pieces.push(piece);
    }
    const { status, statusText, headers } = answer;
    return new Response(Buffer.concat(pieces), { status, statusText, headers });
  };
}
