import { z } from "zod";

/** Where the gateway of a running app answers, on loopback. */
export const gatewayPaths = {
  /** oRPC: WebSocket upgrade for screens, POST for the command line. */
  rpc: "/rpc",
  /** REST, with `Authorization: Bearer <token>`. */
  rest: "/api",
  openapi: "/api/openapi.json",
} as const;

/**
 * Name of the WebSocket subprotocol. A browser cannot set headers on a WebSocket and an address ends up in logs, so the
 * token travels as a second subprotocol; the server answers with the bare name and never repeats the token.
 */
export const rpcProtocol = "patchbay";

/** What to pass as the second argument of `new WebSocket(url, …)`. */
export function rpcProtocols(token: string): string[] {
  return [rpcProtocol, `${rpcProtocol}.${token}`];
}

/** The token in a list of offered subprotocols, if there is one. */
export function tokenOfProtocols(protocols: Iterable<string>): string | undefined {
  for (const protocol of protocols)
    if (protocol.startsWith(`${rpcProtocol}.`)) return protocol.slice(rpcProtocol.length + 1);
  return undefined;
}

/** Parameter of the link's fragment (`#token=…`); a fragment is never sent to a server. */
export const tokenParameter = "token";

/** `gateway.json` in the home folder: how to reach the running app. */
export const gatewayFileSchema = z.object({
  /** Without a slash at the end: `http://127.0.0.1:49152`. */
  url: z.url(),
  token: z.string(),
  pid: z.number().int(),
});
export type GatewayFile = z.infer<typeof gatewayFileSchema>;

/** The address a person opens in a browser. */
export function gatewayLink(gateway: Pick<GatewayFile, "url" | "token">): string {
  return `${gateway.url}/#${tokenParameter}=${gateway.token}`;
}
