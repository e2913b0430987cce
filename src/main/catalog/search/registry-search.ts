import npa from "npm-package-arg";
import { z } from "zod";
import { type CatalogEntry, PatchbayError } from "../../../contract/index.ts";
import type { NpmOptions } from "../fetch/protocol.ts";
import { authorizationFor } from "../sources/npm-configuration.ts";
import { fetchJson } from "../web.ts";

/** The keyword in package.json by which packages declare that they are plugins. */
const pluginKeyword = "patchbay-plugin";

const patienceMs = 5_000;
const mostBytes = 8 * 1024 * 1024;
const mostResults = 50;

const person = z.looseObject({ name: z.string().optional(), username: z.string().optional() });
const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string().optional(),
  /** Some registries give the newest version only here. */
  "dist-tags": z.looseObject({ latest: z.string().optional() }).optional().catch(undefined),
  description: z.string().catch(""),
  keywords: z.array(z.string()).catch([]),
  publisher: person.optional().catch(undefined),
  _npmUser: person.optional().catch(undefined),
  homepage: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
  links: z
    .looseObject({
      homepage: z
        .url({ protocol: /^https?$/ })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});
type FoundPackage = z.infer<typeof packageSchema>;
const answerSchema = z.object({ objects: z.array(z.object({ package: z.unknown() })) });

/**
 * Plugins of an npm registry: those that a search for the keyword finds, and the package of exactly that name.
 * @throws PatchbayError REGISTRY_UNREACHABLE, REGISTRY_REFUSED when the registry answers neither question.
 */
export async function searchRegistry(query: string, options: NpmOptions): Promise<CatalogEntry[]> {
  const [exact, found] = await Promise.allSettled([findExact(query, options), findByKeyword(query, options)]);
  if (exact.status === "rejected" && found.status === "rejected") throw found.reason;
  const packages = new Map<string, FoundPackage>();
  if (exact.status === "fulfilled" && exact.value) packages.set(exact.value.name, exact.value);
  if (found.status === "fulfilled")
    for (const each of found.value) if (!packages.has(each.name)) packages.set(each.name, each);
  if (found.status === "rejected" && packages.size === 0 && !isMissing(found.reason)) throw found.reason;
  return [...packages.values()].map((each) => entryOf(each, options.registry));
}

/**
 * Searches for packages with the keyword. Some registries know the filter `keywords:`, others search only for plain
 * words: both are tried, and packages without the keyword are dropped here.
 */
async function findByKeyword(query: string, options: NpmOptions): Promise<FoundPackage[]> {
  const filtered = await search(`keywords:${pluginKeyword} ${query}`, options);
  const found = filtered.length > 0 ? filtered : await search(query, options);
  return found.filter((each) => each.keywords.includes(pluginKeyword));
}

async function search(text: string, options: NpmOptions): Promise<FoundPackage[]> {
  const url = new URL("-/v1/search", options.registry);
  url.searchParams.set("text", text);
  url.searchParams.set("size", String(mostResults));
  const answer = answerSchema.safeParse(await ask(url, options));
  if (answer.success) {
    return answer.data.objects.flatMap((each) => packageSchema.safeParse(each.package).data ?? []);
  }
  throw new PatchbayError(
    "REGISTRY_REFUSED",
    `${url.host} answered with something that is no search result.`,
  );
}

/** The newest version of the package of that name, or null when there is none. */
async function findExact(query: string, options: NpmOptions): Promise<FoundPackage | null> {
  const name = packageName(query);
  if (!name) return null;
  try {
    const path = `${name.replace("/", "%2f")}/latest`;
    return packageSchema.parse(await ask(new URL(path, options.registry), options));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function ask(url: URL, options: NpmOptions): Promise<unknown> {
  const authorization = authorizationFor(url, options);
  return fetchJson(url.toString(), {
    patienceMs,
    mostBytes,
    headers: authorization ? { authorization } : {},
  });
}

function packageName(query: string): string | null {
  try {
    const parsed = npa(query.trim());
    return parsed.registry ? parsed.name : null;
  } catch {
    return null;
  }
}

function entryOf(found: FoundPackage, registry: string): CatalogEntry {
  const publisher = found.publisher ?? found._npmUser;
  const publisherName = publisher?.name ?? publisher?.username;
  const version = found.version ?? found["dist-tags"]?.latest;
  const homepage = found.links?.homepage ?? found.homepage;
  return {
    spec: found.name,
    source: new URL(registry).host,
    packageName: found.name,
    ...(version && { packageVersion: version }),
    displayName: found.name,
    description: found.description,
    ...(publisherName && { publisher: publisherName }),
    ...(homepage && { homepage }),
    trust: "unverified",
    ...(!found.keywords.includes(pluginKeyword) && { foreign: true as const }),
    installedVersion: null,
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof PatchbayError && error.code === "PACKAGE_NOT_FOUND";
}
