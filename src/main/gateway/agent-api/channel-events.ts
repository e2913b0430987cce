import { type ChannelIdentity, channelName } from "./channel-tokens.ts";
import { SessionEvents } from "./session-events.ts";

// Most conversations per channel whose events are kept for readers that come back.
const maxConversations = 10_000;

/** The events of conversations, by channel. A channel that starts again gets a new, empty entry. */
export class ChannelEvents {
  readonly #events = new Map<
    string,
    { channel: ChannelIdentity; conversations: Map<string, SessionEvents> }
  >();

  /** Number of the last event of a conversation; 0 when none is known. */
  lastIdOf(channel: ChannelIdentity, conversation: string): number {
    return this.#conversationsOf(channel).get(conversation)?.lastId ?? 0;
  }

  of(channel: ChannelIdentity, sessionId: string): SessionEvents {
    const conversations = this.#conversationsOf(channel);
    let events = conversations.get(sessionId);
    if (!events) {
      events = new SessionEvents(sessionId);
      conversations.set(sessionId, events);
      makeRoom(conversations);
    }
    return events;
  }

  /**
   * The conversations of a channel's present start. A channel that has started anew has lost its cursors (last event
   * ids) and would take old events for new ones, so it begins with none.
   */
  #conversationsOf(channel: ChannelIdentity): Map<string, SessionEvents> {
    const name = channelName(channel);
    let known = this.#events.get(name);
    if (known?.channel !== channel) {
      known = { channel, conversations: new Map() };
      this.#events.set(name, known);
    }
    return known.conversations;
  }
}

/** The oldest conversation that nobody follows is forgotten; its readers then see numbers that begin anew. */
function makeRoom(conversations: Map<string, SessionEvents>): void {
  if (conversations.size <= maxConversations) return;
  for (const [id, events] of conversations) {
    if (events.isFollowed) continue;
    conversations.delete(id);
    return;
  }
}
