import { z } from "zod";
import { isObject } from "../../../contract/is-object.ts";
import type { ListedPlugin } from "../runtime.ts";

const rowSchema = z.object({
  name: z.string().min(1).max(200),
  version: z.string().max(60).optional(),
  description: z.string().max(2_000).catch(""),
  install: z.string().max(500).optional(),
  repo: z.url({ protocol: /^https$/ }).optional(),
});

/**
 * A row of the list of plugins that fledge publishes: `{name, version, description, install, repo, …}`. Its field for trust
 * is ignored, because the trust follows from the repository.
 */
export function listedByFledge(row: unknown): ListedPlugin | null {
  // Flowly's rows would fit, too, but for their tagline.
  if (isObject(row) && "tagline" in row) return null;
  const read = rowSchema.safeParse(row);
  if (!read.success) return null;
  const { name, version, description, install, repo } = read.data;
  const spec = /^fledge plugins? install (\S+)$/.exec(install ?? "")?.[1] ?? repo;
  if (spec === undefined) return null;
  return {
    spec,
    packageName: name,
    ...(version && version !== "unknown" && { packageVersion: version }),
    displayName: name.replace(/^fledge-(?:plugin-)?/, "") || name,
    description,
    ...(repo && { homepage: repo }),
  };
}
