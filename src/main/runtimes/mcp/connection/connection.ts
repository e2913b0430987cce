import type { Client } from "@modelcontextprotocol/client";
import { ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { CallAbort } from "../../../base/call-abort.ts";
import { within } from "../../../base/limit.ts";
import type { HostExit } from "../../../platform/platform.ts";
import type { Era } from "./connect.ts";
import { ProgramRequests, type ServerRequest, type ServerRequestOptions } from "./program-requests.ts";
import { residentBytesOf } from "./resident-bytes.ts";
import type { SpokenTransport } from "./spoken-transport.ts";

/** Milliseconds that the end of a session may take. */
const LEAVE_MS = 1_500;
/** The library wants a limit of its own; that of a call is the pool's, which aborts it. In milliseconds, the most a timer takes. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** Takes any result: what it says is judged by the reader. */
const anything = z.looseObject({});

/** Which list a server says has changed. */
export type ListKind = "tools" | "prompts" | "resources";

/** What was agreed on with a server: the era, its revision of the protocol, and what the server calls itself. */
export interface Speaks {
  era: Era;
  version: string | null;
  server: { name: string; version: string } | null;
}

/** A connection to a server that has answered. */
export class Connection {
  readonly client: Client;
  readonly era: Era;
  /** The program's; null for a remote server. */
  readonly transport: SpokenTransport | null;
  /** Of a remote server; null for a program. */
  readonly host: string | null;
  readonly exited: Promise<HostExit>;
  readonly #requests: ProgramRequests | null;
  readonly #leave: (() => Promise<void>) | undefined;
  #exit: HostExit | undefined;
  #onListChanged: ((kind: ListKind) => void) | undefined;

  constructor(of: {
    client: Client;
    era: Era;
    transport: SpokenTransport | null;
    host: string | null;
    /** Ends the session at a server that keeps them. */
    leave?: () => Promise<void>;
  }) {
    this.client = of.client;
    this.era = of.era;
    this.transport = of.transport;
    this.host = of.host;
    this.#requests = of.transport && of.era === "legacy" ? new ProgramRequests(of.transport) : null;
    this.#leave = of.leave;
    const { promise, resolve } = Promise.withResolvers<HostExit>();
    this.exited = promise;
    if (of.transport) void of.transport.exited.then(resolve);
    else of.client.onclose = () => resolve({ code: 0, signal: null });
    void promise.then((exit) => {
      this.#exit = exit;
    });
  }

  get pid(): number | null {
    return this.transport?.pid ?? null;
  }

  get speaks(): Speaks {
    const named = this.client.getServerVersion();
    return {
      era: this.era,
      version: this.client.getNegotiatedProtocolVersion() ?? null,
      server: named ? { name: cleanText(named.name), version: cleanText(named.version) } : null,
    };
  }

  /** Makes a request, whose result may have any form, and may be questions. @throws what the client throws, the abort's reason */
  async request(request: ServerRequest, options: ServerRequestOptions): Promise<Record<string, unknown>> {
    if (this.#requests) return this.#requests.make(request, options);
    const { abort, onprogress, headers } = options;
    return this.client.request(request, anything, {
      signal: abort instanceof CallAbort ? abort.signal : abort,
      timeout: NO_LIMIT_MS,
      allowInputRequired: true,
      ...(headers && { headers }),
      ...(onprogress && { onprogress }),
    });
  }

  onListChanged(listener: (kind: ListKind) => void): void {
    this.#onListChanged = listener;
  }

  /** The server says that what it offers has changed. */
  listChanged(kind: ListKind): void {
    this.#onListChanged?.(kind);
  }

  /** How its program ended, when it has; a call that fails for that comes a moment before it is known. */
  async endedNow(): Promise<HostExit | undefined> {
    if (this.transport === null || !this.transport.hasExited) return undefined;
    return this.#exit ?? this.transport.exited;
  }

  /** Asks a server of the older era for a sign of life; in the newer one there is no such question. */
  async ping(signal: AbortSignal): Promise<void> {
    if (this.era === "modern" || this.transport === null) return;
    await this.client.ping({ signal }).catch((error: unknown) => {
      // It answers, and does not know the question.
      if (!ProtocolError.isInstance(error)) throw error;
    });
  }

  /** Tells a server that keeps sessions that this one is over, and closes. A server that does not answer is left. Never rejects. */
  async close(): Promise<void> {
    await within({ ms: LEAVE_MS }, async () => this.#leave?.()).catch(() => {});
    await this.client.close().catch(() => {});
  }

  memoryBytes(): number {
    return this.pid === null ? 0 : residentBytesOf(this.pid);
  }
}
