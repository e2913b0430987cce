import { readFile } from "node:fs/promises";
import { z } from "zod";
import {
  type CatalogEntry,
  capabilitiesSchema,
  languages,
  PatchbayError,
  permissionsSchema,
  pluginKeySchema,
  runtimeIdSchema,
} from "../../../contract/index.ts";
import { parseSpec } from "../spec/spec.ts";
import { fetchJson } from "../web.ts";
import { type PublishesList, readPublishedList } from "./published-list.ts";

const listedPluginSchema = z.object({
  key: pluginKeySchema,
  packageName: z.string().min(1),
  packageVersion: z.string().optional(),
  displayName: z.string().min(1).max(200),
  description: z.string().max(2_000),
  runtime: runtimeIdSchema.optional(),
  capabilities: capabilitiesSchema.optional(),
  permissions: permissionsSchema.optional(),
  publisher: z.string().optional(),
  homepage: z.url({ protocol: /^https?$/ }).optional(),
  icon: z.string().startsWith("data:image/").max(90_000).optional(),
  /** The description in further languages, as the plugin's own texts: by language, what stands in the place of which text. */
  words: z
    .partialRecord(z.enum(languages), z.record(z.string().max(2_000), z.string().max(2_000)))
    .optional(),
  /** What to install; the built-in catalogue leaves it out. */
  spec: z.string().optional(),
});
type ListedPlugin = z.infer<typeof listedPluginSchema>;

const catalogFileSchema = z.object({ name: z.string().max(200).optional(), plugins: z.array(z.unknown()) });

const mostBytes = 16 * 1024 * 1024;
const patienceMs = 5_000;

/** The plugins that come with Patchbay, from `catalog.json` in its resources. */
export async function readBuiltinCatalog(file: string): Promise<CatalogEntry[]> {
  const { plugins } = catalogFileSchema.parse(JSON.parse(await readFile(file, "utf8")));
  return plugins.map((listed) => builtinEntry(listedPluginSchema.parse(listed)));
}

/**
 * A catalogue that the person added, by its address: Patchbay's own kind, or a list that a plugin system publishes, bare
 * or in an object under `plugins`. Entries that are not valid, or that point into this machine, are left out.
 * @throws PatchbayError REGISTRY_UNREACHABLE, REGISTRY_REFUSED
 */
export async function fetchCatalog(url: string, runtimes: readonly PublishesList[]): Promise<CatalogEntry[]> {
  const json = await fetchJson(url, { patienceMs, mostBytes });
  const { host } = new URL(url);
  const noCatalog = () =>
    new PatchbayError("REGISTRY_REFUSED", `${host} answered with something that is no catalogue.`);
  if (Array.isArray(json)) {
    // The list of a plugin system is a bare array. One without any readable row is no catalogue.
    const entries = readPublishedList(json, host, runtimes);
    if (entries.length === 0) throw noCatalog();
    return entries;
  }
  const file = catalogFileSchema.safeParse(json);
  if (!file.success) throw noCatalog();
  const source = file.data.name ?? host;
  return file.data.plugins.flatMap((raw) => {
    const listed = listedPluginSchema.safeParse(raw);
    if (!listed.success) return readPublishedList([raw], source, runtimes);
    return comesFromElsewhere(listed.data) ? [listedEntry(listed.data, source)] : [];
  });
}

function builtinEntry({ key, ...listed }: ListedPlugin): CatalogEntry {
  return {
    ...listed,
    manifestKey: key,
    spec: `builtin:${key}`,
    source: "Built in",
    trust: "built-in",
    installedVersion: null,
  };
}

function listedEntry({ key, spec, ...listed }: ListedPlugin, source: string): CatalogEntry {
  return {
    ...listed,
    manifestKey: key,
    spec: spec ?? listed.packageName,
    source,
    trust: "unverified",
    installedVersion: null,
  };
}

/**
 * Whether an entry's spec names something on the network. A list from the network must not name files of this machine.
 */
function comesFromElsewhere(listed: ListedPlugin): boolean {
  try {
    const spec = parseSpec(listed.spec ?? listed.packageName);
    if (spec.kind === "npm") return true;
    if (spec.kind === "git") return !spec.url.startsWith("file:");
    return spec.kind === "tarball" && "url" in spec.location;
  } catch {
    return false;
  }
}
