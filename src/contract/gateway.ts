/** Where the gateway of a running app answers, on loopback. */
export const gatewayPaths = {
  /** oRPC: WebSocket upgrade for screens, POST for the command line. */
  rpc: "/rpc",
  /** REST, with `Authorization: Bearer <token>`. */
  rest: "/api",
  openapi: "/api/openapi.json",
  /**
   * A page asks this before it sends its token. Only a server that knows the token can give the right answer, so no
   * other program gets the token.
   */
  proof: "/api/proof",
} as const;

/** Query parameter of a request for a proof: a random text that the page makes. */
export const challengeParameter = "challenge";
export const challengePattern = /^[\w-]{22,64}$/;

/**
 * The text whose HMAC-SHA256, with the token as key, is the answer to a challenge. It includes the address: a program
 * that took over the port of an ended Patchbay could otherwise forward the question to the running one and pass its
 * answer on.
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
