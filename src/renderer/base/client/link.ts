import type { ClientLink } from "@orpc/client";
import type { Snapshot } from "../../../contract/app.ts";
import { type Dialled, dialTimeoutMs } from "./dial.ts";
import { LinkError } from "./link-error.ts";

type Link = ClientLink<Record<never, never>>;

/** One open connection to the core. `closed` resolves once, when the connection is lost. */
export interface OpenLink {
  link: Link;
  closed: Promise<void>;
  close(): void;
  /** The snapshot, where it was fetched while the link was being opened; null when that failed. */
  snapshot?: Promise<Snapshot | null>;
}

/** Loaded as a file of its own, because the first drawing does not need it. */
const transports = () => import("./transports.ts");

/** The link over a socket that is being opened. */
export async function openSocket(dialling: Promise<Dialled>, signal: AbortSignal): Promise<OpenLink> {
  const { socket, opened, closed, snapshot } = await dialling;
  const close = () => socket.close();
  signal.addEventListener("abort", close, { once: true });
  if (!(await Promise.race([opened, wait(dialTimeoutMs, signal).then(() => false)]))) {
    close();
    throw new LinkError("unreachable");
  }
  const { linkOver } = await transports();
  return { link: linkOver(socket), closed, close, snapshot };
}

/** Asks the preload for the one MessagePort of the desktop shell. */
export async function openPort(signal: AbortSignal): Promise<OpenLink> {
  const port = await receivePort(signal);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  port.addEventListener("close", () => resolve());
  const close = () => {
    port.close();
    resolve();
  };
  signal.addEventListener("abort", close, { once: true });
  const { PortLink } = await transports();
  const link = new PortLink({ port });
  port.start();
  return { link, closed, close };
}

async function receivePort(signal: AbortSignal): Promise<MessagePort> {
  const { promise, resolve } = Promise.withResolvers<MessagePort>();
  const receive = (event: MessageEvent) => {
    const port = event.ports[0];
    if (event.source === window && event.data === "patchbay:port" && port) resolve(port);
  };
  window.addEventListener("message", receive);
  window.postMessage("patchbay:ready", location.origin);
  const port = await Promise.race([promise, wait(dialTimeoutMs, signal).then(() => null)]);
  window.removeEventListener("message", receive);
  if (!port) throw new LinkError("unreachable");
  return port;
}

/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
