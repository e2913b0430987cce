import type { SentPiece } from "@patchbay/plugin-sdk/channel";
import type { WebClient } from "@slack/web-api";
import { slackFailure } from "./errors.ts";
import { placeOf } from "./receive.ts";

const EVENT_TYPE = "patchbay_piece";
/** Messages of one request. */
const PAGE = 200;
/** A thread is read from its beginning: so many requests at most. */
const MOST_PAGES = 10;

/** Goes with each message, invisible to people, so that it is found again. */
export function metadataOf(id: string): { event_type: string; event_payload: { id: string } } {
  return { event_type: EVENT_TYPE, event_payload: { id } };
}

interface Page {
  messages?: { ts?: string; user?: string; metadata?: { event_type?: string; event_payload?: unknown } }[];
  response_metadata?: { next_cursor?: string };
}

/**
 * Looks for a message of the bot by the id that it carries: among the newest 200 of a channel, or in a whole thread of up
 * to 2,000. `unknown` where the app may not read the history.
 *
 * @throws ChannelFailure when Slack cannot be asked now
 */
export async function findPiece(
  web: WebClient,
  conversation: string,
  { id, botUserId }: { id: string; botUserId: string },
): Promise<SentPiece | null | "unknown"> {
  const { channel, thread_ts } = placeOf(conversation);
  const asked = { channel, include_all_metadata: true, limit: PAGE };
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    let found: Page;
    try {
      found = (await (thread_ts === undefined
        ? web.conversations.history(asked)
        : web.conversations.replies({ ...asked, ts: thread_ts, ...(cursor && { cursor }) }))) as Page;
    } catch (error) {
      const failure = slackFailure(error);
      if (failure.kind === "refused") return "unknown";
      throw failure;
    }
    const message = found.messages?.find(
      ({ user, metadata }) =>
        user === botUserId &&
        metadata?.event_type === EVENT_TYPE &&
        (metadata.event_payload as { id?: unknown } | undefined)?.id === id,
    );
    if (message?.ts !== undefined) return { messageId: message.ts };
    cursor = found.response_metadata?.next_cursor;
    if (thread_ts === undefined || !cursor) return null;
  }
  return "unknown";
}
