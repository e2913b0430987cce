import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../../base/clock.ts";
import { type LastExchange, retryTime } from "./model-failure.ts";

/** The exchanges of one model with its provider: sees each, and never lets one go on to another address. */
export class WatchedFetch {
  last: LastExchange = { kind: "none" };
  private readonly clock: Clock;
  private readonly through: typeof fetch;

  constructor(clock: Clock, through: typeof fetch = fetch) {
    this.clock = clock;
    this.through = through;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    try {
      // A key that stands in a header of its own would be sent along to wherever an answer points.
      const response = await this.through(input, { ...init, redirect: "manual" });
      const answered = {
        kind: "answered" as const,
        status: response.status,
        contentType: response.headers.get("content-type") ?? "",
        retryAt: retryTime(response.headers.get("retry-after"), this.clock.now()),
        cut: false,
      };
      this.last = answered;
      return watched(response, () => {
        answered.cut = true;
      });
    } catch (error) {
      this.last = { kind: "unreachable", ...causeOf(error) };
      throw error;
    }
  };

  /** For libraries that take no `fetch`: what they fetch while `work` runs goes through this one. */
  around<T>(work: () => T): T {
    stepBefore();
    return current.run(this, work);
  }
}

const current = new AsyncLocalStorage<WatchedFetch>();
let plain: typeof fetch | undefined;

/** Puts one function before the process's `fetch`, once. Calls that are not made by a model pass through it as they are. */
function stepBefore(): void {
  if (plain) return;
  const before = globalThis.fetch;
  plain = before;
  globalThis.fetch = (input, init) => {
    const watch = current.getStore();
    return watch ? current.exit(() => watch.fetch(input, init)) : before(input, init);
  };
}

/** The same response, whose reader is told when the connection breaks while the body is read. */
function watched(response: Response, onCut: () => void): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        onCut();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function causeOf(error: unknown): { why: string; lost: boolean } {
  if (!(error instanceof Error)) return { why: String(error), lost: false };
  const { cause } = error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") {
    const known = words[cause.code];
    return { why: known ?? cause.message.replace(/\.$/, ""), lost: lost.has(cause.code) };
  }
  return { why: (cause instanceof Error ? cause.message : error.message).replace(/\.$/, ""), lost: false };
}

/** A connection was there, and then it was not. */
const lost = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);
const words: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "the name is not known",
  EAI_AGAIN: "the name is not known",
  ETIMEDOUT: "it took too long",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "it took too long",
  UND_ERR_HEADERS_TIMEOUT: "it took too long",
};
