import type { WebClient } from "@slack/web-api";
import { slackCode } from "./errors.ts";

export interface ListedChannel {
  id: string;
  name: string;
  isPrivate: boolean;
}

/** Channels of one request; Slack recommends no more than 200. */
const PAGE = 200;
/** A workspace may have thousands of channels: so many requests at most. */
const MOST_PAGES = 10;
/** Channels that are shown. */
const MOST = 150;

/**
 * The channels that the app is in, by name; private ones only where it may list them.
 *
 * @throws what the library throws, also when the app may not list channels at all
 */
export async function listChannels(web: WebClient): Promise<ListedChannel[]> {
  try {
    return await listOfTypes(web, "public_channel,private_channel");
  } catch (error) {
    if (slackCode(error) !== "missing_scope") throw error;
    return listOfTypes(web, "public_channel");
  }
}

async function listOfTypes(web: WebClient, types: string): Promise<ListedChannel[]> {
  const found: ListedChannel[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const asked = { types, exclude_archived: true, limit: PAGE, ...(cursor && { cursor }) };
    const { channels = [], response_metadata } = await web.conversations.list(asked);
    for (const { id, name, is_member, is_private } of channels) {
      if (id !== undefined && name !== undefined && is_member) {
        found.push({ id, name, isPrivate: is_private === true });
      }
    }
    cursor = response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return found.sort((one, other) => one.name.localeCompare(other.name)).slice(0, MOST);
}
