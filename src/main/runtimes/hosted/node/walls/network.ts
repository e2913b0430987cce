import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";
import { askDoor, connectAsBefore, connectTo, doorPath } from "./ask-door.ts";
import { askNamesAtDoor } from "./names.ts";

/**
 * Leads every TCP connection and every look-up of a name of this process through the door, so that libraries work
 * unchanged although the process has no network. Nothing depends on plugin code leaving this as it is: without it there
 * is no way out at all.
 */
export function connectThroughDoor(): void {
  if (doorPath === undefined) return;
  net.Socket.prototype.connect = connect as typeof net.Socket.prototype.connect;
  tls.connect = secureConnect(tls.connect) as typeof tls.connect;
  askNamesAtDoor();
  syncBuiltinESMExports();
}

interface Place {
  host?: string;
  port?: number | string;
  /** Of a socket in the file system. `http` gives null where there is none. */
  path?: string | null;
  lookup?: unknown;
}

/** `net.Socket.prototype.connect`: asks for a way, then connects to where it begins. */
function connect(this: net.Socket, ...args: unknown[]): net.Socket {
  // Node itself calls this with a list of its own, [options, callback], as the only argument.
  const list = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const last = list.at(-1);
  const onConnect = typeof last === "function" ? (last as () => void) : undefined;
  const place = placeOf(list);
  if (place.port === undefined || place.path) {
    return Reflect.apply(connectAsBefore, this, args) as net.Socket;
  }
  const { host = "localhost", port } = place;
  if (onConnect) this.once("connect", onConnect);
  // As while Node looks a name up: what is written meanwhile waits.
  Object.assign(this, { connecting: true });
  void askDoor({ connect: { host, port: Number(port) } }).then(
    ({ at, address }) => {
      if (this.destroyed) return;
      // Libraries look at where a connection leads; the socket that this one really is has no such address.
      if (typeof address === "string") {
        const family = net.isIP(address) === 6 ? "IPv6" : "IPv4";
        const facts = { remoteAddress: address, remotePort: Number(port), remoteFamily: family };
        for (const [name, value] of Object.entries(facts)) Object.defineProperty(this, name, { value });
      }
      connectTo(this, String(at));
    },
    (error: NodeJS.ErrnoException) => {
      const message = `connect ${error.code} ${host}:${port}${error.code === "EACCES" ? `: ${error.message}` : ""}`;
      this.destroy(
        Object.assign(new Error(message), { code: error.code, syscall: "connect", address: host, port }),
      );
    },
  );
  return this;
}

function placeOf(list: unknown[]): Place {
  const [first, second] = list;
  if (typeof first === "object" && first !== null) return first;
  if (typeof first === "string" && Number.isNaN(Number(first))) return { path: first };
  return { port: Number(first), ...(typeof second === "string" && { host: second }) };
}

/** `tls.connect`: makes the plain connection first, as a socket of its own, because a secure one cannot change its kind. */
function secureConnect(before: typeof tls.connect) {
  return (...args: unknown[]): tls.TLSSocket => {
    const callback = args.findLast((arg) => typeof arg === "function") as (() => void) | undefined;
    const objects = args.filter((arg) => typeof arg === "object" && arg !== null);
    const options: Record<string, unknown> = { ...placeOf(args), ...Object.assign({}, ...objects) };
    if (options.socket || options.path || options.port === undefined) {
      return Reflect.apply(before, tls, args) as tls.TLSSocket;
    }
    const host = typeof options.host === "string" ? options.host : "localhost";
    const socket = net.connect({ host, port: Number(options.port) });
    const servername = options.servername ?? (net.isIP(host) ? "" : host);
    const secure = before({ ...options, socket, servername } as unknown as tls.ConnectionOptions, callback);
    socket.once("error", (error) => secure.destroy(error));
    return secure;
  };
}
