import type { Snapshot } from "../../../contract/app.ts";
import { gatewayPaths, rpcProtocols } from "../../../contract/gateway.ts";
import { letIn } from "./let-in.ts";

/** A core that has proved to be ours, and what was asked of it at the same time. */
export interface Dialled {
  socket: WebSocket;
  /** Whether the socket opened; false when it closed instead. */
  opened: Promise<boolean>;
  closed: Promise<void>;
  /** The first snapshot; null when it could not be fetched. Never rejects. */
  snapshot: Promise<Snapshot | null>;
}

/** How long the core may take to prove itself, and its socket to open, in milliseconds each. */
export const dialTimeoutMs = 5_000;

/**
 * Checks the core that served this page (or a new one at the same address), then fetches its snapshot while the
 * WebSocket opens: that saves a round trip before the first drawing. It does not use oRPC, so that it can begin while
 * the rest of the screens' code is still being loaded.
 * @throws LinkError `refused` when it is not the Patchbay of this page's token, or lets the page in no more, `unreachable` when nobody answers
 */
export async function dial(signal: AbortSignal): Promise<Dialled> {
  const token = await letIn(AbortSignal.any([signal, AbortSignal.timeout(dialTimeoutMs)]));
  const snapshot = askForSnapshot(token, signal);
  const url = new URL(gatewayPaths.rpc, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  const socket = new WebSocket(url, rpcProtocols(token));
  socket.binaryType = "arraybuffer";
  const closed = new Promise<void>((resolve) => socket.addEventListener("close", () => resolve()));
  const opened = Promise.race([
    new Promise<boolean>((resolve) => socket.addEventListener("open", () => resolve(true))),
    closed.then(() => false),
  ]);
  return { socket, opened, closed, snapshot };
}

async function askForSnapshot(token: string, signal: AbortSignal): Promise<Snapshot | null> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${gatewayPaths.rest}/snapshot`, { headers, signal, cache: "no-store" });
    return answer.ok ? ((await answer.json()) as Snapshot) : null;
  } catch {
    // The snapshot is asked for again over the link.
    return null;
  }
}
