import { AsyncLocalStorage } from "node:async_hooks";
import type { Problem } from "../../../../contract/index.ts";
import type { HostRequest } from "../protocol.ts";
import { isSendable } from "../size.ts";
import { HostError } from "./host-error.ts";
import type { HostPort } from "./port.ts";

/**
 * Id of the call that the running code belongs to. The time limit of that call is paused while the plugin waits for the
 * answer to a question.
 */
export const currentCall = new AsyncLocalStorage<number>();

/** Largest question to the app, roughly in bytes: a longer line is not read. */
const MAX_QUESTION = 64 * 1024 * 1024;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onDelta: ((text: string) => void) | undefined;
}

/** Questions of plugin code to the app, matched with their answers. */
export class Requests {
  readonly #port: HostPort;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor(port: HostPort) {
    this.#port = port;
  }

  /** @param options.signal aborting it gives up: the promise rejects and the app is told */
  send(
    request: HostRequest,
    options: { signal?: AbortSignal; onDelta?: (text: string) => void } = {},
  ): Promise<unknown> {
    const { signal, onDelta } = options;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      // Writing it down as a line would take more memory than this process has, and end it.
      if (!isSendable(request, MAX_QUESTION))
        return reject(new HostError("BAD_INPUT", "What the plugin sends to Patchbay is larger than 64 MB."));
      const giveUp = () => {
        this.#waiting.delete(id);
        this.#port.post({ t: "cancel", id });
        reject(signal?.reason);
      };
      const settle = () => {
        this.#waiting.delete(id);
        signal?.removeEventListener("abort", giveUp);
      };
      this.#waiting.set(id, {
        resolve: (value) => {
          settle();
          resolve(value);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
        onDelta,
      });
      signal?.addEventListener("abort", giveUp, { once: true });
      try {
        this.#port.post({ t: "request", id, during: currentCall.getStore() ?? null, request });
      } catch (error) {
        this.#waiting.get(id)?.reject(error);
      }
    });
  }

  answer(id: number, value: unknown): void {
    this.#waiting.get(id)?.resolve(value);
  }

  refuse(id: number, problem: Problem): void {
    this.#waiting.get(id)?.reject(new HostError(problem.code, problem.message, problem.details));
  }

  delta(id: number, text: string): void {
    this.#waiting.get(id)?.onDelta?.(text);
  }
}
