import type { IncomingMessage } from "node:http";
import {
  callerHeader,
  callerPattern,
  challengeParameter,
  challengePattern,
  holderParameter,
  PatchbayError,
  proofText,
  tokenOfProtocols,
} from "../../contract/index.ts";
import type { Asker, Authority } from "../authority/index.ts";

/** What stands between the network and the core: who may speak to it, from where, under which name. */
export interface Guard {
  /**
   * @throws PatchbayError FORBIDDEN unless `Host` is a loopback name with our port. This stops DNS rebinding: a foreign
   * name that was pointed at this machine.
   */
  checkHost(request: IncomingMessage): void;
  /** @throws PatchbayError FORBIDDEN when a page that is not ours asks. Programs send no `Origin`. */
  checkOrigin(request: IncomingMessage): void;
  /** Who asks, by the token in `Authorization: Bearer`. @throws PatchbayError UNAUTHORIZED */
  byBearer(request: IncomingMessage): Asker;
  /** Who opens a WebSocket, by the token among the offered subprotocols. @throws PatchbayError UNAUTHORIZED */
  byProtocols(request: IncomingMessage): Asker;
  /**
   * Answers a page's challenge with signatures in base64url. The page then knows that it talks to the Patchbay whose
   * token it holds, before it sends the token.
   * @throws PatchbayError BAD_INPUT
   */
  prove(request: IncomingMessage): string[];
}

export function createGuard(authority: Authority, port: () => number): Guard {
  const hosts = () => loopbackNames.map((name) => `${name}:${port()}`);

  /** A token that is wrong is written down; a request without one may be a person who typed the address. */
  function askerOf(token: string | undefined, request: IncomingMessage): Asker {
    if (token === undefined)
      throw new PatchbayError("UNAUTHORIZED", "This address needs the token of the running Patchbay.");
    if (authority.program.knows(token)) return { kind: "program", name: callerName(request) };
    const identified = authority.screens.identify(token);
    if (identified && "screen" in identified) {
      const { id, name } = identified.screen;
      return { kind: "screen", id, name };
    }
    if (identified) authority.refused("an outdated token of a screen", identified.outdated.name);
    else authority.refused("a wrong token at the gateway");
    throw new PatchbayError("UNAUTHORIZED", "The token is not one of the running Patchbay.");
  }

  return {
    checkHost(request) {
      const host = request.headers.host?.toLowerCase();
      if (host !== undefined && hosts().includes(host)) return;
      throw new PatchbayError("FORBIDDEN", "Patchbay answers only under its own address on this machine.");
    },
    checkOrigin(request) {
      const origin = request.headers.origin?.toLowerCase();
      if (origin === undefined || hosts().some((host) => origin === `http://${host}`)) return;
      authority.refused("a page of another site", origin.slice(0, 200));
      throw new PatchbayError("FORBIDDEN", "A page of another site may not talk to Patchbay.");
    },
    byBearer: (request) => askerOf(bearerOf(request), request),
    byProtocols(request) {
      const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
      return askerOf(tokenOfProtocols(offered), request);
    },
    prove(request) {
      const { searchParams } = new URL(request.url ?? "/", "http://localhost");
      const challenge = searchParams.get(challengeParameter) ?? "";
      if (request.method !== "GET" || !challengePattern.test(challenge))
        throw new PatchbayError(
          "BAD_INPUT",
          "A challenge is 22 to 64 letters, digits, dashes and underscores.",
        );
      const text = proofText(request.headers.host ?? "", challenge);
      return authority.proofs(searchParams.get(holderParameter) ?? "", text);
    },
  };
}

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

export function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

function callerName(request: IncomingMessage): string | null {
  const name = request.headers[callerHeader];
  return typeof name === "string" && callerPattern.test(name) ? name : null;
}
