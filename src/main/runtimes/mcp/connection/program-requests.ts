import {
  type JSONRPCMessage,
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from "@modelcontextprotocol/client";
import { isObject } from "../../../../contract/is-object.ts";
import { type AbortSource, onAbort } from "../../../base/call-abort.ts";
import type { SpokenTransport } from "./spoken-transport.ts";

/** The first id of these requests. The client's own begin at 0, and servers may keep an id in 32 bits. */
const FIRST_ID = 1_000_000_000;

/** What a request to a server asks for. */
export interface ServerRequest {
  method: string;
  params: Record<string, unknown>;
}

export interface ServerRequestOptions {
  /** Gives the request up, and tells the server. */
  abort: AbortSource;
  onprogress?: ((progress: Progress) => void) | undefined;
  /** Further headers, for a server at an address. */
  headers?: Record<string, string> | undefined;
}

interface Waiting {
  resolve(result: Record<string, unknown>): void;
  reject(reason: unknown): void;
  onprogress: ServerRequestOptions["onprogress"];
  unlink: (() => void) | undefined;
}

/**
 * Requests to a program of the older era, beside the client's. The client reads each answer three times and makes a signal and
 * a timer for each request; here nothing is looked at that the reader of the answer looks at itself.
 */
export class ProgramRequests {
  readonly #transport: SpokenTransport;
  readonly #waiting = new Map<number, Waiting>();
  #next = FIRST_ID;

  constructor(transport: SpokenTransport) {
    this.#transport = transport;
    transport.share({ take: (message) => this.#take(message), over: () => this.#over() });
  }

  /**
   * Resolves with the result, of which only its being an object is known.
   * @throws ProtocolError for an error that the server answers with, SdkError when the connection ends, the abort's reason
   */
  make(
    { method, params }: ServerRequest,
    { abort, onprogress }: ServerRequestOptions,
  ): Promise<Record<string, unknown>> {
    if (abort.aborted) return Promise.reject(abort.reason);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const sent = onprogress ? { ...params, _meta: { progressToken: id } } : params;
      this.#transport.write({ jsonrpc: "2.0", id, method, params: sent });
      const unlink = onAbort(abort, (reason) => this.#cancel(id, reason));
      this.#waiting.set(id, { resolve, reject, onprogress, unlink });
    });
  }

  #cancel(id: number, reason: unknown): void {
    const waiting = this.#settled(id);
    if (!waiting) return;
    waiting.reject(reason);
    void this.#transport
      .send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: id, reason: String(reason) },
      })
      // It has ended, and so has the request.
      .catch(() => {});
  }

  /** Whether the message was for one of these requests. */
  #take(message: JSONRPCMessage): boolean {
    if ("method" in message)
      return (
        !("id" in message) && message.method === "notifications/progress" && this.#progress(message.params)
      );
    const waiting = this.#settled(Number(message.id));
    if (!waiting) return false;
    if ("error" in message) {
      const { code, message: said, data } = message.error;
      waiting.reject(ProtocolError.fromError(code, said, data));
    } else waiting.resolve(completeOf(message.result));
    return true;
  }

  #progress(params: Record<string, unknown> = {}): boolean {
    const { progressToken, progress, total, message } = params;
    const waiting = this.#waiting.get(Number(progressToken));
    if (!waiting) return false;
    // One that says nothing is no sign of life.
    if (typeof progress !== "number") return true;
    waiting.onprogress?.({
      progress,
      ...(typeof total === "number" && { total }),
      ...(typeof message === "string" && { message }),
    });
    return true;
  }

  #settled(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#waiting.delete(id);
    waiting.unlink?.();
    return waiting;
  }

  #over(): void {
    for (const id of [...this.#waiting.keys()])
      this.#settled(id)?.reject(new SdkError(SdkErrorCode.ConnectionClosed, "The connection was closed."));
  }
}

/** Results are complete in the older era, whatever a server writes there: it has no questions instead of a result. */
function completeOf(result: unknown): Record<string, unknown> {
  if (!isObject(result)) return {};
  if (!("resultType" in result)) return result;
  const { resultType: _, ...complete } = result;
  return complete;
}
