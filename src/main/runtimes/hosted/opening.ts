import { PatchbayError } from "../../../contract/index.ts";

/**
 * Waits once for the first answer of a host. The wait ends when the host has opened, when it failed, when its process
 * ended, or when the caller gave up.
 */
export class Opening<T> {
  readonly #waiting = Promise.withResolvers<T>();

  /** Resolves with what {@link opened} is told. @throws what {@link failed} is told, or the signal's reason */
  async wait(signal: AbortSignal, ask: () => void): Promise<T> {
    if (signal.aborted) throw reasonOf(signal);
    const abort = () => this.#waiting.reject(reasonOf(signal));
    signal.addEventListener("abort", abort, { once: true });
    try {
      ask();
      return await this.#waiting.promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  opened(result: T): void {
    this.#waiting.resolve(result);
  }

  failed(error: PatchbayError): void {
    // When the process ends later, nobody waits any more; without this the rejection would be unhandled.
    this.#waiting.promise.catch(() => {});
    this.#waiting.reject(error);
  }
}

function reasonOf({ reason }: AbortSignal): unknown {
  return reason instanceof Error ? reason : new PatchbayError("ABORTED", "Stopped.");
}
