import type { CatalogEntry } from "../../../contract/index.ts";
import type { RegistryEntry } from "../../runtimes/mcp/registry/entry.ts";
import { offersOf } from "../../runtimes/mcp/registry/offers.ts";

/** The servers of a registry as entries of Discover; those that were withdrawn, or that Patchbay cannot run, are left out. */
export function entriesOf(found: readonly RegistryEntry[], source: string): CatalogEntry[] {
  return found.flatMap((entry) => {
    if (entry.status === "deleted" || offersOf(entry).offers.length === 0) return [];
    return [entryOf(entry, source)];
  });
}

function entryOf({ server, status, statusMessage }: RegistryEntry, source: string): CatalogEntry {
  const { name, title, description, version, websiteUrl } = server;
  const advice = status === "deprecated" ? `Deprecated${statusMessage ? `: ${statusMessage}` : "."} ` : "";
  const homepage = websiteUrl && /^https?:\/\//.test(websiteUrl) ? websiteUrl : undefined;
  return {
    spec: `mcp-registry:${name}@${version}`,
    source,
    packageName: name,
    packageVersion: version,
    displayName: title ?? name.split("/").at(-1) ?? name,
    description: `${advice}${description}`,
    runtime: "mcp",
    capabilities: { tools: {} },
    publisher: name.split("/")[0] ?? name,
    trust: "unverified",
    ...(homepage && { homepage }),
    installedVersion: null,
  };
}
