import * as net from "node:net";
import { show } from "../../../print/describe.ts";
import { Abstract } from "../../../values/abstract.ts";
import { toBytes } from "../../../values/bytes.ts";
import type { Call } from "../../../values/functions.ts";
import { Kw } from "../../../values/names.ts";
import { Tuple } from "../../../values/sequences.ts";
import type { Value } from "../../../values/value.ts";
import { callValue } from "../../../vm/call.ts";
import { JanetError, panic } from "../../../vm/janet-error.ts";
import type { Vm } from "../../../vm/vm.ts";
import { badSlot } from "../../arguments.ts";
import { background } from "../../ev/tasks.ts";
import { millisOf, waitFor } from "../../ev/wait.ts";
import type { Registrar } from "../../registrar.ts";
import { codeOf, denied, readable, reason, writable } from "../access.ts";
import { keepOpen } from "../open.ts";
import { JStream, streamAt, streamMethods, streamType } from "../stream.ts";
import { read, secondsAt, write } from "../streams.ts";
import { installAddresses, type Place, place, target } from "./addresses.ts";
import { Connection, Server } from "./ends.ts";

/** `net/*`: streams over TCP and Unix sockets. */
export function install(core: Registrar): void {
  core.cgen(
    "net/connect",
    2,
    5,
    "(net/connect host port &opt type bindhost bindport)",
    "Connects to a server and gives the stream. A host of :unix takes the path of a socket as port.",
    (args, vm) => connect(args, vm),
  );
  core.cgen(
    "net/listen",
    2,
    4,
    "(net/listen host port &opt type no-reuse)",
    "Listens at an address; a stream to use with net/accept.",
    (args, vm) => listen(args, vm),
  );
  core.cgen(
    "net/accept",
    1,
    2,
    "(net/accept stream &opt timeout)",
    "Waits for the next connection to a listening stream and gives it as a stream.",
    (args, vm) => accept(serverAt(args, 0), secondsAt(args, 1), vm),
  );
  core.cgen(
    "net/accept-loop",
    2,
    2,
    "(net/accept-loop stream handler)",
    "Calls the handler with each new connection, in a task of its own, until the stream is closed.",
    (args, vm) => acceptLoop(serverAt(args, 0), args, vm),
  );
  core.gen(
    "net/server",
    2,
    5,
    "(net/server host port &opt handler type no-reuse)",
    "Listens at an address and, with a handler, calls it with each connection in the background; the listening stream.",
    function* (args, vm) {
      const stream = yield* listen([args[0] ?? null, args[1] ?? null, args[3] ?? null], vm);
      const handler = args[2] ?? null;
      if (handler !== null)
        background(vm, (running) => acceptLoop(serverAt([stream], 0), [stream, handler], running));
      return stream;
    },
  );
  core.cgen("net/read", 2, 4, "(net/read stream nbytes &opt buf timeout)", "As ev/read.", (args) =>
    read(args, false),
  );
  core.cgen("net/chunk", 2, 4, "(net/chunk stream nbytes &opt buf timeout)", "As ev/chunk.", (args) =>
    read(args, true),
  );
  core.cgen("net/write", 2, 3, "(net/write stream data &opt timeout)", "As ev/write.", write);
  core.cfun(
    "net/flush",
    1,
    1,
    "(net/flush stream)",
    "Does nothing: what is written leaves at once.",
    (args) => {
      streamAt(args, 0);
      return args[0] as Value;
    },
  );
  core.fun("net/close", 1, 1, "(net/close stream)", "Closes a stream.", (args) => {
    streamAt(args, 0).close();
    return null;
  });
  core.cfun(
    "net/shutdown",
    1,
    2,
    "(net/shutdown stream &opt mode)",
    "Ends the :r, :w or :rw direction of a connection, both unless given; the stream.",
    (args) => {
      const stream = streamAt(args, 0);
      const mode = args[1] ?? null;
      const name = mode === null ? "rw" : mode instanceof Kw ? mode.name : "";
      if (!["r", "w", "rw"].includes(name)) panic(`unexpected keyword ${show(mode)}`);
      if (name.includes("w")) stream.writable?.end();
      return args[0] as Value;
    },
  );
  core.cfun(
    "net/localname",
    1,
    1,
    "(net/localname stream)",
    "The own address and port of a stream.",
    (args) => {
      const { origin } = streamAt(args, 0);
      if (origin instanceof Server) {
        const address = origin.server.address();
        return typeof address === "object" && address
          ? new Tuple([toBytes(address.address), address.port])
          : new Tuple([toBytes(address ?? "")]);
      }
      return connectionOf(args).local;
    },
  );
  core.cfun("net/peername", 1, 1, "(net/peername stream)", "The other side's address and port.", (args) => {
    return connectionOf(args).remote;
  });
  core.cfun(
    "net/setsockopt",
    3,
    3,
    "(net/setsockopt stream option value)",
    "Sets :so-keepalive or :tcp-nodelay of a connection.",
    (args) => {
      const { socket } = connectionOf(args);
      const option = args[1] ?? null;
      const value = args[2] ?? null;
      if (typeof value !== "boolean") return badSlot(args, 2, "boolean");
      if (option instanceof Kw && option.name === "so-keepalive") socket.setKeepAlive(value);
      else if (option instanceof Kw && option.name === "tcp-nodelay") socket.setNoDelay(value);
      else panic(`unknown socket option ${show(option)}`);
      return null;
    },
  );
  installAddresses(core);
  for (const method of ["read", "chunk", "write", "flush", "close", "shutdown", "localname", "peername"])
    socketMethods.set(method, core.find(`net/${method}`));
  socketMethods.set("flush", core.find("net/flush"));
  for (const method of ["accept", "accept-loop", "close"])
    serverMethods.set(method, core.find(`net/${method}`));
  streamMethods.set("flush", core.find("net/flush"));
}

const socketMethods = new Map<string, Value>();
const serverMethods = new Map<string, Value>();

function connectionOf(args: readonly Value[]): Connection {
  const { origin } = streamAt(args, 0);
  return origin instanceof Connection ? origin : badSlot(args, 0, "connected stream");
}

function serverAt(args: readonly Value[], at: number): JStream {
  const stream = streamAt(args, at);
  return stream.origin instanceof Server ? stream : panic("expected a listening stream");
}

function permitted(vm: Vm, { path, host, port }: Place): void {
  const name = path === undefined ? host : "unix";
  if (!vm.host.capabilities.network?.(name, path ?? port))
    denied("using the network", path ?? `${host}:${port}`);
  if (path !== undefined) {
    readable(vm, toBytes(path));
    writable(vm, toBytes(path));
  }
}

function socketStream(socket: net.Socket, vm: Vm): Value {
  const stream = new JStream(socket, socket, socketMethods, new Connection(socket));
  const release = keepOpen(vm, () => socket.destroy());
  socket.once("close", release);
  return new Abstract(streamType, stream);
}

function unreachable(doing: string, error: Error): JanetError {
  if (["ENOTFOUND", "EAI_AGAIN", "EAI_NONAME"].includes(codeOf(error)))
    return new JanetError("could not get address info: Name or service not known");
  return new JanetError(`could not ${doing} socket: ${reason(error)}`);
}

function* connect(args: readonly Value[], vm: Vm): Call {
  const where = place(args);
  permitted(vm, where);
  const options = target(where);
  const socket = net.connect({ ...options, allowHalfOpen: true });
  yield* waitFor((resolve, reject) => {
    socket.once("connect", () => resolve(null));
    socket.once("error", (error) => reject(unreachable("connect", error)));
    return () => socket.destroy();
  });
  return socketStream(socket, vm);
}

function* listen(args: readonly Value[], vm: Vm): Call {
  const where = place(args);
  permitted(vm, where);
  const options = target(where);
  const server = net.createServer({ allowHalfOpen: true });
  const origin = new Server(server);
  server.on("connection", (socket) => {
    origin.waiting.push(socket);
    origin.taker?.();
  });
  yield* waitFor((resolve, reject) => {
    server.once("error", (error) => reject(unreachable("bind", error)));
    server.listen(options, () => resolve(null));
    return () => server.close();
  });
  const stream = new JStream(null, null, serverMethods, origin);
  const release = keepOpen(vm, () => stream.close());
  stream.onClose = () => {
    release();
    server.close();
    origin.taker?.();
    for (const socket of origin.waiting) socket.destroy();
  };
  return new Abstract(streamType, stream);
}

function* accept(stream: JStream, seconds: number | null, vm: Vm): Call {
  const origin = stream.origin as Server;
  if (stream.closed) panic("stream is closed");
  if (origin.waiting.length === 0) {
    yield* waitFor((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const stop = () => {
        clearTimeout(timer);
        origin.taker = null;
      };
      origin.taker = () => {
        stop();
        resolve(null);
      };
      if (seconds !== null)
        timer = setTimeout(() => {
          stop();
          reject(new JanetError("timeout"));
        }, millisOf(seconds));
      return stop;
    });
  }
  const socket = origin.waiting.shift();
  return socket ? socketStream(socket, vm) : null;
}

function* acceptLoop(stream: JStream, args: readonly Value[], vm: Vm): Call {
  const handler = args[1] ?? null;
  while (!stream.closed) {
    const connection = yield* accept(stream, null, vm);
    if (connection === null) break;
    background(vm, (running) => callValue(running, handler, [connection]));
  }
  return args[0] as Value;
}
