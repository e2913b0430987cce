import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { OpenAPIHandler } from "@orpc/openapi/node";
import { BodyLimitPlugin, RPCHandler as HttpRpcHandler } from "@orpc/server/node";
import { RPCHandler as SocketRpcHandler } from "@orpc/server/ws";
import { WebSocketServer } from "ws";
import {
  gatewayPaths,
  mostUploadBytes,
  PatchbayError,
  problemFromWire,
  rpcProtocol,
  toProblem,
} from "../../contract/index.ts";
import { rpcHandlerOptions } from "../rpc/handler.ts";
import type { AppRouter } from "../rpc/router.ts";
import type { Lease, Storage } from "../store/index.ts";
import { AgentApi, agentApiPrefix } from "./agent-api/agent-api.ts";
import type { AgentApiTarget } from "./agent-api/ports.ts";
import { errorBody, refuseUpgrade, sendJson, sendProblem } from "./answer.ts";
import { createGuard } from "./guard.ts";
import { KeptAccess } from "./kept-access.ts";
import { openApiDocument } from "./openapi.ts";
import { serveStatic } from "./static-files.ts";
import { type WebhookHandler, Webhooks } from "./webhooks.ts";

/** What the gateway needs of the core. */
export interface GatewayTarget {
  readonly storage: Pick<Storage, "rows">;
  /** The gateway's address is announced through the lease, so that the command line finds it. */
  readonly lease: Pick<Lease, "announce" | "withdraw">;
  readonly version: string;
  readonly router: AppRouter;
  readonly handleWebhook: WebhookHandler;
  /** What channels with a URL and a token may do. */
  readonly channels: AgentApiTarget;
  /** Told once, when the gateway answers at `url` to whoever shows `token`. */
  gatewayOpened(url: string, token: string): void;
}

export interface GatewayOptions {
  /** 0: any free port; absent: the one of the last start when it is free, else any. */
  port?: number | undefined;
  /** True makes a new token: pages and links of earlier starts no longer work. */
  newToken?: boolean;
  /** Folder of the built screens. */
  rendererDir: string;
}

export interface Gateway {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
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
  const access = new KeptAccess(target.storage);
  const kept = access.read({ renew: options.newToken });
  const { token } = kept;
  let port = options.port ?? kept.port;
  const guard = createGuard(token, () => port);
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

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pathname = pathOf(request);
    const channel = webhooks.match(pathname);
    // A webhook arrives through the person's own tunnel, so its `Host` is a public name and it has no token. `Webhooks`
    // has its own limits.
    if (channel) return webhooks.serve(channel, request, response);
    guard.checkHost(request);
    guard.checkOrigin(request);
    if (isUnder(pathname, agentApiPrefix)) return agentApi.serve(request, response);
    if (pathname === gatewayPaths.proof) return sendJson(response, 200, { proof: guard.prove(request) });
    if (pathname === gatewayPaths.openapi) {
      guard.checkBearer(request);
      return sendJson(response, 200, await openApiDocument(target.version));
    }
    if (isUnder(pathname, gatewayPaths.rest)) {
      guard.checkBearer(request);
      checkLength(request);
      const { matched } = await rest.handle(request, response, { prefix: gatewayPaths.rest });
      if (matched) return;
      throw new PatchbayError("NOT_FOUND", `Nothing answers to ${request.method} ${pathname}.`);
    }
    if (isUnder(pathname, gatewayPaths.rpc)) {
      guard.checkBearer(request);
      checkLength(request);
      const { matched } = await rpc.handle(request, response, { prefix: gatewayPaths.rpc });
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
    try {
      guard.checkHost(request);
      guard.checkOrigin(request);
      guard.checkProtocols(request);
      if (pathOf(request) !== gatewayPaths.rpc)
        throw new PatchbayError("NOT_FOUND", `A WebSocket is served at ${gatewayPaths.rpc} alone.`);
    } catch (error) {
      refuseUpgrade(socket, toProblem(error));
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      connection.on("error", () => connection.terminate());
      void socketRpc.upgrade(connection);
    });
  });

  port = await listen(server, port, options.port === undefined);
  await access.keep({ token, port });
  const url = `http://127.0.0.1:${port}`;
  await target.lease.announce({ url, token, pid: process.pid });
  target.gatewayOpened(url, token);

  return {
    url,
    token,
    async close() {
      await target.lease.withdraw();
      agentApi.close();
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
