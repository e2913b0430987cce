import { readFileSync } from "node:fs";
import type { NpmOptions } from "./protocol.ts";

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
