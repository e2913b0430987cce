import type { CatalogEntry } from "../../../contract/index.ts";
import { cleanDeep, cleanLine } from "../../../contract/shown/clean-text.ts";
import type { RegistryEntry } from "../../runtimes/mcp/registry/entry.ts";
import { offersOf } from "../../runtimes/mcp/registry/offers.ts";

/** Worked out once for each list of a registry, however often somebody searches. */
const made = new WeakMap<readonly RegistryEntry[], readonly CatalogEntry[]>();

/** The servers of a registry as entries of Discover; those that were withdrawn, or that Patchbay cannot run, are left out. */
export function entriesOf(found: readonly RegistryEntry[], source: string): readonly CatalogEntry[] {
  const known = made.get(found);
  if (known) return known;
  const usable = found.filter((entry) => entry.status !== "deleted" && offersOf(entry).offers.length > 0);
  const entries = cleanDeep(
    usable.map((entry) => entryOf(entry, source)),
    cleanLine,
  );
  made.set(found, entries);
  return entries;
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
