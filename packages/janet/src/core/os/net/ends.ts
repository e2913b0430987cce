import type * as net from "node:net";
import { toBytes } from "../../../values/bytes.ts";
import { Tuple } from "../../../values/sequences.ts";

/** What a listening stream holds beside itself: connections that nobody has taken yet. */
export class Server {
  readonly server: net.Server;
  readonly waiting: net.Socket[] = [];
  taker: (() => void) | null = null;
  constructor(server: net.Server) {
    this.server = server;
  }
}

/** The names of both ends of a socket, which it forgets when it is closed. */
export class Connection {
  readonly socket: net.Socket;
  readonly local: Tuple;
  readonly remote: Tuple;
  constructor(socket: net.Socket) {
    this.socket = socket;
    this.local = new Tuple([toBytes(socket.localAddress ?? ""), socket.localPort ?? 0]);
    this.remote = new Tuple([toBytes(socket.remoteAddress ?? ""), socket.remotePort ?? 0]);
  }
}
