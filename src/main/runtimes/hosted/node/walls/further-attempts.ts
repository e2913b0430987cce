import dgram from "node:dgram";
import dns from "node:dns";
import { errorMonitor } from "node:events";
import Module, { syncBuiltinESMExports } from "node:module";
import net from "node:net";

type Tell = (wall: "network" | "programs" | "signals", target: string) => void;
type Named = Record<string, (...args: unknown[]) => unknown>;

/** Insides that old libraries ask for without wanting anything. */
const harmless = ["util", "natives", "config", "constants"];

/**
 * Tells of what gives a plugin nothing behind the wall, but is not told by Node's permissions: signals, addons, Node's
 * own insides, listening, UDP and sockets of other programs. A plugin that undoes this is not seen, and gets nothing either.
 */
export function reportFurther(tell: Tell): void {
  const insides = process as unknown as Named;
  const toOthers = (pid: unknown) => {
    if (pid !== process.pid) tell("signals", `process ${pid}`);
  };
  before(insides, "_kill", toOthers);
  before(insides, "_debugProcess", toOthers);
  before(insides, "binding", (name) => {
    if (!harmless.includes(String(name))) tell("programs", `Node's inside ${name}`);
  });
  before(insides, "dlopen", (_module, file) => tell("programs", String(file)));
  const toDatabase = (name: unknown) => {
    if (name === "node:sqlite") tell("programs", "node:sqlite");
  };
  before(insides, "getBuiltinModule", toDatabase);
  before(Module as unknown as Named, "_load", toDatabase);
  reportNetwork(tell);
  syncBuiltinESMExports();
}

function reportNetwork(tell: Tell): void {
  before(net.Server.prototype as unknown as Named, "listen", (first) => {
    const port = isObject(first) ? first.port : first;
    if (port !== undefined && port !== null && !Number.isNaN(Number(port)))
      tell("network", `anyone who connects to port ${port}`);
  });
  const udp = dgram.Socket.prototype as unknown as Named;
  before(udp, "send", (...args) => {
    const port = args.findLast((arg, at) => at > 0 && typeof arg === "number");
    const host = args.findLast((arg, at) => at > 0 && typeof arg === "string") ?? "localhost";
    tell("network", `${host}:${port} by UDP`);
  });
  before(udp, "connect", (port, host) => tell("network", `${host ?? "localhost"}:${port} by UDP`));
  for (const { prototype } of [dns.Resolver, dns.promises.Resolver]) {
    before(prototype as unknown as Named, "setServers", (servers) =>
      tell("network", `the name server ${String(servers)}`),
    );
  }
  const sockets = net.Socket.prototype as unknown as Named;
  const connect = sockets.connect as (...args: unknown[]) => unknown;
  sockets.connect = function (this: net.Socket, ...args: unknown[]) {
    const path = pathIn(args);
    if (path !== null)
      this.once(errorMonitor as unknown as "error", () =>
        tell("network", `the socket ${path.replace("\0", "@")}`),
      );
    return connect.apply(this, args);
  };
}

/** Calls `look` with the arguments of a function each time before it. */
function before(owner: Named, name: string, look: (...args: unknown[]) => void): void {
  const original = owner[name];
  if (!original) return;
  owner[name] = function (this: unknown, ...args: unknown[]) {
    look(...args);
    return original.apply(this, args);
  };
}

/** The path of a socket in the file system, or the name of an abstract one; null for a connection to a port. */
function pathIn([first]: unknown[]): string | null {
  const place: unknown = Array.isArray(first) ? first[0] : first;
  const path = isObject(place) ? place.path : place;
  return typeof path === "string" && Number.isNaN(Number(path)) ? path : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
