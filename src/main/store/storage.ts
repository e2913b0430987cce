import type { z } from "zod";
import { PatchbayError, type RuntimeId } from "../../contract/index.ts";
import type { AgentRooms } from "./agent-rooms.ts";
import type { Leases } from "./lease.ts";
import type { RemovedRooms } from "./removed-rooms.ts";
import type { SetAsideFiles } from "./set-aside-files.ts";
import type { Guard, Signer } from "./signer.ts";

/**
 * All stored state. Files are the first adapter (`files/`); one for a database will follow. Reads come from memory;
 * each write returns a promise that resolves when the data would survive the end of this process. An adapter over a
 * network reads everything when it is opened, so that `rows` can answer at once. After another process took the lease
 * over, writes fail with LEASE_LOST: of rows at once, of logs, blobs and files after at most 0.1 seconds.
 */
export interface Storage {
  /**
   * Opens a collection, of the whole app or of what the scope names. The caller must close it.
   *
   * @throws PatchbayError STATE_FILE_NEWER, STATE_FILE_DAMAGED where the collection says `refuse`, READ_FAILED
   */
  rows<T>(collection: Collection<T>, scope?: RowScope): Rows<T>;
  /**
   * Removes a collection and its copies without reading them. For the values of a plugin the folder of the plugin's
   * files, its figures and its log are removed, too. If the collection is open, call `discard` first.
   */
  drop(name: CollectionName, scope?: RowScope): Promise<void>;
  /** Opens a log, which is read or made only when it is used. The caller must close it. */
  log<T>(log: LogDefinition<T>): Log<T>;
  /** Ids of the conversations of an agent, in no order. */
  sessions(agentId: string): Promise<string[]>;
  /** Contents under their digests, for one purpose (`room`) of an agent. */
  blobs(agentId: string, room: string): Blobs;
  /**
   * Files that came with a conversation or go out with it. Nothing is made before the first is added.
   *
   * @param room what is kept apart from the others, under names of its own
   * @throws PatchbayError AGENT_NOT_FOUND, SESSION_NOT_FOUND when an id cannot be one
   */
  files(agentId: string, sessionId: string, room?: "uploads"): SessionFiles;
  readonly agents: AgentRooms;
  readonly removed: RemovedRooms;
  readonly setAside: SetAsideFiles;
  readonly leases: Leases;
  readonly places: Places;
  /**
   * Moves all files of the vault aside.
   * @returns the folder in which they are now; null when there were none
   */
  setVaultAside(): Promise<string | null>;
  /** Removes the kept copies of the vault, also damaged ones; the vault itself and its key stay. */
  forgetVaultCopies(): Promise<void>;
  /** The key file of a vault that no keychain protects. */
  readonly vaultKey: KeyFile;
  /** The number of the index of newest rows (`signer.ts`); 0: there is none that is signed; null: nobody can say. */
  newestRows(signer: Signer): number | null;
  /**
   * The space that everything takes. It is counted at each call, which takes a while with many files.
   * @throws PatchbayError READ_FAILED
   */
  usedSpace(signal?: AbortSignal): Promise<UsedSpace>;
}

/** Used space in bytes. */
export interface UsedSpace {
  total: number;
  /** The part of conversations, their records and the files that came with them. */
  sessions: number;
}

/** JSON documents of one kind, each under an id. */
export interface Collection<T> {
  name: CollectionName;
  /** The schema of one document. */
  schema: z.ZodType<T>;
  /** Version of `schema`. An older document goes through `migrations[v]` for each v up to it. */
  version: number;
  migrations?: Record<number, (old: unknown) => unknown>;
  /** What to do when the stored data is damaged and there is no good copy. Default: `start-empty`. */
  whenLost?: "start-empty" | "refuse";
  /** Signs each document. Without one, changes from outside are not noticed. */
  guard?: Guard<T>;
}

/** The names of all collections. Adapters know where each is stored. */
export type CollectionName =
  | "settings"
  | "plugins"
  | "agents"
  | "agent-plugins"
  | "plugin-values"
  /** What a plugin keeps by key through its runtime, in a plain file of that runtime. */
  | "runtime-values"
  /** How often a plugin was called for an agent, and how long that took. */
  | "figures"
  | "vault"
  /** How often the vault was tried with a wrong passphrase. */
  | "unlock-attempts"
  | "jobs"
  | "searches"
  | "starts"
  | "access"
  | "set-aside"
  | "removed"
  /** What plugins say of what they offer, as the person agreed to it. */
  | "pins";

/** The id of the document in collections with a single document. */
export const only = "only";

export interface RowScope {
  agentId: string;
  pluginKey?: string;
}

/**
 * An open collection, with a copy in memory. Its writes happen in the order of the calls. The copy changes when a write
 * is durable; only the changes of the methods `…Later` are visible at once.
 */
export interface Rows<T> {
  /** All documents, in the order in which they were made. */
  all(): ReadonlyMap<string, T>;
  get(id: string): T | undefined;
  /** Rises with each write of the document; 0 when there is none. Only needed for `put`. */
  revision(id: string): number;
  /**
   * Writes a document if its revision is still `expected` (0: it must not exist).
   *
   * @returns its new revision
   * @throws StaleRow when it is another one; the copy in memory then shows the stored document. PatchbayError
   * DISK_FULL, WRITE_FAILED, SHUTTING_DOWN, INTERNAL for a value that does not fit the schema
   */
  put(id: string, value: T, expected: number): Promise<number>;
  /**
   * Changes a document. `compute` gets the present value and returns the new one: undefined removes the document, the
   * same object writes nothing. It runs when earlier writes are done, and again when another process has changed the
   * document meanwhile. What it throws is thrown.
   */
  change(id: string, compute: (current: T | undefined) => T | undefined): Promise<T | undefined>;
  /**
   * Changes some fields (undefined removes one), or the whole document. Visible at once and durable within half a
   * second, in one write with other such changes. Callers need not wait: a failed write is reported as a notice.
   *
   * @returns resolves when the change is durable
   * @throws as `flush`; SHUTTING_DOWN when the collection was closed or discarded before
   */
  mergeLater(id: string, fields: Partial<T>): Promise<void>;
  putLater(id: string, value: T): Promise<void>;
  removeLater(id: string): Promise<void>;
  /**
   * True while documents bear signatures that cannot be checked, because the vault is closed. Changes of what is signed
   * are then refused with VAULT_CLOSED.
   */
  readonly unproven: boolean;
  /**
   * Judges the stored documents again, because the key is there now. Those that do not fit are set aside, as when the
   * collection is opened.
   *
   * @param adopt takes everything as it is, and signs it: the person began an empty vault, and with it another key
   * @returns the ids of the documents that are others than before
   */
  review(adopt?: boolean): string[];
  /**
   * Writes the changes of `…Later`; resolves when they are durable.
   * @throws as `put`; the changes are then still in memory and are tried again
   */
  flush(): Promise<void>;
  /** Flushes and closes. Never rejects: a failed write is reported as a notice. */
  close(): Promise<void>;
  /** Closes without writing, because the agent or plugin that it belongs to is about to be removed. */
  discard(): void;
}

/** Thrown when the stored document has not the revision that the writer expected. */
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
    | { kind: "plugin"; agentId: string; pluginKey: string }
    /** The messages of a conversation; the record of its turns; traces, which older versions kept instead. */
    | { kind: "session" | "record" | "traces"; agentId: string; sessionId: string };
  /** The schema of one entry. */
  schema: z.ZodType<T>;
}

/** An append-only log. */
export interface Log<T> {
  /**
   * Appends entries, all or none, in the order of the calls. Resolves when they would survive the end of this process.
   * @throws DISK_FULL, WRITE_FAILED
   */
  append(...entries: T[]): Promise<void>;
  /**
   * The entries from a position on; `next` is the position for the next call. Entries that cannot be read are left out
   * and reported once, as a notice.
   */
  read(from?: number): Promise<{ entries: T[]; next: number }>;
  /**
   * All entries, those of the older half first.
   * @param wanted looks at an entry's JSON; what it says no to is not parsed, which is most of the work
   */
  readAll(wanted?: (json: string) => boolean): Promise<T[]>;
  /**
   * As `read`, for logs that another process may be writing: an incomplete last entry is left for the next call, and
   * nothing is reported. Returns only entries whose field `type` is one of `types`.
   */
  glance(from: number, types: readonly string[]): Promise<{ entries: T[]; next: number }>;
  /** Size of the log in bytes, without the older half; 0 when it is empty. */
  size(): Promise<number>;
  /**
   * The present entries become the older half; the older half before is removed. Only for records and plugins.
   * @returns the size of the removed half in bytes
   */
  turnOver(): Promise<number>;
  /** Removes the log, its older half as well. @throws WRITE_FAILED */
  remove(): Promise<void>;
  /** Waits for writes under way and closes the log. */
  close(): Promise<void>;
}

/** Contents stored under an address: their SHA-256 in hexadecimal, lower case. */
export interface Blobs {
  /**
   * Stores a content, which then survives a kill of the process. Storing the same again is cheap.
   *
   * @param address its address, if the caller knows it already
   * @returns its address
   * @throws DISK_FULL, WRITE_FAILED
   */
  put(content: Uint8Array, address?: string): Promise<string>;
  /** The content; undefined when there is none, or when it no longer matches its address (it is damaged). */
  get(address: string): Promise<Buffer | undefined>;
  has(address: string): Promise<boolean>;
  /** Does nothing when there is none. */
  remove(address: string): Promise<void>;
  /** Notes that the content was used now. Does nothing when there is none. */
  touch(address: string): Promise<void>;
  /** All contents, sorted by the time of their last `put` or `touch`, the oldest first. */
  list(): Promise<{ address: string; bytes: number }[]>;
}

/** Whole files under names. */
export interface SessionFiles {
  /**
   * Writes a file that was not there: `plan-2.pdf` where `plan.pdf` is taken. Outlives a kill of the process.
   *
   * @param name a file name without a path
   * @returns the name that it got
   * @throws PatchbayError BAD_INPUT for a name that leads elsewhere, DISK_FULL, WRITE_FAILED
   */
  add(name: string, content: Uint8Array): Promise<string>;
  /** Undefined when there is none. @throws PatchbayError READ_FAILED */
  read(name: string): Promise<Buffer | undefined>;
}

/** A key that lies beside the vault. */
export interface KeyFile {
  /** The key; null when there is none. @throws PatchbayError READ_FAILED */
  read(): Buffer | null;
  write(key: Buffer): Promise<void>;
  remove(): Promise<void>;
}

/** Absolute paths of real folders, which plugins, people and programs need. A folder is made only when it is used. */
export interface Places {
  /** The folder that contains all others. It is shown to people, and programs are started in it. */
  readonly root: string;
  readonly plugins: string;
  readonly staging: string;
  /** For what can be fetched or made again. */
  readonly cache: string;
  readonly npmCache: string;
  /** Folder for what Node compiled of plugins that it runs. */
  readonly compiled: string;
  /** Folder of the audit log's files, for people who want to read them. */
  readonly audit: string;
  /** The workspace of an agent for which the person chose none. */
  workspace(agentId: string): string;
  /** Folder of the files that came with an agent's conversations. */
  sessions(agentId: string): string;
  /** Folder for the files that a runtime keeps for a plugin of an agent. */
  pluginFiles(agentId: string, pluginKey: string): string;
  /** Folder for the links that a runtime makes to the programs of its plugins. */
  programs(runtime: RuntimeId): string;
}

export function agentNotFound(agentId: string): PatchbayError {
  return new PatchbayError("AGENT_NOT_FOUND", `There is no agent "${agentId}".`);
}
