import { join } from "node:path";
import {
  type CatalogEntry,
  type CatalogFindings,
  type FoundHere,
  type FoundPlugin,
  type PackageDetails,
  type Plugin,
  toProblem,
} from "../../../contract/index.ts";
import { cleanDeep, cleanLine } from "../../../contract/shown/clean-text.ts";
import { nearNames } from "../../../contract/shown/near-names.ts";
import type { FoundElsewhere } from "../../runtimes/found-or-listed.ts";
import { entriesOf } from "../mcp/found-servers.ts";
import type { CatalogServices } from "../services.ts";
import { npmOptions } from "../sources/npm-configuration.ts";
import { fetchCatalog, readBuiltinCatalog } from "./catalog-file.ts";
import { checkSource } from "./check-source.ts";
import { foundHere, givenHere } from "./found-here.ts";
import { packageDetails } from "./package-details.ts";
import { searchRegistry } from "./registry-search.ts";

export type SearchScope = "all" | "catalogues" | "registry";

/** Milliseconds for which a fetched catalogue is used before it is fetched again. */
const believedMs = 5 * 60_000;

/** What can be installed: the built-in catalogue, catalogues that the person added, and the npm registry. */
export class Catalog {
  readonly #services: Pick<
    CatalogServices,
    "storage" | "platform" | "registry" | "settings" | "runtimes" | "mcpRegistry"
  >;
  readonly #fetched = new Map<string, { at: number; entries: Promise<CatalogEntry[]> }>();
  #builtin: Promise<CatalogEntry[]> | null = null;

  constructor(
    services: Pick<
      CatalogServices,
      "storage" | "platform" | "registry" | "settings" | "runtimes" | "mcpRegistry"
    >,
  ) {
    this.#services = services;
  }

  /**
   * Entries that fit all words of the query. Without a query: everything that the catalogues list; the registry is then
   * not asked. A source that fails is named in `failures`; the others still answer. `wait`: false leaves out a list that is
   * fetched for the first time.
   */
  async search(
    query: string,
    registry?: string,
    scope: SearchScope = "all",
    wait = true,
  ): Promise<CatalogFindings> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const answers = scope === "registry" ? [] : await this.#askCatalogues(wait);
    const listed = answers.flatMap(({ entries }) => entries).filter((entry) => !isWithdrawn(entry));
    for (const answer of answers) answer.entries = answer.entries.filter((entry) => fits(entry, words));
    const isListed = answers.some((answer) => answer.entries.length > 0);
    const near = isListed ? [] : nearNames(query, withoutRepeats(listed));
    if (words.length > 0 && scope !== "catalogues") answers.push(await this.#searchRegistry(query, registry));
    const marked = withoutRepeats(answers.flatMap((answer) => answer.entries)).map((entry) =>
      this.#marked(entry),
    );
    return {
      // What was withdrawn concerns only those who have it.
      entries: marked.filter((entry) => !isWithdrawn(entry) || entry.installedVersion !== null),
      ...(near.length > 0 && { near: near.map((entry) => this.#marked(entry)) }),
      failures: answers.flatMap((answer) => answer.failures),
    };
  }

  /** @throws PatchbayError PACKAGE_NOT_FOUND, REGISTRY_UNREACHABLE, REGISTRY_REFUSED */
  async details(packageName: string, registry?: string): Promise<PackageDetails> {
    const details = await packageDetails(packageName, await this.#registryOptions(packageName, registry));
    return cleanDeep(details, cleanLine);
  }

  /** Asks a source once. @throws PatchbayError REGISTRY_UNREACHABLE, REGISTRY_REFUSED, PACKAGE_NOT_FOUND */
  async check(kind: "registry" | "catalogue", url: string): Promise<{ ms: number; entries: number | null }> {
    return checkSource(kind, url, this.#services.runtimes);
  }

  /** What other programs on this computer have. One that cannot be read has a problem; the others answer all the same. */
  found(signal: AbortSignal = new AbortController().signal): Promise<FoundHere> {
    return foundHere(this.#services, signal);
  }

  /** What a person typed or pasted, as it can be installed. */
  given(plugins: FoundElsewhere["plugins"]): Promise<FoundPlugin[]> {
    return givenHere(plugins, this.#services.registry);
  }

  async close(): Promise<void> {
    this.#fetched.clear();
  }

  #askCatalogues(wait: boolean): Promise<CatalogFindings[]> {
    const { catalogUrls } = this.#services.settings.get();
    return Promise.all([
      this.#ask("The built-in catalogue", () => this.#builtinEntries()),
      ...catalogUrls.map((url) => this.#ask(hostOf(url), () => this.#catalogEntries(url))),
      this.#askMcpRegistry(wait),
    ]);
  }

  /** What the MCP Registry lists, as far as it is known; where it does not answer, that of before, with its age. */
  async #askMcpRegistry(wait: boolean): Promise<CatalogFindings> {
    const address = this.#services.settings.get().mcpRegistry;
    if (address === null) return { entries: [], failures: [] };
    const source = hostOf(address);
    const { entries, askedAt, problem } = await this.#services.mcpRegistry.list(wait);
    const listedAt = askedAt === null ? {} : { listedAt: askedAt };
    return {
      entries: [...entriesOf(entries, { source, registry: address })],
      failures: problem === null ? [] : [{ source, message: problem.message, ...listedAt }],
    };
  }

  #registryOptions(spec: string, registry: string | undefined) {
    return npmOptions({
      request: {
        spec,
        registry,
        link: false,
        yes: false,
        look: false,
        allowScripts: false,
        acceptRisk: false,
        replace: false,
      },
      defaultRegistry: this.#services.settings.get().registry,
      npmCache: this.#services.storage.places.npmCache,
    });
  }

  async #searchRegistry(query: string, registry: string | undefined): Promise<CatalogFindings> {
    const options = await this.#registryOptions(query, registry);
    return this.#ask(hostOf(options.registry), () => searchRegistry(query.trim(), options));
  }

  async #ask(source: string, entries: () => Promise<CatalogEntry[]>): Promise<CatalogFindings> {
    try {
      return { entries: cleanDeep(await entries(), cleanLine), failures: [] };
    } catch (error) {
      return { entries: [], failures: [{ source, message: toProblem(error).message }] };
    }
  }

  #builtinEntries(): Promise<CatalogEntry[]> {
    this.#builtin ??= readBuiltinCatalog(join(this.#services.platform.resourcesDir, "catalog.json"));
    return this.#builtin;
  }

  #catalogEntries(url: string): Promise<CatalogEntry[]> {
    const known = this.#fetched.get(url);
    if (known && Date.now() - known.at < believedMs) return known.entries;
    const entries = fetchCatalog(url, this.#services.runtimes);
    this.#fetched.set(url, { at: Date.now(), entries });
    entries.catch(() => this.#fetched.delete(url));
    return entries;
  }

  #marked(entry: CatalogEntry): CatalogEntry {
    const installed = this.#services.registry.list().find((plugin) => isThe(entry, plugin));
    return { ...entry, installedVersion: installed?.packageVersion ?? null };
  }
}

const isWithdrawn = ({ advice }: CatalogEntry) => advice?.status === "withdrawn";

function fits(entry: CatalogEntry, words: string[]): boolean {
  const text =
    `${entry.displayName} ${entry.packageName} ${entry.manifestKey ?? ""} ${entry.description} ${entry.publisher ?? ""} ${translated(entry)}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Its texts in further languages: a person searches in their own. */
function translated({ words }: CatalogEntry): string {
  return Object.values(words ?? {})
    .flatMap((language) => Object.values(language ?? {}))
    .join(" ");
}

/** Removes repeated packages: the entry of the first source that lists a package is kept. */
function withoutRepeats(entries: CatalogEntry[]): CatalogEntry[] {
  const bySpec = new Map<string, CatalogEntry>();
  for (const entry of entries) if (!bySpec.has(entry.spec)) bySpec.set(entry.spec, entry);
  return [...bySpec.values()];
}

function isThe(entry: CatalogEntry, plugin: Plugin): boolean {
  const isBuiltin = plugin.source.kind === "builtin";
  if (isBuiltin !== (entry.trust === "built-in")) return false;
  return entry.manifestKey
    ? plugin.manifestKey === entry.manifestKey
    : plugin.packageName === entry.packageName;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
