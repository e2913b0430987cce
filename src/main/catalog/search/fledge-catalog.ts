import { z } from "zod";
import type { CatalogEntry } from "../../../contract/index.ts";
import { fledgeTrust } from "../../runtimes/fledge/trust.ts";
import { parseSpec } from "../spec.ts";

const rowSchema = z.object({
  name: z.string().min(1).max(200),
  version: z.string().max(60).optional(),
  description: z.string().max(2_000).catch(""),
  install: z.string().max(500).optional(),
  repo: z.url({ protocol: /^https$/ }).optional(),
});

/**
 * The list of plugins that fledge publishes: an array of `{name, version, description, install, repo, …}`. Its field
 * for trust is ignored, because Patchbay computes the trust from the repository. Rows that cannot be read are left out.
 */
export function readFledgeCatalog(rows: readonly unknown[], source: string): CatalogEntry[] {
  return rows.flatMap((raw) => {
    const row = rowSchema.safeParse(raw);
    return row.success ? entryOf(row.data, source) : [];
  });
}

function entryOf(row: z.infer<typeof rowSchema>, source: string): CatalogEntry[] {
  const spec = /^fledge plugins? install (\S+)$/.exec(row.install ?? "")?.[1] ?? row.repo;
  const url = spec === undefined ? null : repositoryOf(spec);
  if (spec === undefined || url === null) return [];
  const version = row.version === "unknown" ? undefined : row.version;
  return [
    {
      spec,
      source,
      packageName: row.name,
      ...(version && { packageVersion: version }),
      displayName: row.name.replace(/^fledge-(?:plugin-)?/, "") || row.name,
      description: row.description,
      runtime: "fledge",
      publisher: new URL(url).pathname.split("/")[1] ?? "",
      trust: fledgeTrust({ kind: "git", spec: url }, []) ?? "unverified",
      ...(row.repo && { homepage: row.repo }),
      installedVersion: null,
    },
  ];
}

/**
 * The repository that a row names; null when it is none on the network. A list from the network must not name files of
 * this machine.
 */
function repositoryOf(spec: string): string | null {
  try {
    const parsed = parseSpec(spec);
    return parsed.kind === "git" && parsed.url.startsWith("https://") ? parsed.url : null;
  } catch {
    return null;
  }
}
