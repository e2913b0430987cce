import type { ClientLink } from "@orpc/client";
import { RPCLink as PortLink } from "@orpc/client/message-port";
import type { Snapshot } from "../../../contract/app.ts";
import { gatewayPaths, rpcProtocols } from "../../../contract/gateway.ts";
import { checkCore } from "./core-proof.ts";
import { LinkError } from "./link-error.ts";
import { linkOver } from "./socket-link.ts";

type Link = ClientLink<Record<never, never>>;

/** One open way to the core. `closed` resolves once when it is lost. */
export interface OpenLink {
  link: Link;
  closed: Promise<void>;
  close(): void;
  /** How everything is, where it could be asked for while the link was still being opened; null when that failed. */
  snapshot?: Promise<Snapshot | null>;
}

const openTimeoutMs = 5_000;

/** Opens a WebSocket to the gateway that served this page, or to its successor at the same address. */
export async function openSocket(token: string, signal: AbortSignal): Promise<OpenLink> {
  await checkCore(token, AbortSignal.any([signal, AbortSignal.timeout(openTimeoutMs)]));
  // Beside the handshake: one round trip less before the first drawing.
  const snapshot = askForSnapshot(token, signal);
  const url = new URL(gatewayPaths.rpc, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  const socket = new WebSocket(url, rpcProtocols(token));
  socket.binaryType = "arraybuffer";
  const closed = new Promise<void>((resolve) => socket.addEventListener("close", () => resolve()));
  const close = () => socket.close();
  signal.addEventListener("abort", close, { once: true });
  const opened = await Promise.race([
    new Promise<true>((resolve) => socket.addEventListener("open", () => resolve(true))),
    closed.then(() => false as const),
    wait(openTimeoutMs, signal).then(() => false as const),
  ]);
  if (!opened) {
    close();
    throw new LinkError("unreachable");
  }
  return { link: linkOver(socket), closed, close, snapshot };
}

async function askForSnapshot(token: string, signal: AbortSignal): Promise<Snapshot | null> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${gatewayPaths.rest}/snapshot`, { headers, signal, cache: "no-store" });
    return answer.ok ? ((await answer.json()) as Snapshot) : null;
  } catch {
    // It is asked for again over the link.
    return null;
  }
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
  const port = await Promise.race([promise, wait(openTimeoutMs, signal).then(() => null)]);
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
