import type { FromHost, Payloads, ToHost } from "../protocol.ts";

/** The host's end of the line to the app. */
export interface HostPort<P extends Payloads = Payloads> {
  /** @throws when the message contains something that cannot be sent, such as a function. */
  post(message: FromHost<P>): void;
  /** Sends the last message of this process; resolves when it has left, or after 200 ms. */
  postLast(message: FromHost<P>): Promise<void>;
  onMessage(listener: (message: ToHost<P>) => void): void;
  /** The app is gone. */
  onClose(listener: () => void): void;
}

/** Electron gives a utility process `process.parentPort`; a fork has `process.send`. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { data: unknown }) => void): void;
  on(event: "close", listener: () => void): void;
}

export function openPort<P extends Payloads>(): HostPort<P> {
  const parentPort = (process as unknown as { parentPort?: ParentPort }).parentPort;
  return parentPort ? electronPort<P>(parentPort) : forkPort<P>();
}

const LAST_WORDS_MS = 200;

function forkPort<P extends Payloads>(): HostPort<P> {
  const send = process.send?.bind(process);
  if (!send) throw new Error("This file runs inside a plugin host process; it is started by Patchbay.");
  return {
    post: (message) => {
      if (process.connected) send(message);
    },
    postLast: (message) =>
      new Promise((resolve) => {
        if (!process.connected) return resolve();
        setTimeout(resolve, LAST_WORDS_MS);
        send(message, undefined, undefined, () => resolve());
      }),
    onMessage: (listener) => process.on("message", (message) => listener(message as ToHost<P>)),
    onClose: (listener) => process.on("disconnect", listener),
  };
}

function electronPort<P extends Payloads>(port: ParentPort): HostPort<P> {
  return {
    post: (message) => port.postMessage(message),
    postLast: (message) =>
      new Promise((resolve) => {
        port.postMessage(message);
        setTimeout(resolve, LAST_WORDS_MS / 4);
      }),
    onMessage: (listener) => port.on("message", (event) => listener(event.data as ToHost<P>)),
    onClose: (listener) => port.on("close", listener),
  };
}
