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
  /** POST with the code of a link as bearer: a token of the page's own, as `{token}`. The code is used up. */
  openScreen: "/api/screen/open",
  /** POST with the page's token as bearer: the token that replaces it, as `{token}`. */
  renewScreen: "/api/screen/renew",
} as const;

/**
 * A text that a program makes up and sends with each request: what the person confirms holds for this name alone, so
 * that another program with the same token has nothing of it.
 */
export const callerHeader = "x-patchbay-caller";
export const callerPattern = /^[\w-]{22,64}$/;

/**
 * Query parameters of a request for a proof: a random text that the page makes, and the part of its token (or of its
 * link's code) before the dot.
 */
export const challengeParameter = "challenge";
export const holderParameter = "holder";
export const challengePattern = /^[\w-]{22,64}$/;

/**
 * The text whose HMAC-SHA256 is the answer to a challenge; the key is the SHA-256 of the token's part after the dot, in
 * base64url. It includes the address: a program
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

/** Parameter of the link's fragment (`#link=…`); a fragment is never sent to a server. */
export const linkParameter = "link";

/** The address a person opens in a browser, once. */
export function gatewayLink({ url, code }: { url: string; code: string }): string {
  return `${url}/#${linkParameter}=${code}`;
}
