import type { ServerResponse } from "node:http";
import { commonHeaders } from "../answer.ts";

/** Names of the events that a channel package listens for (specs/openhermit.md, section 7.4). */
export type ChannelEventName = "agent_start" | "text_delta" | "text_final" | "error" | "agent_end";

interface ChannelEvent {
  id: number;
  name: ChannelEventName;
  data: Record<string, unknown>;
}

const backlogLength = 500;
const pingMs = 15_000;

/** The numbered events of one conversation, and the server-sent-event streams that follow them. */
export class SessionEvents {
  private readonly sessionId: string;
  private readonly backlog: ChannelEvent[] = [];
  private readonly streams = new Set<ServerResponse>();
  private nextId = 1;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  add(name: ChannelEventName, data: Record<string, unknown> = {}): void {
    const event: ChannelEvent = { id: this.nextId, name, data: { sessionId: this.sessionId, ...data } };
    this.nextId += 1;
    this.backlog.push(event);
    if (this.backlog.length > backlogLength) this.backlog.shift();
    for (const stream of this.streams) stream.write(format(event));
  }

  /** Sends what came after `lastId`, then `ready`, then what happens; ends with the connection. */
  follow(response: ServerResponse, lastId: number): void {
    response.writeHead(200, {
      ...commonHeaders,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    });
    for (const event of this.backlog) if (event.id > lastId) response.write(format(event));
    response.write(
      `event: ready\ndata: ${JSON.stringify({ sessionId: this.sessionId, nextEventId: this.nextId })}\n\n`,
    );
    this.streams.add(response);
    const ping = setInterval(() => response.write("event: ping\ndata: {}\n\n"), pingMs);
    response.once("close", () => {
      clearInterval(ping);
      this.streams.delete(response);
    });
  }
}

function format(event: ChannelEvent): string {
  return `id: ${event.id}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
