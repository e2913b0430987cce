import type { z } from "zod";
import { type GatewayFile, PatchbayError, type RuntimeId } from "../../contract/index.ts";

/**
 * Where state lives. Files are its first adapter (`files/`); a database is to be another. Reads are snapshots in memory;
 * every write returns a promise that resolves when what was written outlives this process. An adapter over a network reads
 * when it is opened, so that `rows` can answer at once. Once another has taken the lease over, every write is refused with
 * LEASE_LOST: those of rows at once, those of logs, blobs and files after a tenth of a second at the latest.
 */
export interface Storage {
  /**
   * Opens a collection, of everybody or of one agent. Whoever opens it closes it.
   *
   * @throws PatchbayError STATE_FILE_NEWER, STATE_FILE_DAMAGED where the collection says `refuse`, READ_FAILED
   */
  rows<T>(collection: Collection<T>, scope?: RowScope): Rows<T>;
  /**
   * Removes a collection with its copies, unread; with the values of a plugin also what its runtime keeps in the place for
   * its files. Whoever has it open discards it first.
   */
  drop(name: CollectionName, scope?: RowScope): Promise<void>;
  /** Opens a log; nothing is read or made before it is used. Whoever opens it closes it. */
  log<T>(log: LogDefinition<T>): Log<T>;
  /** Ids of the conversations of an agent, in no order. */
  sessions(agentId: string): Promise<string[]>;
  /** Contents under the digest of what they are. */
  blobs(agentId: string, room: string): Blobs;
  readonly agents: AgentRooms;
  readonly leases: Leases;
  readonly places: Places;
  /** Moves everything of the vault aside, whole. @returns where it is now; null when there was nothing */
  setVaultAside(): Promise<string | null>;
  /** The key file of a vault that no keychain protects. */
  readonly vaultKey: KeyFile;
  /** What all of it takes, counted anew at each call: with many files that is a while. @throws PatchbayError READ_FAILED */
  usedSpace(signal?: AbortSignal): Promise<UsedSpace>;
}

/** In bytes. */
export interface UsedSpace {
  total: number;
  /** The part of conversations, their records and the files that came with them. */
  sessions: number;
}

/** JSON documents of one kind, each under an id. */
export interface Collection<T> {
  name: CollectionName;
  /** Of one document. */
  schema: z.ZodType<T>;
  /** Version of `schema`. An older document goes through `migrations[v]` for each v up to it. */
  version: number;
  migrations?: Record<number, (old: unknown) => unknown>;
  /** What to do when it is damaged and no good copy is left; `start-empty` when absent. */
  whenLost?: "start-empty" | "refuse";
}

/** Every collection there is. Adapters know where each lies. */
export type CollectionName =
  | "settings"
  | "plugins"
  | "agents"
  | "agent-plugins"
  | "plugin-values"
  /** What a plugin keeps by key through its runtime, in a plain file of that runtime. */
  | "runtime-values"
  | "vault"
  | "jobs"
  | "searches"
  | "starts"
  | "access";

/** The id of the document in collections that have one alone. */
export const only = "only";

export interface RowScope {
  agentId: string;
  pluginKey?: string;
}

/**
 * A collection in memory and in the store. Writes of one collection happen in the order in which they were asked for. Memory
 * changes when the write has become durable: one that fails leaves it as it was. Only what `…Later` changes is seen at once.
 */
export interface Rows<T> {
  /** In the order in which they were made. */
  all(): ReadonlyMap<string, T>;
  get(id: string): T | undefined;
  /** Rises with each write of the document; 0 when there is none. Of use for `put` alone. */
  revision(id: string): number;
  /**
   * Writes a document if it is still as `expected` says (0: not there).
   *
   * @returns its new revision
   * @throws StaleRow when it is not; the snapshot then shows what is there. PatchbayError DISK_FULL, WRITE_FAILED,
   * SHUTTING_DOWN, INTERNAL for what does not fit the schema
   */
  put(id: string, value: T, expected: number): Promise<number>;
  /**
   * Writes what `compute` makes of the document, undefined to remove it; the same value writes nothing. `compute` runs when it
   * is its turn, and once more whenever somebody else was faster. What it throws is thrown.
   */
  change(id: string, compute: (current: T | undefined) => T | undefined): Promise<T | undefined>;
  /**
   * Changes some fields (undefined removes one), or the whole document: seen at once, durable within half a second, together
   * with what else changes. Nobody has to wait: a write that fails is noticed.
   *
   * @returns resolves when it is durable, with the next flush
   * @throws as `flush`; SHUTTING_DOWN when the collection was closed or discarded before
   */
  mergeLater(id: string, fields: Partial<T>): Promise<void>;
  putLater(id: string, value: T): Promise<void>;
  removeLater(id: string): Promise<void>;
  /** Resolves when what was changed later is durable. @throws as `put`; it is then still in memory and tried again */
  flush(): Promise<void>;
  /** Flushes and stops. Never rejects: a failed write is noticed. */
  close(): Promise<void>;
  /** Stops without writing: what it belongs to is about to go. */
  discard(): void;
}

/** A document that is not as the writer thought. */
export class StaleRow extends Error {
  readonly id: string;
  readonly current: { value: unknown; revision: number } | null;

  constructor(id: string, current: { value: unknown; revision: number } | null) {
    super(`The document ${id} was changed by somebody else in the meantime.`);
    this.id = id;
    this.current = current;
  }
}

export interface LogDefinition<T> {
  place:
    | { kind: "audit"; day: string }
    | { kind: "approvals"; agentId: string }
    /** What was said in a conversation; the record of its turns; and the traces that an older Patchbay kept instead. */
    | { kind: "session" | "record" | "traces"; agentId: string; sessionId: string };
  /** Of one entry. */
  schema: z.ZodType<T>;
}

/** Entries that are only ever added to. */
export interface Log<T> {
  /** Resolves when the entries, all or none, outlive this process. In the order of the calls. @throws DISK_FULL, WRITE_FAILED */
  append(...entries: T[]): Promise<void>;
  /** What was appended from a position on; `next` is where to go on. Entries that cannot be read are left out and noticed once. */
  read(from?: number): Promise<{ entries: T[]; next: number }>;
  /** All of it, the older half first. */
  readAll(): Promise<T[]>;
  /**
   * As `read`, for logs that somebody else may be writing to: an entry that is not whole yet is left for the next time, and
   * nothing is noticed. Of the entries only those whose field `type` is one of these.
   */
  glance(from: number, types: readonly string[]): Promise<{ entries: T[]; next: number }>;
  /** Bytes that it takes, without an older half: with each entry more, and 0 when there is none. */
  size(): Promise<number>;
  /** Begins anew: what there is becomes the older half. For records alone. @returns bytes of the older half before, which goes */
  turnOver(): Promise<number>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** Contents under the SHA-256 of what they are, in lower case and hexadecimal. */
export interface Blobs {
  /**
   * Outlives a kill of the process, as an entry of a log does. Putting the same again costs little.
   *
   * @param address where the caller knows it already
   * @returns its address
   * @throws DISK_FULL, WRITE_FAILED
   */
  put(content: Uint8Array, address?: string): Promise<string>;
  /** Undefined when there is none, or it is no longer what its address says. */
  get(address: string): Promise<Buffer | undefined>;
  has(address: string): Promise<boolean>;
  /** Does nothing when there is none. */
  remove(address: string): Promise<void>;
  /** It was used just now. Does nothing when there is none. */
  touch(address: string): Promise<void>;
  /** Everything, what was put or touched longest ago first. */
  list(): Promise<{ address: string; bytes: number }[]>;
}

/** What is kept for each agent apart from the others. */
export interface AgentRooms {
  /** False before anything was ever made: this is the first start. */
  any(): boolean;
  /** @throws PatchbayError AGENT_NOT_FOUND when the id cannot be one */
  has(agentId: string): boolean;
  /** @throws PatchbayError AGENT_NOT_FOUND when the id cannot be one, DISK_FULL, WRITE_FAILED */
  make(agentId: string): Promise<void>;
  /** Takes everything of an agent out of use, kept so that a mistake can be undone by hand. @throws WRITE_FAILED */
  setAside(agentId: string): Promise<void>;
  /** Whether an agent with this id was taken out of use, at any time. */
  wasSetAside(agentId: string): boolean;
}

/** How many events one holder can number. Of all numbers there are, two million holders get that many. */
const NUMBERS_OF_A_HOLDER = 2 ** 32;

export function sequenceOf(generation: number): number {
  return generation * NUMBERS_OF_A_HOLDER;
}

export interface Leases {
  /**
   * Takes the store: one process has it at a time. That of a holder that has ended, or has not been heard of for as long as
   * the adapter says, is taken over.
   *
   * @throws PatchbayError HOME_IN_USE with `details: {pid, url}` (url null while the holder has no gateway), WRITE_FAILED
   */
  acquire(): Promise<Lease>;
}

/** The right to write in a store. */
export interface Lease {
  /** Who holds it: never the same twice. */
  readonly holder: string;
  /** One more with each holder; outlives them. Adapters refuse the writes of an earlier one. */
  readonly generation: number;
  /** Names the store; outlives its holders. */
  readonly epoch: string;
  /** Events of this holder are numbered from here on: greater than all numbers of earlier ones. */
  readonly sequence: number;
  /**
   * Aborted, with the problem as its reason, when it was lost: another has taken over because this one was silent for too
   * long, or, with files, because it could not see that this one runs.
   */
  readonly lost: AbortSignal;
  /** Lets others know how the holder is reached. @throws DISK_FULL, WRITE_FAILED */
  announce(gateway: GatewayFile): Promise<void>;
  withdraw(): Promise<void>;
  /** Gives it back. May be called twice. */
  release(): Promise<void>;
}

/** A key that lies beside the vault. */
export interface KeyFile {
  /** Null when there is none. @throws PatchbayError READ_FAILED */
  read(): Buffer | null;
  write(key: Buffer): Promise<void>;
  remove(): Promise<void>;
}

/** Real folders, for plugins, people and programs; absolute paths. Not made before they are used. */
export interface Places {
  /** Everything lies below it: shown to people, and where programs are started. */
  readonly root: string;
  readonly plugins: string;
  readonly staging: string;
  readonly npmCache: string;
  /** The audit log, as far as a person may read it in files. */
  readonly audit: string;
  /** The workspace that an agent gets when it is given none. */
  workspace(agentId: string): string;
  /** Where the files lie that came with an agent's conversations. */
  sessions(agentId: string): string;
  /** What a runtime keeps in files of its own for a plugin of an agent. */
  pluginFiles(agentId: string, pluginKey: string): string;
  /** Where a runtime puts links to the programs of its plugins. */
  programs(runtime: RuntimeId): string;
}

/** What a write is refused with whose lease was taken over. */
export function leaseLost(): PatchbayError {
  return new PatchbayError(
    "LEASE_LOST",
    "Another Patchbay has taken over what this one kept; this one stops.",
  );
}

export function agentNotFound(agentId: string): PatchbayError {
  return new PatchbayError("AGENT_NOT_FOUND", `There is no agent "${agentId}".`);
}
