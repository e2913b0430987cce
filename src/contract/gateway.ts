/** Where the gateway of a running app answers, on loopback. */
export const gatewayPaths = {
  /** oRPC: WebSocket upgrade for screens, POST for the command line. */
  rpc: "/rpc",
  /** REST, with `Authorization: Bearer <token>`. */
  rest: "/api",
  openapi: "/api/openapi.json",
  /** Asked by a page before it shows its token: whoever answers knows that token, or gets nothing. */
  proof: "/api/proof",
} as const;

/** Parameter of a request for a proof: a random text of the page's own. */
export const challengeParameter = "challenge";
export const challengePattern = /^[\w-]{22,64}$/;

/**
 * What the answer to a challenge is made over, by HMAC-SHA256 with the token as its key. The address is part of it, so that
 * a program that took over the port of a Patchbay that ended cannot pass the question on to the one that runs now.
 */
export function proofText(host: string, challenge: string): string {
  return `patchbay proof\n${host.toLowerCase()}\n${challenge}`;
}

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

/** The address a person opens in a browser. */
export function gatewayLink(gateway: { url: string; token: string }): string {
  return `${gateway.url}/#${tokenParameter}=${gateway.token}`;
}
