import type { z } from "zod";
import { PatchbayError, type Problem, toProblem } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import { apply, type Later, over } from "./later.ts";
import { type Rows, StaleRow } from "./storage.ts";

/** Milliseconds in which a delayed write collects changes. */
const COALESCE_MS = 500;
/** Milliseconds after which a failed delayed write is tried again. */
const RETRY_MS = 5_000;
/** How many times a change is computed when another process has changed the document meanwhile. */
const ATTEMPTS = 10;

export interface StoredRow<T> {
  value: T;
  revision: number;
}

export interface RowWrite<T> {
  id: string;
  /** The new content; undefined removes the document. */
  value: T | undefined;
  /** The revision that the stored document must have; 0 when it must not exist. */
  expected: number;
}

/** The part of a collection that an adapter provides: reading and writing rows. */
export interface RowStore<T> {
  /** All stored rows. The adapter must not change the returned map later. */
  load(): ReadonlyMap<string, StoredRow<T>>;
  /**
   * Writes all of them or none. Resolves when they are durable, with the new revisions.
   *
   * @param coalesced true for delayed writes, which are frequent and which no caller waits for
   * @throws StaleRow, PatchbayError DISK_FULL, WRITE_FAILED
   */
  write(writes: readonly RowWrite<T>[], coalesced: boolean): Promise<ReadonlyMap<string, number>>;
  /** As {@link Rows.unproven}; absent where nothing is signed. */
  readonly unproven?: boolean;
  /** As {@link Rows.review}; `load` then gives the rows that are left. Absent where nothing is signed. */
  review?(adopt: boolean): void;
  /** Closes its files or connections. */
  close(): void;
}

export interface DocumentsOptions<T> {
  /** The collection's name, for error messages. */
  name: string;
  schema: z.ZodType<T>;
  store: RowStore<T>;
  onNotice(problem: Problem): void;
  clock?: Clock;
}

/** A collection as all adapters have it: the order of writes, the copy in memory, and delayed writes. */
export class Documents<T> implements Rows<T> {
  readonly #options: DocumentsOptions<T>;
  readonly #clock: Clock;
  /** The stored rows. Replaced, never changed: at first it is the adapter's own map, as copying it would take time. */
  #durable: ReadonlyMap<string, StoredRow<T>>;
  /** What readers see: the stored documents with delayed changes applied. */
  readonly #shown = new Map<string, T>();
  readonly #queue = new SerialQueue();
  #later = new Map<string, Later<T>>();
  /** The delayed changes that the write under way contains, kept until it has succeeded. */
  #taken = new Map<string, Later<T>>();
  #cancel: (() => void) | undefined;
  /** The promise for all callers with a delayed change since the last flush began. */
  #nextFlush: PromiseWithResolvers<void> | undefined;
  #closed = false;
  #discarded = false;

  constructor(options: DocumentsOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#durable = options.store.load();
    for (const [id, { value }] of this.#durable) this.#shown.set(id, value);
  }

  all(): ReadonlyMap<string, T> {
    return this.#shown;
  }

  get(id: string): T | undefined {
    return this.#shown.get(id);
  }

  revision(id: string): number {
    return this.#durable.get(id)?.revision ?? 0;
  }

  put(id: string, value: T, expected: number): Promise<number> {
    return this.#inTurn(async () => {
      if (expected !== this.revision(id)) throw new StaleRow(id, this.#durable.get(id) ?? null);
      await this.#write(id, value);
      return this.revision(id);
    });
  }

  change(id: string, compute: (current: T | undefined) => T | undefined): Promise<T | undefined> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const current = this.get(id);
        const next = compute(current);
        if (next === current && !this.#later.has(id)) return current;
        try {
          await this.#write(id, next);
          return next;
        } catch (error) {
          if (!(error instanceof StaleRow) || attempt === ATTEMPTS) throw error;
        }
      }
    });
  }

  mergeLater(id: string, fields: Partial<T>): Promise<void> {
    return this.#change(id, { kind: "fields", fields });
  }

  putLater(id: string, value: T): Promise<void> {
    return this.#change(id, { kind: "whole", value });
  }

  removeLater(id: string): Promise<void> {
    return this.#change(id, { kind: "whole", value: undefined });
  }

  get unproven(): boolean {
    return this.#options.store.unproven ?? false;
  }

  review(adopt = false): string[] {
    const { store } = this.#options;
    if (this.#discarded || !store.review) return [];
    const before = this.#durable;
    store.review(adopt);
    this.#durable = store.load();
    const ids = [...new Set([...before.keys(), ...this.#durable.keys()])];
    const changed = ids.filter((id) => before.get(id)?.value !== this.#durable.get(id)?.value);
    for (const id of changed) this.#show(id);
    return changed;
  }

  flush(): Promise<void> {
    return this.#queue.run(() => this.#flush());
  }

  async close(): Promise<void> {
    if (this.#closed) return this.#queue.idle();
    this.#closed = true;
    await this.flush().catch((error: unknown) => this.#notice(error));
    this.discard();
  }

  discard(): void {
    if (!this.#discarded) this.#options.store.close();
    this.#closed = true;
    this.#discarded = true;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#nextFlush?.reject(this.#closedError());
    this.#nextFlush = undefined;
  }

  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    if (this.#closed) return Promise.reject(this.#closedError());
    return this.#queue.run(() => (this.#discarded ? Promise.reject(this.#closedError()) : work()));
  }

  #change(id: string, later: Later<T>): Promise<void> {
    if (this.#closed) return quiet(Promise.reject(this.#closedError()));
    this.#later.set(id, over(this.#later.get(id), later));
    this.#show(id);
    this.#schedule(COALESCE_MS);
    if (!this.#nextFlush) {
      this.#nextFlush = Promise.withResolvers<void>();
      quiet(this.#nextFlush.promise);
    }
    return this.#nextFlush.promise;
  }

  /** Writes a document now. `value` was computed from what readers see, so it contains the delayed changes. */
  async #write(id: string, value: T | undefined): Promise<void> {
    if (value !== undefined) this.#check(id, value);
    await this.#send([{ id, value, expected: this.revision(id) }], false);
  }

  async #flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#discarded) return;
    const flushed = this.#nextFlush;
    this.#nextFlush = undefined;
    try {
      await this.#writeLater();
      flushed?.resolve();
    } catch (error) {
      flushed?.reject(error);
      throw error;
    }
  }

  async #writeLater(): Promise<void> {
    const writes = [...this.#later.keys()]
      .map((id) => ({ id, value: this.#shown.get(id), expected: this.revision(id) }))
      .filter(({ value, expected }) => value !== undefined || expected > 0);
    if (writes.length === 0) this.#later.clear();
    else {
      await this.#send(writes, true).catch((error: unknown) => {
        if (!this.#closed) this.#schedule(RETRY_MS);
        throw error;
      });
    }
  }

  async #send(writes: readonly RowWrite<T>[], coalesced: boolean): Promise<void> {
    const later = coalesced ? this.#later : new Map<string, Later<T>>();
    if (coalesced) this.#later = new Map();
    for (const { id } of writes) {
      const waiting = this.#later.get(id);
      if (waiting) later.set(id, waiting);
      this.#later.delete(id);
    }
    this.#taken = later;
    try {
      const revisions = await this.#options.store.write(writes, coalesced);
      const durable = new Map(this.#durable);
      for (const { id, value } of writes) {
        if (value === undefined) durable.delete(id);
        else durable.set(id, { value, revision: revisions.get(id) ?? 0 });
      }
      this.#durable = durable;
    } catch (error) {
      for (const [id, waiting] of later) this.#later.set(id, over(waiting, this.#later.get(id)));
      if (error instanceof StaleRow) this.#takeOver(error);
      throw error;
    } finally {
      this.#taken = new Map();
      for (const { id } of writes) this.#show(id);
    }
  }

  #takeOver({ id, current }: StaleRow): void {
    const durable = new Map(this.#durable);
    if (current) durable.set(id, current as StoredRow<T>);
    else durable.delete(id);
    this.#durable = durable;
  }

  #show(id: string): void {
    const value = [this.#taken.get(id), this.#later.get(id)].reduce<T | undefined>(
      apply,
      this.#durable.get(id)?.value,
    );
    if (value === undefined) this.#shown.delete(id);
    else this.#shown.set(id, value);
  }

  #schedule(ms: number): void {
    this.#cancel ??= this.#clock.after(ms, () => {
      this.#cancel = undefined;
      this.flush().catch((error: unknown) => this.#notice(error));
    });
  }

  #notice(error: unknown): void {
    this.#options.onNotice(toProblem(error, "WRITE_FAILED"));
  }

  /** Refuses a value that does not fit the schema: the next start would treat it as damaged. */
  #check(id: string, value: T): void {
    const result = this.#options.schema.safeParse(value);
    if (result.success) return;
    const [issue] = result.error.issues;
    throw new PatchbayError(
      "INTERNAL",
      `${this.#options.name} would no longer be valid: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}.`,
      { details: { id, issues: result.error.issues.slice(0, 20) } },
    );
  }

  #closedError(): PatchbayError {
    return new PatchbayError("SHUTTING_DOWN", `${this.#options.name} is no longer open.`);
  }
}

/** The same promise with its rejection handled: callers need not wait, and a failed write is a notice anyway. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
