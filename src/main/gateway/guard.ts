import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  challengeParameter,
  challengePattern,
  PatchbayError,
  proofText,
  tokenOfProtocols,
} from "../../contract/index.ts";

/** What stands between the network and the core: who may speak to it, from where, under which name. */
export interface Guard {
  /**
   * @throws PatchbayError FORBIDDEN unless `Host` is a loopback name with our port. This stops DNS rebinding: a foreign
   * name that was pointed at this machine.
   */
  checkHost(request: IncomingMessage): void;
  /** @throws PatchbayError FORBIDDEN when a page that is not ours asks. Programs send no `Origin`. */
  checkOrigin(request: IncomingMessage): void;
  /** @throws PatchbayError UNAUTHORIZED without the token in `Authorization: Bearer`. */
  checkBearer(request: IncomingMessage): void;
  /** @throws PatchbayError UNAUTHORIZED without the token among the offered WebSocket subprotocols. */
  checkProtocols(request: IncomingMessage): void;
  /**
   * Answers a page's challenge with a signature in base64url. The page then knows that it talks to the Patchbay whose
   * token it holds, before it sends the token.
   * @throws PatchbayError BAD_INPUT
   */
  prove(request: IncomingMessage): string;
}

export function createGuard(token: string, port: () => number): Guard {
  const expected = digest(token);
  const hosts = () => loopbackNames.map((name) => `${name}:${port()}`);

  function checkToken(given: string | undefined): void {
    // The comparison takes the same time for every input; digests have equal length, so the token's length does not
    // show either.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    throw new PatchbayError(
      "UNAUTHORIZED",
      given === undefined
        ? "This address needs the token of the running Patchbay."
        : "The token is not the one of the running Patchbay.",
    );
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
      throw new PatchbayError("FORBIDDEN", "A page of another site may not talk to Patchbay.");
    },
    checkBearer(request) {
      checkToken(/^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1]);
    },
    checkProtocols(request) {
      const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
      checkToken(tokenOfProtocols(offered));
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
      return createHmac("sha256", token).update(text).digest("base64url");
    },
  };
}

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
