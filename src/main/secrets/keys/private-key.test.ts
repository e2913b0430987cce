import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { looksLikePrivateKey, readPrivateKey } from "./private-key.ts";

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
const pem = (type: "pkcs8" | "pkcs1" | "sec1", key = rsa) => String(key.export({ type, format: "pem" }));
const jwk = { ...ec.export({ format: "jwk" }), kid: "one" };

test.each([
  ["PEM", pem("pkcs8"), rsa],
  ["the older PEM of RSA", pem("pkcs1"), rsa],
  ["the older PEM of EC", pem("sec1", ec), ec],
  ["PEM without its lines", pem("pkcs8").replaceAll("\n", ""), rsa],
  ["PEM with blanks for lines", ` ${pem("pkcs8", ec).replaceAll("\n", " ")}`, ec],
  ["PEM out of JSON", pem("pkcs8").replaceAll("\n", "\\n"), rsa],
  ["a JSON Web Key", JSON.stringify(jwk), ec],
])("a private key is read from %s", (_name, text, key) => {
  expect(looksLikePrivateKey(text)).toBe(true);
  expect(readPrivateKey(text)?.key.equals(key)).toBe(true);
});

test("a JSON Web Key says its name", () => {
  expect(readPrivateKey(JSON.stringify(jwk))?.id).toBe("one");
});

test.each([
  [
    "a public one",
    String(
      generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" }),
    ),
  ],
  ["a public JSON Web Key", JSON.stringify({ ...jwk, d: undefined })],
  [
    "one behind a passphrase",
    String(ec.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" })),
  ],
  [
    "one that is too short",
    String(
      generateKeyPairSync("rsa", { modulusLength: 1_024 }).privateKey.export({
        type: "pkcs8",
        format: "pem",
      }),
    ),
  ],
  [
    "one of another kind",
    String(generateKeyPairSync("x25519").privateKey.export({ type: "pkcs8", format: "pem" })),
  ],
  [
    "a curve of another kind",
    pem("pkcs8", generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey),
  ],
  ["half of one", pem("pkcs8").slice(0, 400)],
  ["broken JSON", "{"],
])("what cannot sign is none: %s", (_name, text) => {
  expect(readPrivateKey(text)).toBeNull();
});

test("a secret is not taken for one", () => {
  expect(looksLikePrivateKey("between-us-two")).toBe(false);
});
