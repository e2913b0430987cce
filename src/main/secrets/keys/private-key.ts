import { createPrivateKey, type KeyObject } from "node:crypto";
import { isObject } from "../../../contract/is-object.ts";

/** A private key for signatures, and the name that it goes by where it has one (`kid`). */
export interface PrivateKey {
  key: KeyObject;
  id?: string;
}

/** Curves that signatures of tokens know, as Node names them. */
const curves = new Set(["prime256v1", "secp384r1", "secp521r1"]);

/** What may lie between the two lines of a PEM text. */
const kinds = { "PRIVATE KEY": "pkcs8", "RSA PRIVATE KEY": "pkcs1", "EC PRIVATE KEY": "sec1" } as const;

/** Whether a text is meant to be a private key: PEM or a JSON Web Key. */
export function looksLikePrivateKey(text: string): boolean {
  return /^\s*(-----BEGIN|\{)/.test(text);
}

/**
 * Reads a private key that somebody pasted: RSA of 2,048 bits or more, or EC with P-256, P-384 or P-521. As PEM, with its lines or
 * without them, because a field of a form keeps none; or as a JSON Web Key.
 *
 * @returns null for anything else, and for a key that wants a passphrase
 */
export function readPrivateKey(text: string): PrivateKey | null {
  try {
    const found = text.trimStart().startsWith("{") ? fromJson(text) : fromPem(text);
    return found && canSign(found.key) ? found : null;
  } catch {
    // The parsers' own messages are not passed on: they may quote the text.
    return null;
  }
}

function fromJson(text: string): PrivateKey | null {
  const jwk: unknown = JSON.parse(text);
  if (!isObject(jwk)) return null;
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  return { key, ...(typeof jwk.kid === "string" && { id: jwk.kid }) };
}

function fromPem(text: string): PrivateKey | null {
  // Between quotes of other formats, the ends of lines are two signs.
  const whole = text.replaceAll("\\n", "\n");
  const [, kind = "", inside = ""] =
    /-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----/.exec(whole) ?? [];
  if (!Object.hasOwn(kinds, kind)) return null;
  const type = kinds[kind as keyof typeof kinds];
  return { key: createPrivateKey({ key: Buffer.from(inside, "base64"), format: "der", type }) };
}

function canSign({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (type === "rsa") return (details.modulusLength ?? 0) >= 2_048;
  return type === "ec" && curves.has(details.namedCurve ?? "");
}
