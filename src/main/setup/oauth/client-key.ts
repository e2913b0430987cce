import type { KeyObject } from "node:crypto";
import * as oauth from "oauth4webapi";
import { PatchbayError } from "../../../contract/index.ts";
import { readPrivateKey } from "../../secrets/keys/private-key.ts";

/** The hash that goes with a curve is fixed (RFC 7518); WebCrypto names curves otherwise than Node. */
const curves: Readonly<Record<string, string>> = {
  prime256v1: "P-256",
  secp384r1: "P-384",
  secp521r1: "P-521",
};

/**
 * Proves who the client is by a signature that is made for each request (private_key_jwt, RFC 7523): RS256, or what goes with the
 * curve of the key. The key itself is sent nowhere.
 *
 * @param text the private key, as `readPrivateKey` takes it
 */
export function byKey(text: string): oauth.ClientAuth {
  return async (server, client, body, headers) => {
    const found = readPrivateKey(text);
    if (!found) throw new PatchbayError("CREDENTIALS_REFUSED", "The private key that is stored is none.");
    const key = found.key.toCryptoKey(algorithmOf(found.key), false, ["sign"]);
    const named = found.id === undefined ? key : { key, kid: found.id };
    await oauth.PrivateKeyJwt(named)(server, client, body, headers);
  };
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  return type === "rsa"
    ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
    : { name: "ECDSA", namedCurve: curves[details?.namedCurve ?? ""] ?? "" };
}
