import { resolve as resolveName } from "node:dns/promises";
import { rmSync } from "node:fs";
import { connect, createServer, isIP, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import { joinSockets } from "../join-sockets.ts";
import { doorFolder } from "../scratch/scratch.ts";
import { type Join, joiningWith } from "../secrets/put-in.ts";
import type { Attempt, NetworkJudge, PutIn, Verdict } from "../wall.ts";
import { LookUps, type Resolve } from "./look-ups.ts";
import { MadeConnections } from "./made.ts";
import { parseQuestion } from "./question.ts";

/** Name of the socket that a walled process asks at. */
export const doorName = "door";
/** Connections that are open or asked for at the same time. */
const MOST_AT_ONCE = 512;
/** Connections that it made and that are open. */
const MOST_OPEN = 256;
/** Milliseconds that a connection may take to be made, and that a way that was opened is kept for. */
const CONNECT_MS = 30_000;
const FETCH_MS = 10_000;

type Answer = Record<string, unknown>;

/**
 * The only way of a walled process to the network: a socket at which it asks, one line of JSON a connection. `connect`
 * is answered with the path of a socket that leads to that place, once; `lookup` and `records` with what the name has.
 * Each is decided by the judge first. A name is asked for only when the process may reach it, so nothing leaks by names.
 */
export class NetworkDoor {
  readonly #folder: string;
  readonly #shownAt: string;
  readonly #judge: NetworkJudge;
  readonly #refused: (attempt: Attempt) => void;
  readonly #joining: (place: { host: string; port: number }) => Join;
  readonly #server: Server;
  readonly #gone = new AbortController();
  readonly #sockets = new Set<Socket | Server>();
  readonly #made: MadeConnections;
  readonly #lookUps: LookUps;
  #open = 0;
  /** Which name an address was given out for: programs look a name up first and connect to its address then. */
  readonly #names = new Map<string, string>();
  #next = 1;

  /**
   * @param folder of the sockets, on this side of the wall; null: nothing asks by lines, {@link reach} is all
   * @param shownAt the same folder as a path behind the wall
   * @param resolve looks a name up; the system does when absent
   * @param putIn secrets that are put into what the process sends, on the way that it asked for
   */
  constructor(
    folder: string | null,
    judge: NetworkJudge,
    refused: (attempt: Attempt) => void,
    shownAt: string = doorFolder,
    putIn?: PutIn,
    resolve?: Resolve,
  ) {
    this.#lookUps = new LookUps(refused, resolve);
    this.#folder = folder ?? "";
    this.#shownAt = shownAt;
    this.#judge = judge;
    this.#refused = refused;
    this.#made = new MadeConnections(judge, refused);
    const told = (target: string) => refused({ wall: "secrets", target: cleanLine(target), seenBy: "wall" });
    this.#joining = putIn ? joiningWith(putIn, told) : () => joinSockets;
    this.#server = createServer((socket) => this.#ask(socket));
    this.#server.on("error", () => {});
    this.#server.maxConnections = MOST_AT_ONCE;
    if (folder === null) return;
    this.#server.listen(join(folder, doorName));
    this.#server.unref();
  }

  close(): void {
    this.#made.close();
    this.#gone.abort();
    this.#server.close();
    for (const socket of this.#sockets) {
      if ("destroy" in socket) socket.destroy();
      else socket.close();
    }
  }

  #ask(socket: Socket): void {
    this.#keep(socket);
    const over = new AbortController();
    const end = () => over.abort();
    socket.once("close", end);
    this.#gone.signal.addEventListener("abort", end, { once: true });
    let text = "";
    socket.setEncoding("utf8");
    const onData = (chunk: string) => {
      text += chunk;
      const at = text.indexOf("\n");
      if (at < 0) {
        if (text.length > 4_096) socket.destroy();
        return;
      }
      socket.off("data", onData);
      void this.#answer(text.slice(0, at), over.signal).then((answer) => {
        this.#gone.signal.removeEventListener("abort", end);
        socket.end(`${JSON.stringify(answer)}\n`);
      });
    };
    socket.on("data", onData);
  }

  async #answer(line: string, signal: AbortSignal): Promise<Answer> {
    const question = parseQuestion(line);
    if (!question) return failure("EINVAL", "The question is not one that this door understands.");
    try {
      if ("connect" in question) return await this.#give(question.connect, signal);
      if ("lookup" in question) return await this.#lookUp(question.lookup, signal);
      if ("records" in question) return await this.#records(question.records, signal);
      const { wall, target } = question.tried;
      this.#refused({ wall, target: cleanLine(target), seenBy: "process" });
      return {};
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return failure(typeof code === "string" ? code : "ECONNREFUSED", message);
    }
  }

  async #give({ host, port }: { host: string; port: number }, signal: AbortSignal): Promise<Answer> {
    const passOn = this.#joining({ host: this.#meant(host), port });
    const upstream = await this.reach(host, port, signal);
    return { at: this.#wayTo(upstream, passOn), address: upstream.remoteAddress ?? null };
  }

  /**
   * Opens a connection when the judge allows it. Rejects with an error whose `code` is `EACCES` when it does not, else with
   * that of the system.
   */
  async reach(wanted: string, port: number, signal: AbortSignal): Promise<Socket> {
    const both = AbortSignal.any([signal, this.#gone.signal]);
    const asked = plain(wanted);
    const host = this.#meant(wanted);
    const addresses = once(() =>
      isIP(asked) ? Promise.resolve([asked]) : this.#lookUps.addressesOf(asked, both),
    );
    const target = { host, port, addresses };
    const verdict = await this.#judge.decide(target, both);
    if (!verdict.allowed) {
      this.#refused({ wall: "network", target: `${host}:${port}`, seenBy: "wall" });
      throw Object.assign(new Error(verdict.why), { code: "EACCES" });
    }
    const places = await addresses();
    if (this.#open >= MOST_OPEN) {
      this.#refused({ wall: "network", target: `more than ${MOST_OPEN} places at once`, seenBy: "wall" });
      throw Object.assign(new Error("Too many connections of this process are open."), { code: "EMFILE" });
    }
    this.#open += 1;
    const over = () => {
      this.#open -= 1;
    };
    try {
      const socket = await this.#reach(places, port, both);
      this.#made.add(socket, target);
      return socket.once("close", over);
    } catch (error) {
      over();
      throw error;
    }
  }

  /** The name that is meant by an address that was given out for one. */
  #meant(host: string): string {
    return this.#names.get(plain(host)) ?? plain(host);
  }

  async #lookUp(name: string, signal: AbortSignal): Promise<Answer> {
    const host = plain(name);
    if (isIP(host)) return { addresses: [host] };
    const resolve = once(() => this.#lookUps.addressesOf(host, signal));
    const verdict = await this.#judge.decide({ host, port: null, addresses: resolve }, signal);
    if (!verdict.allowed) return this.#refuse(host, verdict);
    const addresses = await resolve();
    if (this.#names.size > 10_000) this.#names.clear();
    for (const address of addresses) this.#names.set(address, host);
    return { addresses };
  }

  async #records({ name, type }: { name: string; type: string }, signal: AbortSignal): Promise<Answer> {
    const host = plain(name).replace(/^(_[^.]+\.)+/, "");
    const addresses = async () => [];
    const verdict = await this.#judge.decide({ host, port: null, addresses }, signal);
    if (!verdict.allowed) return this.#refuse(host, verdict);
    return { records: await resolveName(plain(name), type) };
  }

  #refuse(target: string, { why }: Extract<Verdict, { allowed: false }>): Answer {
    this.#refused({ wall: "network", target, seenBy: "wall" });
    return failure("EACCES", why);
  }

  /** Connects to the first address that answers. */
  async #reach(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
    let last: unknown = Object.assign(new Error("The name has no address."), { code: "ENOTFOUND" });
    for (const address of addresses) {
      try {
        return await this.#connect(address, port, signal);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  #connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const socket = connect({ host, port, allowHalfOpen: true });
    // Only until it is connected: the one who asked hangs up as soon as there is an answer.
    const giveUp = () => socket.destroy(new Error("Nobody waits for it any more."));
    signal.addEventListener("abort", giveUp, { once: true });
    socket.setTimeout(CONNECT_MS, () =>
      socket.destroy(Object.assign(new Error("The place did not answer in time."), { code: "ETIMEDOUT" })),
    );
    this.#keep(socket);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      signal.removeEventListener("abort", giveUp);
      socket.setTimeout(0);
      resolve(socket);
    });
    return promise;
  }

  /** Makes a socket that leads to an open connection, for the first one who comes. @returns its path behind the wall */
  #wayTo(upstream: Socket, passOn: Join): string {
    const name = String(this.#next++);
    const path = join(this.#folder, name);
    const end = () => {
      clearTimeout(limit);
      server.close();
      this.#sockets.delete(server);
      rmSync(path, { force: true });
    };
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
      end();
      this.#keep(socket);
      passOn(socket, upstream);
    });
    const limit = setTimeout(() => {
      end();
      upstream.destroy();
    }, FETCH_MS);
    server.on("error", () => upstream.destroy());
    server.maxConnections = 1;
    server.listen(path);
    this.#sockets.add(server);
    upstream.once("close", end);
    return join(this.#shownAt, name);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** A host name or address in one spelling: lower case, without brackets and the dot at its end. */
function plain(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** The function, called at most once. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function failure(code: string, message: string): Answer {
  return { error: { code, message } };
}
