import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";
import { askDoor, connectAsBefore, connectTo, doorPath } from "./ask-door.ts";

/**
 * Leads every TCP connection and every look-up of a name of this process through the door, so that libraries work
 * unchanged although the process has no network. Nothing depends on plugin code leaving this as it is: without it there
 * is no way out at all.
 */
export function connectThroughDoor(): void {
  if (doorPath === undefined) return;
  net.Socket.prototype.connect = connect as typeof net.Socket.prototype.connect;
  tls.connect = secureConnect(tls.connect) as typeof tls.connect;
  dns.lookup = lookup as typeof dns.lookup;
  dns.promises.lookup = lookupLater as typeof dns.promises.lookup;
  for (const [name, type] of Object.entries({
    resolveSrv: "SRV",
    resolveTxt: "TXT",
    resolveMx: "MX",
    resolveCname: "CNAME",
  })) {
    Object.assign(dns, { [name]: withCallback((host: string) => records(host, type)) });
    Object.assign(dns.promises, { [name]: (host: string) => records(host, type) });
  }
  for (const [name, family] of Object.entries({ resolve4: 4, resolve6: 6 })) {
    Object.assign(dns, { [name]: withCallback((host: string) => addresses(host, family)) });
    Object.assign(dns.promises, { [name]: (host: string) => addresses(host, family) });
  }
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

type Family = 0 | 4 | 6 | "IPv4" | "IPv6";
type LookupOptions = { family?: Family; all?: boolean };

async function lookupLater(host: string, given: Family | LookupOptions = {}): Promise<unknown> {
  const { family = 0, all = false } = typeof given === "object" ? given : { family: given };
  const wanted = family === "IPv4" ? 4 : family === "IPv6" ? 6 : family;
  const found = host === "" ? [] : await addresses(host, wanted);
  const list = found.map((address) => ({ address, family: net.isIP(address) }));
  if (all) return list;
  const [first] = list;
  if (first) return first;
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
    code: "ENOTFOUND",
    syscall: "getaddrinfo",
    hostname: host,
  });
}

function lookup(host: string, ...rest: unknown[]): void {
  const callback = rest.at(-1) as (error: unknown, address?: unknown, family?: unknown) => void;
  const options = rest.length > 1 ? (rest[0] as Family | LookupOptions) : {};
  lookupLater(host, options).then(
    (found) => {
      if (Array.isArray(found)) callback(null, found);
      else callback(null, (found as { address: string }).address, (found as { family: number }).family);
    },
    (error) => callback(error),
  );
}

async function addresses(host: string, family: number): Promise<string[]> {
  const answer = await askDoor({ lookup: host });
  const all = Array.isArray(answer.addresses) ? (answer.addresses as string[]) : [];
  return all.filter((address) => family === 0 || net.isIP(address) === family);
}

async function records(name: string, type: string): Promise<unknown> {
  return (await askDoor({ records: { name, type } })).records;
}

function withCallback(later: (host: string) => Promise<unknown>) {
  return (host: string, ...rest: unknown[]): void => {
    const callback = rest.at(-1) as (error: unknown, found?: unknown) => void;
    later(host).then(
      (found) => callback(null, found),
      (error) => callback(error),
    );
  };
}
