import { stat } from "node:fs/promises";
import pacote from "pacote";
import { clientOptions } from "./client-options.ts";
import type { FetchOperations, ResolvedPackage } from "./protocol.ts";
import { keysOf, provenanceOf, signatureOf, verifying } from "./vouching.ts";

type Input<Op extends keyof FetchOperations> = FetchOperations[Op]["input"];

export async function resolvePackage({ spec, options }: Input<"resolve">): Promise<ResolvedPackage> {
  const keys = await keysOf(options);
  const found = await pacote.manifest(spec, {
    ...clientOptions(options),
    fullMetadata: true,
    ...verifying(keys, options),
  });
  const signature = signatureOf(found, keys);
  const publisher = found._npmUser?.name ?? found.maintainers?.[0]?.name;
  return {
    name: found.name,
    version: found.version,
    tarball: found._resolved,
    integrity: found._integrity || null,
    signature,
    provenance: await provenanceOf(found, keys, options),
    ...(publisher && { publisher }),
    ...(signature === "verified" && found._npmUser?.name && { vouchedPublisher: found._npmUser.name }),
    ...(typeof found.deprecated === "string" && { deprecated: found.deprecated }),
  };
}

export async function downloadPackage({ spec, to, integrity, options }: Input<"download">) {
  const saved = await pacote.tarball.file(spec, to, {
    ...clientOptions(options),
    ...(integrity && { integrity }),
  });
  return { integrity: saved.integrity, bytes: (await stat(to)).size };
}
