import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What an authority is known by: its root certificate (DER) and the public keys (SPKI, DER) of its two logs. */
interface TrustedAuthority {
  certificate: Buffer;
  certificateLog: Buffer;
  log: Buffer;
}

/** Where Sigstore's client keeps what it fetched from its usual mirror, below the download cache. */
const folder = ["_tuf", "tuf-repo-cdn.sigstore.dev"];

/**
 * Puts the trusted root of an authority where Sigstore's client keeps the one that it fetched, so that it checks with this one
 * and asks nobody: the target and, around it, metadata of the update framework signed with a new key. Null: metadata that lead to no
 * trusted root, so that there is nothing to check with.
 */
export async function writeTrustedRoot(npmCache: string, authority: TrustedAuthority | null): Promise<void> {
  const dir = join(npmCache, ...folder);
  await mkdir(join(dir, "targets"), { recursive: true });
  const target = authority && Buffer.from(JSON.stringify(trustedRootOf(authority)));
  if (target) await writeFile(join(dir, "targets", "trusted_root.json"), target);
  for (const [role, file] of Object.entries(metadataAround(target))) {
    await writeFile(join(dir, `${role}.json`), JSON.stringify(file));
  }
}

function trustedRootOf({ certificate, certificateLog, log }: TrustedAuthority) {
  const validFor = { start: "2020-01-01T00:00:00Z" };
  const logOf = (baseUrl: string, key: Buffer) => ({
    baseUrl,
    hashAlgorithm: "SHA2_256",
    publicKey: { rawBytes: key.toString("base64"), keyDetails: "PKIX_ECDSA_P256_SHA_256", validFor },
    logId: { keyId: sha256(key).toString("base64") },
  });
  return {
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    tlogs: [logOf("https://rekor.sigstore.dev", log)],
    certificateAuthorities: [
      {
        subject: { organization: "sigstore.mock", commonName: "sigstore" },
        uri: "https://fulcio.sigstore.dev",
        certChain: { certificates: [{ rawBytes: certificate.toString("base64") }] },
        validFor,
      },
    ],
    ctlogs: [logOf("https://ctfe.sigstore.dev", certificateLog)],
    timestampAuthorities: [],
  };
}

/** The four signed files that lead to the target. */
function metadataAround(target: Buffer | null) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = {
    keytype: "ed25519",
    scheme: "ed25519",
    keyval: { public: publicKey.export({ type: "spki", format: "pem" }).toString() },
  };
  const keyid = sha256(canonical(key)).toString("hex");
  const signed = (_type: string, fields: object) => {
    const content = { _type, spec_version: "1.0", version: 1, expires: "2100-01-01T00:00:00Z", ...fields };
    const sig = sign(null, canonical(content), privateKey).toString("hex");
    return { signatures: [{ keyid, sig }], signed: content };
  };
  const role = { keyids: [keyid], threshold: 1 };
  const targets = target && {
    "trusted_root.json": { length: target.length, hashes: { sha256: sha256(target).toString("hex") } },
  };
  return {
    root: signed("root", {
      consistent_snapshot: true,
      keys: { [keyid]: key },
      roles: { root: role, timestamp: role, snapshot: role, targets: role },
    }),
    timestamp: signed("timestamp", { meta: { "snapshot.json": { version: 1 } } }),
    snapshot: signed("snapshot", { meta: { "targets.json": { version: 1 } } }),
    targets: signed("targets", { targets: targets ?? {} }),
  };
}

/** The form of JSON that is signed: names in order, no blanks, and of the escapes only those of `"` and `\`. */
function canonical(value: unknown): Buffer {
  const write = (part: unknown): string => {
    if (typeof part === "string") return `"${part.replace(/[\\"]/g, "\\$&")}"`;
    if (typeof part !== "object" || part === null) return String(part);
    if (Array.isArray(part)) return `[${part.map(write).join(",")}]`;
    const entries = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([name, of]) => `${write(name)}:${write(of)}`).join(",")}}`;
  };
  return Buffer.from(write(value));
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
