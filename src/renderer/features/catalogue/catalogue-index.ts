import type { CatalogEntry } from "../../../contract/job.ts";
import type { RuntimeId } from "../../../contract/plugin.ts";
import { descriptionOf } from "../../base/i18n/plugin-words.ts";
import { compareNames } from "../../model/by-name.ts";
import type { CapabilityKind } from "../../model/filters.ts";
import { inOrder } from "../../model/runtimes.ts";
import { capabilityWords } from "./capability-words.ts";

/** What a person narrows the list by, besides typed words. */
export interface DiscoverFilter {
  source: string | null;
  runtime: RuntimeId | null;
  capability: CapabilityKind | null;
  installed: boolean | null;
  /** Only what other programs on this computer have; capability and source then say nothing. */
  here: boolean;
}

export const noDiscoverFilter: DiscoverFilter = {
  source: null,
  runtime: null,
  capability: null,
  installed: null,
  here: false,
};

/** One entry with its words already in lower case, so that a key press only has to compare. */
export interface IndexedEntry {
  entry: CatalogEntry;
  name: string;
  key: string;
  text: string;
}

export interface CatalogueIndex {
  /** By name. */
  entries: readonly IndexedEntry[];
  specs: ReadonlySet<string>;
  sources: { name: string; count: number }[];
  runtimes: RuntimeId[];
  capabilities: CapabilityKind[];
}

export function buildIndex(entries: readonly CatalogEntry[]): CatalogueIndex {
  const indexed = entries.map(indexEntry).sort((a, b) => compareNames(a.name, b.name));
  const sources = new Map<string, number>();
  const runtimes = new Set<RuntimeId>();
  const capabilities = new Set<CapabilityKind>();
  for (const { source, runtime, capabilities: brings } of entries) {
    sources.set(source, (sources.get(source) ?? 0) + 1);
    if (runtime) runtimes.add(runtime);
    for (const kind of Object.keys(brings ?? {}) as CapabilityKind[]) capabilities.add(kind);
  }
  return {
    entries: indexed,
    specs: new Set(entries.map((entry) => entry.spec)),
    sources: [...sources].map(([name, count]) => ({ name, count })),
    runtimes: inOrder(runtimes),
    capabilities: [...capabilities],
  };
}

/**
 * The entries that fit. Built-in ones come first, because they can be installed without a network; then by how well the
 * words fit; then by name.
 */
export function searchIndex(
  index: CatalogueIndex,
  query: string,
  filter: DiscoverFilter,
  isInstalled: (entry: CatalogEntry) => boolean,
): CatalogEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = words.join(" ");
  const ranks: CatalogEntry[][] = [[], [], [], []];
  for (const indexed of index.entries) {
    if (!words.every((word) => indexed.text.includes(word))) continue;
    if (!passes(indexed.entry, filter, isInstalled)) continue;
    ranks[rankOf(indexed, words, whole)]?.push(indexed.entry);
  }
  return ranks.flat();
}

function indexEntry(entry: CatalogEntry): IndexedEntry {
  const name = entry.displayName.toLowerCase();
  const key = `${entry.manifestKey ?? ""} ${entry.packageName}`.toLowerCase();
  const text =
    `${name}\n${key}\n${descriptionOf(entry)}\n${entry.publisher ?? ""}\n${capabilityWords(entry).join("\n")}`.toLowerCase();
  return { entry, name, key, text };
}

/** 0 is best. */
function rankOf({ entry, name, key }: IndexedEntry, words: string[], whole: string): number {
  if (words.length === 0) return entry.trust === "built-in" ? 0 : 1;
  if (name === whole || key.split(" ").includes(whole)) return 0;
  if (name.startsWith(whole)) return 1;
  return words.every((word) => name.includes(word) || key.includes(word)) ? 2 : 3;
}

function passes(
  entry: CatalogEntry,
  filter: DiscoverFilter,
  isInstalled: (entry: CatalogEntry) => boolean,
): boolean {
  if (filter.source !== null && entry.source !== filter.source) return false;
  if (filter.runtime !== null && entry.runtime !== filter.runtime) return false;
  if (filter.capability !== null && !entry.capabilities?.[filter.capability]) return false;
  return filter.installed === null || isInstalled(entry) === filter.installed;
}
