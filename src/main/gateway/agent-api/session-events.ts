import type { ServerResponse } from "node:http";
import { PatchbayError } from "../../../contract/index.ts";
import { commonHeaders } from "../answer.ts";

/** Names of the events that a channel package listens for (specs/openhermit.md, section 7.4). */
export type ChannelEventName =
  | "agent_start"
  | "thinking_delta"
  | "thinking_final"
  | "text_delta"
  | "text_final"
  | "tool_call"
  | "tool_result"
  | "approval_requested"
  | "approval_resolved"
  | "attachment"
  | "error"
  | "agent_end";

export interface ChannelEvent {
  name: ChannelEventName;
  data: Record<string, unknown>;
}

interface Numbered {
  id: number;
  text: string;
}

// Kept for readers that come back with a cursor: whichever of the two limits is reached first.
const backlogEvents = 500;
const backlogCharacters = 1024 * 1024;
// Milliseconds between two `ping` events, by which a reader can tell a quiet connection from a dead one.
const pingMs = 15_000;
const mostStreams = 32;
/** What may wait for a reader that is slow, in bytes; one that is slower is cut off and comes again with its cursor. */
const mostUnread = 1024 * 1024;

/** The numbered events of one conversation, and the server-sent-event streams that follow them. */
export class SessionEvents {
  private readonly sessionId: string;
  private readonly backlog: Numbered[] = [];
  /** The open streams; true for those that end when the turn ends. */
  private readonly streams = new Map<ServerResponse, boolean>();
  private characters = 0;
  private nextId = 1;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** The number of the last event. */
  get lastId(): number {
    return this.nextId - 1;
  }

  get isFollowed(): boolean {
    return this.streams.size > 0;
  }

  add({ name, data }: ChannelEvent): void {
    const id = this.nextId;
    this.nextId += 1;
    const text = format(name, { type: name, sessionId: this.sessionId, eventId: String(id), ...data }, id);
    this.backlog.push({ id, text });
    this.characters += text.length;
    while (this.backlog.length > backlogEvents || this.characters > backlogCharacters) {
      this.characters -= this.backlog.shift()?.text.length ?? 0;
    }
    for (const [stream, endsWithTurn] of this.streams) {
      send(stream, text);
      if (endsWithTurn && name === "agent_end") stream.end();
    }
  }

  /**
   * Sends what came after `lastId`, then `ready`, then what happens; ends with the connection or, `untilEnd`, with the turn.
   * @throws PatchbayError RATE_LIMITED when too many follow already
   */
  follow(response: ServerResponse, lastId: number, untilEnd = false): void {
    if (this.streams.size >= mostStreams)
      throw new PatchbayError(
        "RATE_LIMITED",
        `More than ${mostStreams} connections follow this conversation.`,
      );
    response.writeHead(200, {
      ...commonHeaders,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    });
    for (const event of this.backlog) if (event.id > lastId) send(response, event.text);
    const ready = { sessionId: this.sessionId, nextEventId: this.nextId };
    send(response, format("ready", ready));
    this.streams.set(response, untilEnd);
    const ping = setInterval(() => send(response, format("ping", {})), pingMs);
    response.once("close", () => {
      clearInterval(ping);
      this.streams.delete(response);
    });
  }
}

/**
 * Writes to a stream, and closes it when more than `mostUnread` bytes wait for it, so that a slow reader cannot fill
 * the memory.
 */
function send(stream: ServerResponse, text: string): void {
  if (stream.destroyed || stream.writableEnded) return;
  stream.write(text);
  if (stream.writableLength > mostUnread) stream.destroy();
}

function format(name: string, data: Record<string, unknown>, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
