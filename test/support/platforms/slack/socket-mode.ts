import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";

export interface SlackEnvelope {
  envelope_id: string;
  type: "events_api" | "interactive" | "slash_commands";
  payload: Record<string, unknown>;
  accepts_response_payload: boolean;
  retry_attempt?: number;
  retry_reason?: string;
}

interface Waiting {
  envelope: SlackEnvelope;
  attempt: number;
  timer: NodeJS.Timeout | undefined;
  acknowledged(payload: unknown): void;
}

/** How Socket Mode behaves; tests change what they are about. Milliseconds. */
export interface SocketBehaviour {
  ackMs: number;
  /** Pauses before the second, third and fourth delivery of what was not acknowledged. */
  retryMs: number[];
  pingMs: number;
  helloDelayMs: number;
  /** The server answers no ping any more and sends none. */
  silent: boolean;
}

/** The sockets of one app: one-use tickets, envelopes until they are acknowledged, pings. */
export class SocketMode {
  readonly behaviour: SocketBehaviour = {
    ackMs: 3_000,
    retryMs: [0, 60_000, 300_000],
    pingMs: 10_000,
    helloDelayMs: 0,
    silent: false,
  };
  readonly sockets = new Set<WebSocket>();
  /** How many sockets were ever greeted. */
  greeted = 0;
  /** Ids of envelopes in the order in which they were acknowledged. */
  readonly acknowledged: string[] = [];
  readonly #tickets = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #appId: string;
  readonly #onGreeted: () => void;
  #next = 0;
  #spoiled = 0;

  constructor(appId: string, onGreeted: () => void) {
    this.#appId = appId;
    this.#onGreeted = onGreeted;
  }

  ticket(): string {
    const ticket = randomUUID();
    if (this.#spoiled > 0) this.#spoiled -= 1;
    else this.#tickets.add(ticket);
    return ticket;
  }

  /** Makes the next ticket invalid: it counts as used already. */
  spoilTicket(): void {
    this.#spoiled += 1;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? "/", "http://local").searchParams.get("ticket") ?? "";
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      if (!this.#tickets.delete(ticket)) return opened.close(1008, "ticket is not good");
      this.#serve(opened);
    });
  }

  /** Sends an envelope until somebody acknowledges it or the retries are used up. Resolves with the answer. */
  deliver(type: SlackEnvelope["type"], payload: Record<string, unknown>): Promise<unknown> {
    const envelope: SlackEnvelope = {
      envelope_id: randomUUID(),
      type,
      payload,
      accepts_response_payload: type !== "events_api",
    };
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const waiting: Waiting = { envelope, attempt: 0, timer: undefined, acknowledged: resolve };
    this.#waiting.set(envelope.envelope_id, waiting);
    this.#send(waiting);
    return promise;
  }

  /** Asks every socket, or only the oldest, to go, as Slack does every few hours. */
  disconnect(reason: "warning" | "refresh_requested" | "link_disabled" | "too_many_websockets"): void {
    const frame = JSON.stringify({ type: "disconnect", reason, debug_info: { host: "applink-1" } });
    for (const socket of this.sockets) socket.send(frame);
  }

  /** Cuts every socket without a close frame. */
  cut(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  stop(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    this.cut();
    this.#server.close();
  }

  #serve(socket: WebSocket): void {
    const pings = setInterval(() => {
      if (!this.behaviour.silent) socket.ping("Ping from slack");
    }, this.behaviour.pingMs);
    const hello = setTimeout(() => this.#greet(socket), this.behaviour.helloDelayMs);
    socket.on("ping", (data) => {
      if (!this.behaviour.silent) socket.pong(data);
    });
    socket.on("message", (data) => this.#heard(String(data)));
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(pings);
      clearTimeout(hello);
      this.sockets.delete(socket);
    });
  }

  #greet(socket: WebSocket): void {
    if (socket.readyState !== socket.OPEN) return;
    this.sockets.add(socket);
    this.greeted += 1;
    socket.send(
      JSON.stringify({
        type: "hello",
        num_connections: this.sockets.size,
        debug_info: { host: "applink-1", approximate_connection_time: 18_060 },
        connection_info: { app_id: this.#appId },
      }),
    );
    for (const waiting of this.#waiting.values()) if (waiting.timer === undefined) this.#send(waiting);
    this.#onGreeted();
  }

  #heard(text: string): void {
    const frame = JSON.parse(text) as { envelope_id?: string; payload?: unknown };
    const waiting = this.#waiting.get(frame.envelope_id ?? "");
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(waiting.envelope.envelope_id);
    this.acknowledged.push(waiting.envelope.envelope_id);
    waiting.acknowledged(frame.payload);
  }

  /** To one of the sockets in turn; without one it waits for the next. */
  #send(waiting: Waiting): void {
    waiting.timer = undefined;
    const open = [...this.sockets].filter((socket) => socket.readyState === socket.OPEN);
    const socket = open[this.#next++ % Math.max(1, open.length)];
    if (!socket) return;
    const { envelope } = waiting;
    socket.send(JSON.stringify(envelope));
    waiting.timer = setTimeout(() => {
      const pause = this.behaviour.retryMs[waiting.attempt];
      if (pause === undefined) return void this.#waiting.delete(envelope.envelope_id);
      waiting.attempt += 1;
      Object.assign(envelope, { retry_attempt: waiting.attempt, retry_reason: "timeout" });
      waiting.timer = setTimeout(() => this.#send(waiting), pause);
    }, this.behaviour.ackMs);
  }
}
