import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { OpenAPIHandler } from "@orpc/openapi/node";
import { BodyLimitPlugin, RPCHandler as HttpRpcHandler } from "@orpc/server/node";
import { RPCHandler as SocketRpcHandler } from "@orpc/server/ws";
import { type WebSocket, WebSocketServer } from "ws";
import {
  gatewayLink,
  gatewayPaths,
  mcpPath,
  mostUploadBytes,
  PatchbayError,
  problemFromWire,
  rpcProtocol,
  toProblem,
} from "../../contract/index.ts";
import type { Asker, Authority } from "../authority/index.ts";
import type { CallContext } from "../rpc/context.ts";
import { rpcHandlerOptions } from "../rpc/handler.ts";
import type { AppRouter } from "../rpc/router.ts";
import type { Lease } from "../store/index.ts";
import { AgentApi, agentApiPrefix } from "./agent-api/agent-api.ts";
import type { AgentApiTarget } from "./agent-api/ports.ts";
import { errorBody, refuseUpgrade, sendJson, sendProblem } from "./answer.ts";
import { createGuard } from "./guard.ts";
import { McpGate } from "./mcp/mcp-gate.ts";
import { openApiDocument } from "./openapi.ts";
import { ScreenDoor } from "./screen-door.ts";
import { serveStatic } from "./static-files.ts";
import { type WebhookHandler, Webhooks } from "./webhooks.ts";

/** What the gateway needs of the core. */
export interface GatewayTarget {
  readonly authority: Authority;
  /** The gateway's address is announced through the lease, so that the command line finds it. */
  readonly lease: Pick<Lease, "announce" | "withdraw">;
  readonly version: string;
  readonly router: AppRouter;
  readonly handleWebhook: WebhookHandler;
  /** What channels with a URL and a token may do. */
  readonly channels: AgentApiTarget;
  /** Told of each token that was given out, so that no log shows it. */
  hide(token: string): void;
  /** Told once, when the gateway answers at `url`. */
  gatewayOpened(url: string): void;
}

export interface GatewayOptions {
  /** 0: any free port; absent: the one of the last start when it is free, else any. */
  port?: number | undefined;
  /** True ends all screens: pages of earlier starts no longer work. */
  newToken?: boolean;
  /** Folder of the built screens. */
  rendererDir: string;
  /** A link was opened, so it opens nothing any more. `link` is the next one. */
  onScreen?(link: string): void;
}

export interface Gateway {
  /** Without a slash at the end. */
  readonly url: string;
  /** The token of programs as it is now. */
  readonly token: string;
  /** A new address that lets one page in, once. */
  link(): string;
  close(): Promise<void>;
}

// Most bytes of a REST or RPC request over HTTP.
const maxBodyBytes = 10 * 1024 * 1024;
/**
 * Most bytes of a WebSocket message: a package file that a screen uploads, and 64 KiB around it. Only a client that has
 * shown the token can send one.
 */
const maxMessageBytes = mostUploadBytes + 64 * 1024;

/**
 * Serves the core on 127.0.0.1: RPC over WebSocket and POST, REST, webhooks, the agent API and the screens. Announces
 * its address through the lease for clients that may read it.
 * @throws PatchbayError PORT_IN_USE
 */
export async function openGateway(target: GatewayTarget, options: GatewayOptions): Promise<Gateway> {
  const { authority } = target;
  const { kept, screens, program } = authority;
  if (options.newToken) await screens.endAll();
  let port = options.port ?? kept.port;
  const guard = createGuard(authority, () => port);
  const link = () => gatewayLink({ url: `http://127.0.0.1:${port}`, code: newCode() });
  const newCode = () => {
    const code = authority.links.make();
    target.hide(code);
    return code;
  };
  const door = new ScreenDoor({
    authority,
    guard,
    hide: (token) => target.hide(token),
    onOpened: () => options.onScreen?.(link()),
  });
  const limits = { plugins: [new BodyLimitPlugin({ maxBodySize: maxBodyBytes })] };
  const rest = new OpenAPIHandler(target.router, {
    ...rpcHandlerOptions(),
    ...limits,
    customErrorResponseBodyEncoder: (error) => errorBody(problemFromWire(error)),
  });
  const rpc = new HttpRpcHandler(target.router, { ...rpcHandlerOptions(), ...limits });
  const socketRpc = new SocketRpcHandler(target.router, rpcHandlerOptions());
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    handleProtocols: (protocols) => (protocols.has(rpcProtocol) ? rpcProtocol : false),
  });
  const webhooks = new Webhooks(target.handleWebhook);
  const agentApi = new AgentApi(target.channels);
  const mcp = new McpGate(target, guard);

  const contextOf = (asker: Asker): CallContext => ({ caller: authority.confirmations.callerOf(asker) });
  const ofScreens = new Map<WebSocket, string>();
  const onEnded = (id: string) => {
    for (const [socket, screen] of ofScreens) if (screen === id) socket.close(4001, "This screen was ended.");
  };
  screens.changes.on("ended", onEnded);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pathname = pathOf(request);
    const channel = webhooks.match(pathname);
    // A webhook arrives through the person's own tunnel, so its `Host` is a public name and it has no token. `Webhooks`
    // has its own limits.
    if (channel) return webhooks.serve(channel, request, response);
    guard.checkHost(request);
    guard.checkOrigin(request);
    if (isUnder(pathname, agentApiPrefix)) return agentApi.serve(request, response);
    if (isUnder(pathname, mcpPath)) return mcp.serve(pathname, request, response);
    if (pathname === gatewayPaths.proof) return sendJson(response, 200, { proofs: guard.prove(request) });
    if (door.isFor(pathname)) return door.serve(pathname, request, response);
    if (pathname === gatewayPaths.openapi) {
      guard.byBearer(request);
      return sendJson(response, 200, await openApiDocument(target.version));
    }
    if (isUnder(pathname, gatewayPaths.rest)) {
      const context = contextOf(guard.byBearer(request));
      checkLength(request);
      const { matched } = await rest.handle(request, response, { prefix: gatewayPaths.rest, context });
      if (matched) return;
      throw new PatchbayError("NOT_FOUND", `Nothing answers to ${request.method} ${pathname}.`);
    }
    if (isUnder(pathname, gatewayPaths.rpc)) {
      const context = contextOf(guard.byBearer(request));
      checkLength(request);
      const { matched } = await rpc.handle(request, response, { prefix: gatewayPaths.rpc, context });
      if (matched) return;
      throw new PatchbayError("NOT_FOUND", "There is no such procedure.");
    }
    return serveStatic(options.rendererDir, pathname, port, request, response);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // The rest of a refused body is read and dropped: cut off, its sender would not get to see why.
      request.resume();
      sendProblem(response, error instanceof PatchbayError ? error.toProblem() : wireOrInternal(error));
    });
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    let asker: Asker;
    try {
      guard.checkHost(request);
      guard.checkOrigin(request);
      asker = guard.byProtocols(request);
      if (pathOf(request) !== gatewayPaths.rpc)
        throw new PatchbayError("NOT_FOUND", `A WebSocket is served at ${gatewayPaths.rpc} alone.`);
    } catch (error) {
      refuseUpgrade(socket, toProblem(error));
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      connection.on("error", () => connection.terminate());
      if (asker.kind === "screen") ofScreens.set(connection, asker.id);
      connection.on("close", () => ofScreens.delete(connection));
      void socketRpc.upgrade(connection, { context: contextOf(asker) });
    });
  });

  port = await listen(server, port, options.port === undefined);
  await kept.keepPort(port);
  const url = `http://127.0.0.1:${port}`;
  const announce = (token: string) => {
    target.hide(token);
    return target.lease.announce({ url, token, pid: process.pid });
  };
  await announce(program.newest);
  // A token that cannot be written leaves programs without one until the next; the screens go on.
  program.begin((token) => void announce(token).catch(() => {}));
  target.gatewayOpened(url);

  return {
    url,
    get token() {
      return program.newest;
    },
    link,
    async close() {
      program.end();
      screens.changes.off("ended", onEnded);
      await target.lease.withdraw();
      agentApi.close();
      await mcp.close();
      for (const connection of sockets.clients) connection.close(1001, "Patchbay is closing.");
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of sockets.clients) connection.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @throws PatchbayError BAD_INPUT */
function pathOf(request: IncomingMessage): string {
  const url = URL.parse(request.url ?? "/", "http://localhost");
  if (!url) throw new PatchbayError("BAD_INPUT", "The address is not written correctly.");
  return url.pathname;
}

function isUnder(pathname: string, prefix: string): boolean {
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}

function checkLength(request: IncomingMessage): void {
  if (Number(request.headers["content-length"]) > maxBodyBytes)
    throw new PatchbayError(
      "PAYLOAD_TOO_LARGE",
      `A request may carry at most ${maxBodyBytes / 1024 / 1024} MiB.`,
    );
}

function wireOrInternal(error: unknown) {
  const problem = problemFromWire(error);
  return problem.code === "INTERNAL" ? toProblem(error) : problem;
}

/** Listens on `port`. When it is taken and `orAny` is true, listens on any free port instead. */
async function listen(server: Server, port: number, orAny: boolean): Promise<number> {
  try {
    return await listenAt(server, port);
  } catch (error) {
    const taken = error instanceof PatchbayError && error.code === "PORT_IN_USE";
    if (!taken || !orAny) throw error;
    return listenAt(server, 0);
  }
}

function listenAt(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new PatchbayError("PORT_IN_USE", `Port ${port} is in use by another program.`, { cause: error })
          : error,
      );
    server.once("error", fail);
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.off("error", fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
