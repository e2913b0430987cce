import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { type ClientLink, createORPCClient, ORPCError } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import type { ContractRouterClient } from "@orpc/contract";
import { WebSocket } from "ws";
import { type Contract, gatewayPaths, rpcProtocols } from "../../src/contract/index.ts";
import type { RunningApp } from "../support/running-app.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json(): unknown;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A request as it is: with whatever headers it is given, `Host` and `Origin` too. */
export function ask(url: string, { method = "GET", headers, body }: Asked = {}): Promise<Answer> {
  return new Promise((answered, failed) => {
    const sent = request(url, { method, headers }, (response) => {
      text(response).then(
        (body) =>
          answered({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: body,
            json: () => JSON.parse(body),
          }),
        failed,
      );
    });
    sent.once("error", failed);
    sent.end(body);
  });
}

/** A WebSocket as a screen opens it, or the status with which it was refused. */
export function openSocket(
  url: string,
  protocols: string[],
  headers: Record<string, string> = {},
): Promise<WebSocket | number> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${gatewayPaths.rpc}`, protocols, { headers });
  return new Promise((opened, failed) => {
    socket.once("open", () => opened(socket));
    socket.once("unexpected-response", (_request, response) => {
      socket.terminate();
      opened(response.statusCode ?? 0);
    });
    socket.once("error", failed);
  });
}

/** Opens a page of the app as a browser does, by the newest link in its terminal: the page's own token. */
export async function openScreen(app: Pick<RunningApp, "url" | "codes">) {
  const code = new URL(await app.codes.link()).hash.slice("#link=".length);
  const shown = app.codes.links;
  const headers = { authorization: `Bearer ${code}` };
  const answer = await ask(`${app.url}${gatewayPaths.openScreen}`, { method: "POST", headers });
  if (answer.status !== 200) throw new Error(`refused with ${answer.status}`);
  // The next link is shown once this one is used.
  await app.codes.link(shown + 1);
  const { token } = answer.json() as { token: string };
  const [id = "", secret = ""] = token.split(".");
  return { token, id, secret };
}

export type Client = ContractRouterClient<Contract>;

/**
 * The contract over a WebSocket, as a page has it. What the person has to confirm is confirmed with the code that the app's
 * terminal shows.
 */
export async function connectSocket(app: Pick<RunningApp, "url" | "codes">) {
  const { token } = await openScreen(app);
  const socket = await openSocket(app.url, rpcProtocols(token));
  if (typeof socket === "number") throw new Error(`refused with ${socket}`);
  const link = new RPCLink({ websocket: socket });
  const bare: Client = createORPCClient(link);
  const confirming: ClientLink<Record<never, never>> = {
    async call(path, input, options) {
      const before = app.codes.count;
      try {
        return await link.call(path, input, options);
      } catch (error) {
        if (!(error instanceof ORPCError) || error.code !== "CONFIRMATION_NEEDED") throw error;
        await bare.access.confirm({ code: await app.codes.after(before) });
        return link.call(path, input, options);
      }
    },
  };
  const client: Client = createORPCClient(confirming);
  return { client, socket };
}
