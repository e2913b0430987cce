import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError, type Problem } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { AgentRooms } from "../agent-rooms.ts";
import { Documents, type RowStore } from "../documents.ts";
import type { Leases } from "../lease.ts";
import type { RemovedRooms } from "../removed-rooms.ts";
import type { SetAsideFiles } from "../set-aside-files.ts";
import type { Signer } from "../signer.ts";
import type {
  Blobs,
  Collection,
  CollectionName,
  KeyFile,
  Log,
  LogDefinition,
  Places,
  RowScope,
  Rows,
  SessionFiles,
  Storage,
  UsedSpace,
} from "../storage.ts";
import type { StoreEngine } from "./conf-file.ts";
import { Fence } from "./fence.ts";
import { FileBlobs } from "./file-blobs.ts";
import { FileLeases } from "./file-lease.ts";
import {
  ensurePrivateFolder,
  PRIVATE_FOLDER,
  readError,
  stampOf,
  systemCode,
  writeError,
  writeNewFile,
  writePrivateFile,
} from "./files.ts";
import { filesBelow } from "./files-below.ts";
import { removeStateFile } from "./good-copies.ts";
import { openJsonLines } from "./json-lines.ts";
import { FileLayout } from "./layout.ts";
import { AgentFolders } from "./rooms/agent-folders.ts";
import { FilesSetAside } from "./rooms/files-set-aside.ts";
import { RemovedFolders } from "./rooms/removed-folders.ts";
import { NewestRows } from "./rows/newest.ts";
import { openFileRows } from "./rows/open-rows.ts";

export interface FileStorageOptions {
  /** The home folder; made when it is not there. */
  home: string;
  /** Called for damaged files, and for failed writes that no caller waited for. */
  onNotice(problem: Problem): void;
  /** The engine that writes the files of rows. Default: `conf`; the desktop gives electron-store. */
  engine?: StoreEngine | undefined;
  clock?: Clock;
}

/** State in files below one folder, as docs/state.md says. */
export function openFileStorage(options: FileStorageOptions): Storage {
  return new FileStorage(options);
}

class FileStorage implements Storage {
  readonly agents: AgentRooms;
  readonly removed: RemovedRooms;
  readonly setAside: SetAsideFiles;
  readonly leases: Leases;
  readonly places: Places;
  readonly vaultKey: KeyFile;
  readonly #options: FileStorageOptions;
  readonly #clock: Clock;
  readonly #layout: FileLayout;
  readonly #fence: Fence;
  readonly #newest: NewestRows;

  constructor(options: FileStorageOptions) {
    const { home, engine, onNotice } = options;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#fence = new Fence(this.#clock);
    this.#layout = new FileLayout(home);
    this.places = this.#layout.places;
    this.leases = new FileLeases({ home, engine, onNotice, clock: this.#clock, fence: this.#fence });
    this.agents = new AgentFolders(this.#layout, this.#fence);
    this.removed = new RemovedFolders(this.#layout, this.#fence);
    this.setAside = new FilesSetAside(home, this.#fence);
    this.#newest = new NewestRows(this.#layout.newestRows, this.#clock, () => this.#fence.look());
    this.vaultKey = new VaultKeyFile(this.#layout.vaultKey, this.#fence);
  }

  rows<T>(collection: Collection<T>, scope?: RowScope): Rows<T> {
    const { engine, onNotice } = this.#options;
    const layout = this.#layout.collection(collection.name, scope);
    const files = openFileRows(
      layout,
      { collection, scope, engine, onNotice, newest: this.#newest },
      this.#layout.agents,
    );
    return new Documents({
      name: collection.name,
      schema: collection.schema,
      store: fenced(files, this.#fence),
      onNotice,
      clock: this.#clock,
    });
  }

  async drop(name: CollectionName, scope?: RowScope): Promise<void> {
    this.#fence.look();
    const layout = this.#layout.collection(name, scope);
    if ("file" in layout) removeStateFile(layout.file);
    if (name === "plugin-values" && scope?.pluginKey !== undefined) {
      for (const path of this.#layout.ofPlugin(scope.agentId, scope.pluginKey))
        rmSync(path, { recursive: true, force: true });
    }
  }

  log<T>({ place, schema }: LogDefinition<T>): Log<T> {
    const { onNotice } = this.#options;
    return openJsonLines(this.#layout.log(place), schema, {
      onNotice,
      olderPath: this.#layout.olderLog(place),
      beforeWrite: () => this.#fence.check(),
    });
  }

  async sessions(agentId: string): Promise<string[]> {
    return this.#layout.sessionIds(await readdir(this.places.sessions(agentId)).catch(() => []));
  }

  newestRows = (signer: Signer) => this.#newest.number(signer);

  blobs(agentId: string, room: string): Blobs {
    return new FileBlobs(this.#layout.blobs(agentId, room), this.#clock, () => this.#fence.check());
  }

  files(agentId: string, sessionId: string, room?: "uploads"): SessionFiles {
    return new FilesInFolder(this.#layout.files(agentId, sessionId, room), this.#fence);
  }

  async usedSpace(signal?: AbortSignal): Promise<UsedSpace> {
    const used = { total: 0, sessions: 0 };
    for await (const { path, bytes } of filesBelow(this.#options.home)) {
      signal?.throwIfAborted();
      used.total += bytes;
      if (this.#layout.isOfSession(path)) used.sessions += bytes;
    }
    return used;
  }

  async setVaultAside(): Promise<string | null> {
    this.#fence.look();
    const { home } = this.#options;
    const files = readdirSync(home).filter(
      (name) => /^vault\.(?:json|key)/.test(name) || /^vault\.damaged/.test(name),
    );
    if (files.length === 0) return null;
    const folder = join(home, `vault-set-aside-${stampOf(this.#clock)}`);
    ensurePrivateFolder(folder);
    try {
      for (const name of files) renameSync(join(home, name), join(folder, name));
    } catch (error) {
      throw writeError(error, folder);
    }
    return folder;
  }

  async forgetVaultCopies(): Promise<void> {
    this.#fence.look();
    const { home } = this.#options;
    for (const name of readdirSync(home)) {
      if (/^vault\.(?:json\.|damaged)/.test(name)) rmSync(join(home, name), { force: true });
    }
  }
}

/** The same rows, but writes are refused when the process has lost the lease. */
function fenced<T>(rows: RowStore<T>, fence: Fence): RowStore<T> {
  return {
    load: () => rows.load(),
    async write(writes, coalesced) {
      fence.look();
      return rows.write(writes, coalesced);
    },
    get unproven() {
      return rows.unproven ?? false;
    },
    review(adopt) {
      fence.look();
      rows.review?.(adopt);
    },
    close: () => rows.close(),
  };
}

class FilesInFolder implements SessionFiles {
  readonly #folder: string;
  readonly #fence: Fence;

  constructor(folder: string, fence: Fence) {
    this.#folder = folder;
    this.#fence = fence;
  }

  async add(name: string, content: Uint8Array): Promise<string> {
    this.#fence.check();
    if (!isBare(name)) throw new PatchbayError("BAD_INPUT", `"${name}" cannot be the name of a file.`);
    const numbered = (number: number) => `-${number}`;
    return writeNewFile(this.#folder, name, content, { numbered, folderMode: PRIVATE_FOLDER });
  }

  async read(name: string): Promise<Buffer | undefined> {
    if (!isBare(name)) return undefined;
    const path = join(this.#folder, name);
    return readFile(path).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return undefined;
      throw readError(error, path);
    });
  }
}

/** Whether a name leads out of no folder. */
function isBare(name: string): boolean {
  return !["", ".", ".."].includes(name) && !/[\\/]/.test(name);
}

class VaultKeyFile implements KeyFile {
  readonly #path: string;
  readonly #fence: Fence;

  constructor(path: string, fence: Fence) {
    this.#path = path;
    this.#fence = fence;
  }

  read(): Buffer | null {
    try {
      return Buffer.from(readFileSync(this.#path, "utf8").trim(), "base64");
    } catch (error) {
      if (systemCode(error) === "ENOENT") return null;
      throw readError(error, this.#path);
    }
  }

  async write(key: Buffer): Promise<void> {
    this.#fence.look();
    writePrivateFile(this.#path, `${key.toString("base64")}\n`);
  }

  async remove(): Promise<void> {
    this.#fence.look();
    rmSync(this.#path, { force: true });
  }
}
