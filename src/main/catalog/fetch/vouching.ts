import { join } from "node:path";
import pacote from "pacote";
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
  try {
    const proven = await pacote.manifest(`${found.name}@${found.version}`, {
      ...clientOptions(options),
      fullMetadata: true,
      verifyAttestations: true,
      tufCache: join(options.cache, "_tuf"),
      ...verifying(keys, options),
    } as Parameters<typeof pacote.manifest>[1]);
    const repository = repositoryIn("_attestationBundles" in proven ? proven._attestationBundles : undefined);
    return { status: "verified", ...(repository && { repository }) };
  } catch (error) {
    if (!couldNotBeChecked(error, keys)) throw error;
    return { status: "unchecked" };
  }
}

/** Whether a check failed because something did not answer, not because the proof is wrong. */
function couldNotBeChecked(error: unknown, keys: RegistryKeys): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (code === "EMISSINGSIGNATUREKEY" && typeof keys === "string") return true;
  if (code === "EATTESTATIONVERIFY")
    return /tuf|metadata|network|fetch|timed? ?out|ENOTFOUND|ECONN/i.test(error.message);
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

/** The repository that a proof of the SLSA form names. */
function repositoryIn(bundles: unknown): string | undefined {
  for (const entry of Array.isArray(bundles) ? bundles : []) {
    const read = bundleSchema.safeParse(entry);
    if (!read.success || !read.data.predicateType.includes("slsa.dev/provenance")) continue;
    try {
      const payload = Buffer.from(read.data.bundle.dsseEnvelope.payload, "base64").toString("utf8");
      return statementSchema.parse(JSON.parse(payload)).predicate.buildDefinition.externalParameters.workflow
        .repository;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
