import { createRequire } from "node:module";
import { join } from "node:path";
import pacote from "pacote";
import type { Bundle, verify } from "sigstore";
import { z } from "zod";
import type { Vouched } from "../../../contract/index.ts";
import { clientOptions } from "./client-options.ts";
import type { NpmOptions } from "./protocol.ts";
import { askRegistry } from "./registry-client.ts";

const keysSchema = z.object({
  keys: z.array(
    z.looseObject({ keyid: z.string(), key: z.string(), expires: z.string().nullable().optional() }),
  ),
});

/** The keys with which a registry signs; `none` when it has none, `unreachable` when it could not be asked. */
export type RegistryKeys =
  | { keyid: string; pemkey: string; expires?: string | null }[]
  | "none"
  | "unreachable";

export async function keysOf(options: NpmOptions): Promise<RegistryKeys> {
  try {
    const { keys } = keysSchema.parse(await askRegistry("-/npm/v1/keys", options));
    if (keys.length === 0) return "none";
    return keys.map(({ keyid, key, expires }) => ({
      keyid,
      ...(expires !== undefined && { expires }),
      pemkey: `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----`,
    }));
  } catch (error) {
    // A registry that does not sign does not know the address; an answer of another form comes from none that does.
    const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 0;
    return status === 404 || status === 405 || status === 501 ? "none" : "unreachable";
  }
}

/** Options that make pacote refuse a version whose signature does not fit. */
export function verifying(keys: RegistryKeys, { registry }: NpmOptions): Record<string, unknown> {
  if (typeof keys === "string") return {};
  const { host, pathname } = new URL(registry);
  return { verifySignatures: true, [`//${host}${pathname}:_keys`]: keys };
}

/** What a manifest that pacote let pass says of its signature. */
export function signatureOf(found: object, keys: RegistryKeys): Vouched["signature"] {
  if (keys === "none") return "no_keys";
  if (keys === "unreachable") return "unchecked";
  return "_signatures" in found && Array.isArray(found._signatures) && found._signatures.length > 0
    ? "verified"
    : "missing";
}

/**
 * Checks the proof of which source a version was built from, where it brings one.
 * @throws the client's errors when the proof does not fit; when it could not be checked, that is the answer
 */
export async function provenanceOf(
  found: { name: string; version: string },
  keys: RegistryKeys,
  options: NpmOptions,
): Promise<Vouched["provenance"]> {
  if (!("_attestations" in found) || !found._attestations) return { status: "missing" };
  const id = `${found.name}@${found.version}`;
  const tufCache = join(options.cache, "_tuf");
  try {
    const proven = await pacote.manifest(id, {
      ...clientOptions(options),
      fullMetadata: true,
      verifyAttestations: true,
      tufCache,
      ...verifying(keys, options),
    } as Parameters<typeof pacote.manifest>[1]);
    const proof = sourceProofIn("_attestationBundles" in proven ? proven._attestationBundles : undefined);
    const signedFor = proof && (await repositoryOfSigner(proof.bundle, tufCache));
    if (!proof || signedFor === undefined) return { status: "verified" };
    if (signedFor !== proof.repository) {
      const message = `${id} names the repository ${proof.repository}, but ${signedFor} signed its proof`;
      throw Object.assign(new Error(message), { code: "EATTESTATIONSUBJECT" });
    }
    return { status: "verified", repository: signedFor };
  } catch (error) {
    if (!couldNotBeChecked(error, keys, id)) throw error;
    return { status: "unchecked" };
  }
}

/**
 * What Sigstore's client says when it could not get the roots of trust. Only whole beginnings count: what follows, and every other
 * message, may hold words that the proof or the package's name brought along.
 */
const noRoots =
  /^(?:error refreshing TUF metadata|error (?:reading|downloading) target |target trusted_root\.json not found|No root\.json found )/;

/** Whether a check failed because something did not answer, not because the proof is wrong. */
function couldNotBeChecked(error: unknown, keys: RegistryKeys, id: string): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (code === "EMISSINGSIGNATUREKEY" && typeof keys === "string") return true;
  if (code === "EATTESTATIONVERIFY") {
    const before = `${id} failed to verify attestation: `;
    return error.message.startsWith(before) && noRoots.test(error.message.slice(before.length));
  }
  return ![
    "EATTESTATIONSUBJECT",
    "EMISSINGSIGNATUREKEY",
    "EEXPIREDSIGNATUREKEY",
    "EINTEGRITYSIGNATURE",
  ].includes(code);
}

const bundleSchema = z.object({
  predicateType: z.string(),
  bundle: z.object({ dsseEnvelope: z.object({ payload: z.string() }) }),
});
const statementSchema = z.object({
  predicate: z.object({
    buildDefinition: z.object({
      externalParameters: z.object({ workflow: z.object({ repository: z.string().max(300) }) }),
    }),
  }),
});

/** The proof of the SLSA form among those of a version, and the repository that it names. */
function sourceProofIn(entries: unknown): { bundle: Bundle; repository: string } | undefined {
  for (const entry of Array.isArray(entries) ? entries : []) {
    const read = bundleSchema.safeParse(entry);
    if (!read.success || !read.data.predicateType.includes("slsa.dev/provenance")) continue;
    try {
      const payload = Buffer.from(read.data.bundle.dsseEnvelope.payload, "base64").toString("utf8");
      const { predicate } = statementSchema.parse(JSON.parse(payload));
      return {
        bundle: entry.bundle,
        repository: predicate.buildDefinition.externalParameters.workflow.repository,
      };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** The field of a signer's certificate for the repository whose workflow asked for it ("Source Repository URI"). */
const sourceRepository = "1.3.6.1.4.1.57264.1.12";

/**
 * The repository that the authority wrote into the certificate of a proof's signer. A proof alone may name any repository:
 * everybody can have one signed.
 */
async function repositoryOfSigner(bundle: Bundle, tufCachePath: string): Promise<string | undefined> {
  // The client that pacote itself uses, and with the same roots.
  const client = createRequire(createRequire(import.meta.url).resolve("pacote"))("sigstore") as {
    verify: typeof verify;
  };
  const { identity } = await client.verify(bundle, { tufCachePath, tufForceCache: true });
  const field = identity?.oids?.find(({ oid }) => oid?.id.join(".") === sourceRepository)?.value;
  // A UTF8String: its tag, its length in one byte or, from 128 on, in two, and the text.
  if (field?.[0] !== 0x0c) return undefined;
  return field.subarray(field[1] === 0x81 ? 3 : 2).toString("utf8");
}
