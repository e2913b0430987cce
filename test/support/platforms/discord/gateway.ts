import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";

const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

/** Events that a session has sent, for a resume. */
interface Session {
  id: string;
  intents: number;
  sent: { op: 0; s: number; t: string; d: unknown }[];
  seq: number;
  socket: WebSocket | null;
}

export interface GatewayBehaviour {
  /** Milliseconds. */
  heartbeatMs: number;
  acksHeartbeats: boolean;
  saysHello: boolean;
  sendsReady: boolean;
  /** A close code instead of the answer to the next IDENTIFY. */
  closeOnIdentify: number | null;
  /** `false`: the next RESUME is answered with an invalid session. */
  resumes: boolean;
  /** The connection is cut after this many replayed events of the next resume. */
  dropReplayAfter: number | null;
}

interface Facts {
  token(): string;
  /** Bits of privileged intents that the application may not ask for. */
  disallowed(): number;
  ready(): Record<string, unknown>;
  guild(): Record<string, unknown>;
  url(): string;
  /** A session was opened or resumed. */
  changed(): void;
}

const intentOf: Record<string, number> = {
  MESSAGE_CREATE: 512 | 4096,
  MESSAGE_UPDATE: 512 | 4096,
  MESSAGE_REACTION_ADD: 1024 | 8192,
  GUILD_CREATE: 1,
};

/** The gateway, version 10, JSON: identify, heartbeats, dispatches that can be resumed. */
export class DiscordGateway {
  readonly behaviour: GatewayBehaviour = {
    heartbeatMs: 41_250,
    acksHeartbeats: true,
    saysHello: true,
    sendsReady: true,
    closeOnIdentify: null,
    resumes: true,
    dropReplayAfter: null,
  };
  identified = 0;
  resumed = 0;
  heartbeats = 0;
  readonly #sessions = new Map<string, Session>();
  readonly #open = new Set<WebSocket>();
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get connected(): number {
    return [...this.#sessions.values()].filter(({ socket }) => socket !== null).length;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      const query = new URL(request.url ?? "/", "http://local").searchParams;
      if (query.get("v") !== "10") return opened.close(4012, "Invalid API version");
      if (query.get("encoding") !== "json") return opened.close(4002, "Decode error");
      this.#serve(opened);
    });
  }

  /** Sends an event to every session that asked for its kind; those without a socket get it when they resume. */
  dispatch(t: string, d: unknown): void {
    for (const session of this.#sessions.values()) {
      if ((intentOf[t] ?? -1) & session.intents || intentOf[t] === undefined) this.#send(session, t, d);
    }
  }

  /** Sends the newest event of every session once more, under its old number, as a replay does. */
  repeatLast(): void {
    for (const { sent, socket } of this.#sessions.values()) socket?.send(JSON.stringify(sent.at(-1)));
  }

  /** Asks for a reconnect. */
  reconnect(): void {
    this.#toAll({ op: op.reconnect, d: null });
  }

  invalidate(resumable: boolean): void {
    if (!resumable) this.#sessions.clear();
    this.#toAll({ op: op.invalidSession, d: resumable });
  }

  close(code: number, reason = ""): void {
    for (const socket of this.#open) socket.close(code, reason);
  }

  cut(): void {
    for (const socket of this.#open) socket.terminate();
  }

  /** Ends all sessions on the server's side, as after a long outage. */
  forget(): void {
    this.#sessions.clear();
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }

  #toAll(frame: unknown): void {
    for (const socket of this.#open) socket.send(JSON.stringify(frame));
  }

  #serve(socket: WebSocket): void {
    this.#open.add(socket);
    let session: Session | null = null;
    let frames = 0;
    const minute = setInterval(() => {
      frames = 0;
    }, 60_000);
    socket.on("error", () => {});
    socket.once("close", (code) => {
      clearInterval(minute);
      this.#open.delete(socket);
      if (!session || session.socket !== socket) return;
      session.socket = null;
      // These two close codes end the session; after any other it can be resumed.
      if (code === 1000 || code === 1001) this.#sessions.delete(session.id);
    });
    if (this.behaviour.saysHello) {
      socket.send(JSON.stringify({ op: op.hello, d: { heartbeat_interval: this.behaviour.heartbeatMs } }));
    }
    socket.on("message", (data) => {
      frames += 1;
      const text = String(data);
      if (frames > 120) return socket.close(4008, "Rate limited");
      if (Buffer.byteLength(text) > 4096) return socket.close(4002, "Decode error");
      const frame = parse(text);
      if (!frame) return socket.close(4002, "Decode error");
      switch (frame.op) {
        case op.heartbeat:
          this.heartbeats += 1;
          if (this.behaviour.acksHeartbeats) socket.send(JSON.stringify({ op: op.heartbeatAck }));
          return;
        case op.identify:
          if (session) return socket.close(4005, "Already authenticated");
          session = this.#identify(socket, frame.d);
          return;
        case op.resume:
          session = this.#resume(socket, frame.d);
          return;
        case 3:
          return session ? undefined : socket.close(4003, "Not authenticated");
        default:
          socket.close(4001, "Unknown opcode");
      }
    });
  }

  #identify(socket: WebSocket, d: Record<string, unknown>): Session | null {
    const { closeOnIdentify } = this.behaviour;
    if (closeOnIdentify !== null) {
      this.behaviour.closeOnIdentify = null;
      socket.close(closeOnIdentify, "as asked");
      return null;
    }
    const properties = d.properties as Record<string, unknown> | undefined;
    if (d.token !== this.#facts.token()) return refuse(socket, 4004, "Authentication failed.");
    if (typeof d.intents !== "number" || properties?.os === undefined) {
      return refuse(socket, 4013, "Invalid intent(s).");
    }
    if (d.intents & this.#facts.disallowed()) return refuse(socket, 4014, "Disallowed intent(s).");
    const session: Session = { id: randomUUID(), intents: d.intents, sent: [], seq: 0, socket };
    this.identified += 1;
    this.#sessions.set(session.id, session);
    if (!this.behaviour.sendsReady) return session;
    this.#send(session, "READY", {
      v: 10,
      ...this.#facts.ready(),
      session_id: session.id,
      resume_gateway_url: this.#facts.url(),
      session_type: "normal",
      private_channels: [],
      shard: [0, 1],
    });
    this.#send(session, "GUILD_CREATE", this.#facts.guild());
    this.#facts.changed();
    return session;
  }

  #resume(socket: WebSocket, d: Record<string, unknown>): Session | null {
    if (d.token !== this.#facts.token()) return refuse(socket, 4004, "Authentication failed.");
    const session = this.#sessions.get(String(d.session_id));
    if (!session || !this.behaviour.resumes) {
      this.behaviour.resumes = true;
      socket.send(JSON.stringify({ op: op.invalidSession, d: false }));
      return null;
    }
    if (Number(d.seq) > session.seq) return refuse(socket, 4007, "Invalid seq");
    session.socket = socket;
    const missed = session.sent.filter(({ s }) => s > Number(d.seq));
    const { dropReplayAfter } = this.behaviour;
    this.behaviour.dropReplayAfter = null;
    for (const [index, frame] of missed.entries()) {
      if (index === dropReplayAfter) {
        socket.terminate();
        return session;
      }
      socket.send(JSON.stringify(frame));
    }
    this.resumed += 1;
    this.#send(session, "RESUMED", { _trace: [] });
    this.#facts.changed();
    return session;
  }

  #send(session: Session, t: string, d: unknown): void {
    session.seq += 1;
    const frame = { op: 0 as const, s: session.seq, t, d };
    session.sent.push(structuredClone(frame));
    session.socket?.send(JSON.stringify(frame));
  }
}

function parse(text: string): { op: number; d: Record<string, unknown> } | null {
  try {
    const frame = JSON.parse(text) as { op?: unknown; d?: unknown };
    return typeof frame.op === "number"
      ? { op: frame.op, d: (frame.d ?? {}) as Record<string, unknown> }
      : null;
  } catch {
    return null;
  }
}

function refuse(socket: WebSocket, code: number, reason: string): null {
  socket.close(code, reason);
  return null;
}
