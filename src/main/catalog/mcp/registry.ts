import { EventEmitter } from "node:events";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type McpList, PatchbayError } from "../../../contract/index.ts";
import { type Clock, isoOf, systemClock } from "../../base/clock.ts";
import { type RegistryEntry, readEntry } from "../../runtimes/mcp/registry/entry.ts";
import { fetchJson } from "../web.ts";

/** For how long a copy is used before what is new is asked for. */
const FRESH_MS = 60 * 60_000;
/** For how long one that did not answer is left alone. */
const AGAIN_MS = 60_000;
/** Most pages that are asked for at once: a registry that never ends is not followed for ever. */
const MOST_PAGES = 300;
const PAGE = 100;
/** Most servers that are taken from one asking, however large its pages are. */
const MOST_SERVERS = 100_000;
const patienceMs = 10_000;
const mostBytes = 8 * 1024 * 1024;

const pageSchema = z.object({
  servers: z.array(z.unknown()),
  metadata: z
    .looseObject({
      nextCursor: z.string().nullish().catch(undefined),
      next_cursor: z.string().nullish().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

const copySchema = z.object({
  v: z.literal(1),
  address: z.string(),
  /** When it was asked last, in milliseconds since 1970. */
  askedAt: z.number(),
  servers: z.record(z.string(), z.unknown()),
});
type Copy = z.infer<typeof copySchema>;

/** What a registry lists, as far as it is known here. The entries are the same object while they are the same. */
export interface RegistryList {
  entries: readonly RegistryEntry[];
  /** When it was asked last with success; null: never. */
  askedAt: string | null;
  /** Why it could not be asked when that was tried last; the entries are then those of before. */
  problem: PatchbayError | null;
}

/**
 * The copy of an MCP Registry: the newest version of each server that it lists. It is asked at most once an hour for what has
 * changed, and what it said before is used when it does not answer. It is waited for only while nothing is known of it.
 */
export class McpRegistry {
  readonly #options: { address(): string | null; file: string; clock: Clock };
  #copy: Copy | null = null;
  #entries: readonly RegistryEntry[] = [];
  #failed: { at: number; address: string; problem: PatchbayError } | null = null;
  #asking: Promise<void> | null = null;
  #reading: number | null = null;
  /** `list`: how far it is known has changed. */
  readonly changes = new EventEmitter<{ list: [] }>();

  constructor(options: { address(): string | null; file: string; clock?: Clock }) {
    this.#options = { clock: systemClock, ...options };
  }

  /** How far it is known. Nothing is asked or read for that. */
  known(): McpList {
    const address = this.#options.address();
    const copy = this.#copy?.address === address ? this.#copy : null;
    const failed = this.#failed?.address === address ? this.#failed : null;
    return {
      listedAt: copy && isoOf(copy.askedAt),
      failedAt: failed && isoOf(failed.at),
      reading: this.#reading,
    };
  }

  /** @param wait false: a list that is fetched for the first time is not waited for */
  async list(wait = true): Promise<RegistryList> {
    const address = this.#options.address();
    if (address === null) return { entries: [], askedAt: null, problem: null };
    const copy = await this.#load(address);
    const now = this.#options.clock.now();
    const isFresh = copy !== null && now - copy.askedAt < FRESH_MS;
    const hasFailed = this.#failed?.address === address && now - this.#failed.at < AGAIN_MS;
    if (!isFresh && !hasFailed) {
      this.#asking ??= this.#refresh(address).finally(() => {
        this.#asking = null;
        this.#read(null);
      });
      if (copy === null && wait) await this.#asking;
    }
    const problem = this.#failed?.address === address ? this.#failed.problem : null;
    const askedAt = this.#copy?.address === address ? isoOf(this.#copy.askedAt) : null;
    return { entries: this.#entries, askedAt, problem };
  }

  /** What is known here of a server by the last list; null: nothing. Nothing is asked or read for that. */
  listed(name: string): RegistryEntry | null {
    const isCurrent = this.#copy?.address === this.#options.address();
    const raw = isCurrent ? this.#copy?.servers[name] : undefined;
    return raw === undefined ? null : readEntry(raw);
  }

  /**
   * One version of a server, asked for now.
   *
   * @throws PatchbayError PACKAGE_NOT_FOUND, REGISTRY_UNREACHABLE, REGISTRY_REFUSED
   */
  async entry(name: string, version: string, signal?: AbortSignal): Promise<RegistryEntry> {
    const address = this.#options.address();
    if (address === null) throw new PatchbayError("REGISTRY_UNREACHABLE", "No MCP Registry is set.");
    const url = endpoint(
      address,
      `servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`,
    );
    const entry = readEntry(await fetchJson(url, { patienceMs, mostBytes, ...(signal && { signal }) }));
    const { host } = new URL(address);
    if (entry === null || entry.server.name !== name)
      throw new PatchbayError("REGISTRY_REFUSED", `${host} answered with something that is not ${name}.`);
    const said = entry.server.version;
    if (version !== "latest" && said !== version)
      throw new PatchbayError(
        "REGISTRY_REFUSED",
        `${host} was asked for version ${version} of ${name} and answered with ${said}.`,
      );
    await this.#load(address);
    const before = this.listed(name);
    const listed = before?.server.version === said ? before : null;
    if (listed && !isDeepStrictEqual(startOf(listed), startOf(entry)))
      throw new PatchbayError(
        "REGISTRY_REFUSED",
        `${host} listed ${name} ${said} as something else than what it answers now, and a version never changes.`,
        { help: "Do not install it. Tell the registry, or wait for the next list." },
      );
    return entry;
  }

  /** Says how many servers were read so far; null when none are read any more. */
  #read(count: number | null): void {
    this.#reading = count;
    this.changes.emit("list");
  }

  async #load(address: string): Promise<Copy | null> {
    if (this.#copy?.address === address) return this.#copy;
    const text = await readFile(this.#options.file, "utf8").catch(() => null);
    // An answer that came meanwhile is newer than the file.
    if (this.#copy?.address === address) return this.#copy;
    const read = text === null ? null : copySchema.safeParse(parsed(text));
    this.#take(read?.success && read.data.address === address ? read.data : null);
    if (this.#copy !== null) this.changes.emit("list");
    return this.#copy;
  }

  #take(copy: Copy | null): void {
    this.#copy = copy;
    this.#entries = Object.values(copy?.servers ?? {}).flatMap((raw) => readEntry(raw) ?? []);
  }

  /** Asks for what has changed since the last time. */
  async #refresh(address: string): Promise<void> {
    const before = this.#copy;
    const askedAt = this.#options.clock.now();
    const servers: Record<string, unknown> = { ...before?.servers };
    let count = 0;
    if (before === null) this.#read(0);
    try {
      for await (const raw of pages(address, before && isoOf(before.askedAt))) {
        const entry = readEntry(raw);
        if (entry?.isLatest) servers[entry.server.name] = raw;
        count += 1;
        if (before === null && count % PAGE === 0) this.#read(count);
        if (count > MOST_SERVERS)
          throw new PatchbayError("REGISTRY_REFUSED", `${new URL(address).host} lists without an end.`);
      }
    } catch (error) {
      this.#failed = { at: askedAt, address, problem: problemOf(error, address) };
      return;
    }
    this.#failed = null;
    const copy: Copy = { v: 1, address, askedAt, servers };
    this.#take(copy);
    // Without a copy on the disk it is asked anew after the next start.
    await this.#keep(copy).catch(() => {});
  }

  async #keep(copy: Copy): Promise<void> {
    const { file } = this.#options;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, JSON.stringify(copy), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}

/** What decides what is fetched and started. */
const startOf = ({ server: { packages, remotes } }: RegistryEntry) => ({ packages, remotes });

async function* pages(address: string, since: string | null): AsyncGenerator<unknown> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const url = new URL(endpoint(address, "servers"));
    url.searchParams.set("version", "latest");
    url.searchParams.set("limit", String(PAGE));
    if (since !== null) {
      url.searchParams.set("updated_since", since);
      url.searchParams.set("include_deleted", "true");
    }
    if (cursor !== undefined) url.searchParams.set("cursor", cursor);
    const answer = pageSchema.safeParse(await fetchJson(url.href, { patienceMs, mostBytes }));
    if (!answer.success)
      throw new PatchbayError(
        "REGISTRY_REFUSED",
        `${url.host} answered with something that is no list of servers.`,
      );
    yield* answer.data.servers;
    const { nextCursor, next_cursor } = answer.data.metadata ?? {};
    cursor = nextCursor ?? next_cursor ?? undefined;
    // One that gives the same place again would never end.
    if (cursor === undefined || cursor === "" || seen.has(cursor)) return;
    seen.add(cursor);
  }
  throw new PatchbayError("REGISTRY_REFUSED", `${new URL(address).host} lists without an end.`);
}

function problemOf(error: unknown, address: string): PatchbayError {
  if (error instanceof PatchbayError) return error;
  const message = `${new URL(address).host} could not be asked.`;
  return new PatchbayError("REGISTRY_UNREACHABLE", message, { cause: error });
}

function endpoint(address: string, path: string): string {
  return new URL(`v0.1/${path}`, address.endsWith("/") ? address : `${address}/`).href;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
