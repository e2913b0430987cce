import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createRouterClient } from "@orpc/server";
import { mcpPath, PatchbayError } from "../../../contract/index.ts";
import type { Asker, Authority } from "../../authority/index.ts";
import type { Core } from "../../mcp-server/core.ts";
import { Door } from "../../mcp-server/door.ts";
import type { AppRouter } from "../../rpc/router.ts";
import { readBytes } from "../agent-api/body.ts";
import { bearerOf, type Guard } from "../guard.ts";
import { sendWeb, webRequest } from "./web.ts";

interface McpGateTarget {
  readonly authority: Authority;
  readonly router: AppRouter;
  readonly version: string;
}

/** Who uses the tools of an agent: a program that was let in, or one with the command line's token. */
interface Holder {
  /** The same for each request of the same one. */
  id: string;
  name?: string;
}

interface Session {
  holder: string;
  agentId: string;
  door: Door;
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  /** Requests that are being answered. */
  open: number;
  /** Rises with each request, so that the one that was used least recently is known. */
  used: number;
}

/** Most bytes of a message. */
const mostBytes = 10 * 1024 * 1024;
/** Most sessions of older programs at the same time; the one that was used least recently makes room. */
const mostSessions = 64;

/**
 * MCP over HTTP at `/mcp/<agent id>`: Streamable HTTP with sessions for programs that begin with `initialize`, and single
 * requests as of 2026-07-28. `Host` and `Origin` were checked before.
 */
export class McpGate {
  readonly #target: McpGateTarget;
  readonly #guard: Guard;
  readonly #sessions = new Map<string, Session>();
  readonly #single = new Map<string, { holder: string; door: Door; handler: McpHttpHandler }>();
  readonly #closing = new AbortController();
  #uses = 0;

  constructor(target: McpGateTarget, guard: Guard) {
    this.#target = target;
    this.#guard = guard;
    target.authority.programs.changes.on("ended", this.#onEnded);
  }

  readonly #onEnded = (id: string) => void this.#forget(id);

  /** @throws PatchbayError UNAUTHORIZED, FORBIDDEN, AGENT_NOT_FOUND, PAYLOAD_TOO_LARGE, RATE_LIMITED */
  async serve(pathname: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const agentId = pathname.slice(mcpPath.length + 1);
    const holder = this.#holderOf(request, agentId);
    await this.#coreOf(holder).client.agents.get({ agentId });
    const body = request.method === "POST" ? await readBytes(request, mostBytes) : undefined;
    const asked = webRequest(request, response, body);
    const limit = { maxRequestBodySize: mostBytes };
    const answer = (await isLegacyRequest(asked, undefined, limit))
      ? await this.#inSession(holder, agentId, asked)
      : await this.#singly(holder, agentId).handler.fetch(asked);
    await sendWeb(response, answer);
  }

  async close(): Promise<void> {
    this.#target.authority.programs.changes.off("ended", this.#onEnded);
    this.#closing.abort();
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
    for (const { door, handler } of this.#single.values()) {
      await handler.close();
      await door.close();
    }
  }

  #holderOf(request: IncomingMessage, agentId: string): Holder {
    const token = bearerOf(request);
    const program = token === undefined ? undefined : this.#target.authority.programs.identify(token);
    if (program?.agentId === agentId) return { id: program.id, name: program.name };
    if (program) {
      this.#target.authority.refused("the tools of another agent", program.name);
      throw new PatchbayError("FORBIDDEN", "This token is for another agent.");
    }
    if (this.#guard.byBearer(request).kind === "program") return { id: commandLine };
    throw new PatchbayError("FORBIDDEN", "A page of Patchbay is no program that uses tools.");
  }

  /** A program of 2025 and before, with its session; a new one for `initialize`. */
  async #inSession(holder: Holder, agentId: string, request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const session = id === null ? await this.#begin(holder, agentId) : this.#sessions.get(id);
    if (!session || session.holder !== holder.id || session.agentId !== agentId)
      throw new PatchbayError("NOT_FOUND", "There is no such session, or not any more.");
    session.open += 1;
    session.used = this.#uses += 1;
    try {
      return await session.transport.handleRequest(request);
    } finally {
      session.open -= 1;
      // The request began nothing.
      if (session.transport.sessionId === undefined) await this.#stop(session);
    }
  }

  async #begin(holder: Holder, agentId: string): Promise<Session> {
    await this.#makeRoom();
    const door = new Door({ ...this.#doorOf(agentId, this.#coreOf(holder)), hasSession: true });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(24).toString("base64url"),
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      onsessionclosed: (id) => this.#end(id),
      maxRequestBodySize: mostBytes,
    });
    const server = door.server({ era: "legacy" });
    const session = { holder: holder.id, agentId, door, server, transport, open: 0, used: 0 };
    await server.connect(transport);
    return session;
  }

  async #makeRoom(): Promise<void> {
    if (this.#sessions.size < mostSessions) return;
    const idle = [...this.#sessions].filter(([, { open, door }]) => open === 0 && !door.isBusy);
    const [oldest] = idle.sort(([, left], [, right]) => left.used - right.used);
    if (!oldest) throw new PatchbayError("RATE_LIMITED", "Too many programs use tools at the same time.");
    await this.#end(oldest[0]);
  }

  /** Ends what a program that was taken back still has open. */
  async #forget(holder: string): Promise<void> {
    const own = [...this.#sessions].filter(([, session]) => session.holder === holder);
    for (const [id] of own) await this.#end(id);
    for (const [key, single] of this.#single) {
      if (single.holder !== holder) continue;
      this.#single.delete(key);
      await single.handler.close();
      await single.door.close();
    }
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (session) await this.#stop(session);
  }

  async #stop({ door, server }: Session): Promise<void> {
    await door.close();
    await server.close();
  }

  /** Programs of 2026-07-28: each request stands for itself, and so does each answer to a question. */
  #singly(holder: Holder, agentId: string) {
    const key = `${holder.id} ${agentId}`;
    let single = this.#single.get(key);
    if (!single) {
      const door: Door = new Door({
        ...this.#doorOf(agentId, this.#coreOf(holder, { isSingle: true })),
        hasSession: false,
        onChanged: (of) => handler.notify[`${of}Changed`](),
      });
      const handler = createMcpHandler((how) => door.server(how), {
        legacy: "reject",
        maxRequestBodySize: mostBytes,
      });
      single = { holder: holder.id, door, handler };
      this.#single.set(key, single);
    }
    return single;
  }

  #doorOf(agentId: string, core: Core) {
    return {
      agentId,
      version: this.#target.version,
      source: { use: <T>(work: (core: Core) => Promise<T>) => work(core) },
    };
  }

  /** What the person confirms holds for one session, or for one call where there is none: nobody else knows its name. */
  #coreOf({ name }: Holder, { isSingle = false } = {}): Core {
    const { authority, router } = this.#target;
    const newClient = () => {
      const asker: Asker = {
        kind: "program",
        name: randomBytes(24).toString("base64url"),
        ...(name !== undefined && { letIn: name }),
      };
      return createRouterClient(router, { context: { caller: authority.confirmations.callerOf(asker) } });
    };
    const client = newClient();
    const clientOfCall = isSingle ? newClient : () => client;
    return { client, clientOfCall, alone: false, over: this.#closing.signal, lost: () => {} };
  }
}

const commandLine = "command line";
