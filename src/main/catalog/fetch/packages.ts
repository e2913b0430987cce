import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import pacote from "pacote";
import type { FetchOperations, NpmOptions, ResolvedPackage } from "./protocol.ts";

type Input<Op extends keyof FetchOperations> = FetchOperations[Op]["input"];

/** Options for pacote, arborist and the registry client below them. */
export function clientOptions({ registry, cache, config }: NpmOptions) {
  const { cafile, ...rest } = config;
  return {
    ...rest,
    ...(typeof cafile === "string" && { ca: readFileSync(cafile, "utf8") }),
    registry,
    cache,
    preferOnline: true,
    fetchRetries: 1,
    fetchRetryMintimeout: 250,
    fetchRetryMaxtimeout: 1_000,
    timeout: 30_000,
    userAgent: `patchbay node/${process.version} ${process.platform} ${process.arch}`,
  };
}

export async function resolvePackage({ spec, options }: Input<"resolve">): Promise<ResolvedPackage> {
  const found = await pacote.manifest(spec, { ...clientOptions(options), fullMetadata: true });
  const publisher = found._npmUser?.name ?? found.maintainers?.[0]?.name;
  return {
    name: found.name,
    version: found.version,
    tarball: found._resolved,
    integrity: found._integrity || null,
    ...(publisher && { publisher }),
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
