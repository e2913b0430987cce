import type { Advice, CatalogEntry } from "../../../contract/index.ts";
import { cleanDeep, cleanLine } from "../../../contract/shown/clean-text.ts";
import type { RegistryEntry } from "../../runtimes/mcp/registry/entry.ts";
import { offersOf } from "../../runtimes/mcp/registry/offers.ts";
import { provenPublisher } from "../../runtimes/mcp/registry/publisher.ts";
import { registeredIcons } from "../../runtimes/mcp/registry/registered-icons.ts";

/** Worked out once for each list of a registry, however often somebody searches. */
const made = new WeakMap<readonly RegistryEntry[], readonly CatalogEntry[]>();

/** The servers of a registry as entries of Discover; those that Patchbay cannot run are left out, those that were withdrawn say so. */
export function entriesOf(
  found: readonly RegistryEntry[],
  { source, registry }: { source: string; registry: string },
): readonly CatalogEntry[] {
  const known = made.get(found);
  if (known) return known;
  const usable = found.filter((entry) => entry.status === "deleted" || offersOf(entry).offers.length > 0);
  const entries = cleanDeep(
    usable.map((entry) => entryOf(entry, source, registry)),
    cleanLine,
  );
  made.set(found, entries);
  return entries;
}

function entryOf(entry: RegistryEntry, source: string, registry: string): CatalogEntry {
  const { name, title, description, version, websiteUrl } = entry.server;
  const homepage = websiteUrl && /^https?:\/\//.test(websiteUrl) ? websiteUrl : undefined;
  const advice = adviceOf(entry);
  return {
    spec: `mcp-registry:${name}@${version}`,
    source,
    packageName: name,
    packageVersion: version,
    displayName: title ?? name.split("/").at(-1) ?? name,
    description,
    runtime: "mcp",
    capabilities: { tools: {} },
    publisher: provenPublisher(name),
    trust: "unverified",
    ways: [...new Set(offersOf(entry).offers.map(({ kind }) => kind))],
    ...(advice && { advice }),
    ...(homepage && { homepage }),
    ...(entry.status !== "deleted" &&
      registeredIcons(entry, registry).length > 0 && { hasIcon: true as const }),
    installedVersion: null,
  };
}

/** What a registry says against one of its servers; null: nothing. */
export function adviceOf({
  status,
  statusMessage,
}: Pick<RegistryEntry, "status" | "statusMessage">): Advice | null {
  if (status === "active") return null;
  return {
    status: status === "deleted" ? "withdrawn" : "deprecated",
    ...(statusMessage && { message: statusMessage }),
  };
}
