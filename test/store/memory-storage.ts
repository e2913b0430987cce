import { createHash, randomUUID } from "node:crypto";
import { PatchbayError, type Problem } from "../../src/contract/index.ts";
import type { Clock } from "../../src/main/base/clock.ts";
import { Documents, type RowStore, type RowWrite, type StoredRow } from "../../src/main/store/documents.ts";
import { type Lease, leaseLost, sequenceOf } from "../../src/main/store/lease.ts";
import {
  type Blobs,
  type Collection,
  type CollectionName,
  type Log,
  type LogDefinition,
  type RowScope,
  type Rows,
  type SessionFiles,
  StaleRow,
  type Storage,
} from "../../src/main/store/storage.ts";

type Part = Pick<Storage, "rows" | "drop" | "log" | "sessions" | "blobs" | "files" | "leases">;

/** Plays a database server: several storages can be opened over one, as by several processes. */
export class Server {
  readonly rows = new Map<string, Map<string, StoredRow<unknown>>>();
  readonly logs = new Map<string, unknown[]>();
  readonly blobs = new Map<string, Buffer>();
  readonly files = new Map<string, Buffer>();
  readonly store = randomUUID();
  generation = 0;
  holder: { id: string; heardAt: number } | null = null;
}

/** Milliseconds after which a holder that sends no sign of life loses its lease. */
export const leaseMs = 10_000;

/** The network to the server. Each write waits for `beforeWrite`, which a test can delay or let reject. */
export interface Network {
  beforeWrite(): Promise<void>;
}

/** A storage over a server that is slow and may fail. It shows what an adapter for a database must do. */
export class MemoryStorage implements Part {
  readonly leases = { acquire: () => this.#acquire() };
  readonly #server: Server;
  readonly #network: Network;
  readonly #clock: Clock;
  readonly #onNotice: (problem: Problem) => void;
  #lease: { generation: number; lose(): void } | null = null;

  constructor(server: Server, network: Network, clock: Clock, onNotice: (problem: Problem) => void) {
    this.#server = server;
    // The server knows the newest generation; a write of an earlier one is refused there.
    this.#network = {
      beforeWrite: async () => {
        await network.beforeWrite();
        if (this.#lease === null || this.#lease.generation === server.generation) return;
        this.#lease.lose();
        throw leaseLost();
      },
    };
    this.#clock = clock;
    this.#onNotice = onNotice;
  }

  rows<T>(collection: Collection<T>, scope?: RowScope): Rows<T> {
    const name = JSON.stringify([collection.name, scope?.agentId, scope?.pluginKey]);
    const table = this.#server.rows.get(name) ?? new Map<string, StoredRow<unknown>>();
    this.#server.rows.set(name, table);
    return new Documents<T>({
      name: collection.name,
      schema: collection.schema,
      store: new Table(table as Map<string, StoredRow<T>>, this.#network),
      onNotice: this.#onNotice,
      clock: this.#clock,
    });
  }

  async drop(name: CollectionName, scope?: RowScope): Promise<void> {
    await this.#network.beforeWrite();
    this.#server.rows.delete(JSON.stringify([name, scope?.agentId, scope?.pluginKey]));
  }

  log<T>({ place }: LogDefinition<T>): Log<T> {
    const name = JSON.stringify(place);
    const entries = (this.#server.logs.get(name) ?? []) as T[];
    this.#server.logs.set(name, entries);
    let tail: Promise<unknown> = Promise.resolve();
    const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
      const result = tail.then(work);
      tail = result.catch(() => undefined);
      return result;
    };
    const olderName = JSON.stringify([place, "older"]);
    const older = () => (this.#server.logs.get(olderName) ?? []) as T[];
    const bytesOf = (held: T[]) => held.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
    const read = (from = 0) => inTurn(async () => ({ entries: entries.slice(from), next: entries.length }));
    return {
      append: (...added) =>
        inTurn(async () => {
          await this.#network.beforeWrite();
          entries.push(...structuredClone(added));
        }),
      read,
      readAll: async () => [...older(), ...(await read()).entries],
      glance: async (from, types) => {
        const { entries: seen, next } = await read(from);
        const isWanted = (entry: T) => types.includes((entry as { type?: string }).type ?? "");
        return { entries: seen.filter(isWanted), next };
      },
      size: async () => bytesOf(entries),
      turnOver: () =>
        inTurn(async () => {
          await this.#network.beforeWrite();
          const dropped = bytesOf(older());
          this.#server.logs.set(olderName, entries.splice(0));
          return dropped;
        }),
      remove: () =>
        inTurn(async () => {
          await this.#network.beforeWrite();
          entries.length = 0;
          this.#server.logs.delete(olderName);
        }),
      close: async () => void (await tail),
    };
  }

  async sessions(agentId: string): Promise<string[]> {
    return [...this.#server.logs].flatMap(([name, entries]) => {
      const place = JSON.parse(name);
      return place.kind === "session" && place.agentId === agentId && entries.length > 0
        ? [place.sessionId]
        : [];
    });
  }

  blobs(agentId: string, room: string): Blobs {
    const { blobs } = this.#server;
    const at = (address: string) => JSON.stringify([agentId, room, address]);
    const prefix = JSON.stringify([agentId, room]).slice(0, -1);
    const touch = async (address: string) => {
      const content = blobs.get(at(address));
      blobs.delete(at(address));
      if (content) blobs.set(at(address), content);
    };
    return {
      put: async (content) => {
        const address = createHash("sha256").update(content).digest("hex");
        if (blobs.has(at(address))) {
          await touch(address);
          return address;
        }
        await this.#network.beforeWrite();
        blobs.set(at(address), Buffer.from(content));
        return address;
      },
      get: async (address) => blobs.get(at(address)),
      has: async (address) => blobs.has(at(address)),
      touch,
      list: async () =>
        [...blobs]
          .filter(([name]) => name.startsWith(`${prefix},`))
          .map(([name, content]) => ({ address: JSON.parse(name)[2], bytes: content.length })),
      remove: async (address) => {
        await this.#network.beforeWrite();
        blobs.delete(at(address));
      },
    };
  }

  files(agentId: string, sessionId: string, room?: "uploads"): SessionFiles {
    const { files } = this.#server;
    const at = (name: string) => JSON.stringify([agentId, sessionId, room, name]);
    return {
      add: async (name, content) => {
        if (/[\\/]/.test(name))
          throw new PatchbayError("BAD_INPUT", `"${name}" cannot be the name of a file.`);
        await this.#network.beforeWrite();
        const dot = name.lastIndexOf(".");
        let free = name;
        for (let number = 2; files.has(at(free)); number += 1)
          free = `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
        files.set(at(free), Buffer.from(content));
        return free;
      },
      read: async (name) => files.get(at(name)),
    };
  }

  async #acquire(): Promise<Lease> {
    const server = this.#server;
    const isHeld = server.holder !== null && this.#clock.now() - server.holder.heardAt < leaseMs;
    if (isHeld) {
      throw new PatchbayError("HOME_IN_USE", "Another Patchbay has this store.", {
        details: { pid: null, url: null },
      });
    }
    const id = randomUUID();
    const lost = new AbortController();
    server.generation += 1;
    server.holder = { id, heardAt: this.#clock.now() };
    let cancel: () => void = () => {};
    const lose = () => lost.abort(leaseLost());
    const { generation } = server;
    this.#lease = { generation, lose };
    const beat = () => {
      if (server.holder?.id !== id) return lose();
      server.holder.heardAt = this.#clock.now();
      cancel = this.#clock.after(leaseMs / 3, beat);
    };
    cancel = this.#clock.after(leaseMs / 3, beat);
    return {
      holder: id,
      generation,
      epoch: server.store,
      sequence: sequenceOf(generation),
      lost: lost.signal,
      announce: () => this.#network.beforeWrite(),
      withdraw: async () => {},
      release: async () => {
        cancel();
        if (!lost.signal.aborted) this.#lease = null;
        if (server.holder?.id === id) server.holder = null;
      },
    };
  }
}

class Table<T> implements RowStore<T> {
  readonly #table: Map<string, StoredRow<T>>;
  readonly #network: Network;

  constructor(table: Map<string, StoredRow<T>>, network: Network) {
    this.#table = table;
    this.#network = network;
  }

  load(): ReadonlyMap<string, StoredRow<T>> {
    return new Map(this.#table);
  }

  async write(writes: readonly RowWrite<T>[]): Promise<ReadonlyMap<string, number>> {
    await this.#network.beforeWrite();
    for (const { id, expected } of writes) {
      const there = this.#table.get(id);
      if ((there?.revision ?? 0) !== expected) throw new StaleRow(id, there ?? null);
    }
    for (const { id, value, expected } of writes) {
      if (value === undefined) this.#table.delete(id);
      else this.#table.set(id, { value: structuredClone(value), revision: expected + 1 });
    }
    return new Map(writes.map(({ id, expected }) => [id, expected + 1]));
  }

  close(): void {}
}
