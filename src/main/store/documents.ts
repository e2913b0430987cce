import type { z } from "zod";
import { PatchbayError, type Problem, toProblem } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import { type Rows, StaleRow } from "./storage.ts";

/** The wait before a coalesced write, so that there are at most two a second. */
const COALESCE_MS = 500;
/** A coalesced write that failed is tried again after this time. */
const RETRY_MS = 5_000;
/** How often a change is computed anew because somebody else was faster. */
const ATTEMPTS = 10;

export interface StoredRow<T> {
  value: T;
  revision: number;
}

export interface RowWrite<T> {
  id: string;
  /** Undefined to remove it. */
  value: T | undefined;
  /** The revision that it must have; 0: it must not be there. */
  expected: number;
}

/** What an adapter does for one collection. */
export interface RowStore<T> {
  /** What there is now. The map is not changed afterwards. */
  load(): ReadonlyMap<string, StoredRow<T>>;
  /**
   * Writes all of them or none. Resolves when they are durable, with the new revisions.
   *
   * @param coalesced nobody waits for them, and they come often
   * @throws StaleRow, PatchbayError DISK_FULL, WRITE_FAILED
   */
  write(writes: readonly RowWrite<T>[], coalesced: boolean): Promise<ReadonlyMap<string, number>>;
  /** Lets go of what it holds open. */
  close(): void;
}

/** What is to be written later: a whole document, none, or some of its fields. */
type Later<T> = { kind: "whole"; value: T | undefined } | { kind: "fields"; fields: Partial<T> };

export interface DocumentsOptions<T> {
  /** Said in problems. */
  name: string;
  schema: z.ZodType<T>;
  store: RowStore<T>;
  onNotice(problem: Problem): void;
  clock?: Clock;
}

/** Order, memory and coalescing of a collection, the same over every adapter. */
export class Documents<T> implements Rows<T> {
  readonly #options: DocumentsOptions<T>;
  readonly #clock: Clock;
  /** Replaced and never changed, since it begins as the store's own: a start reads thousands of rows. */
  #durable: ReadonlyMap<string, StoredRow<T>>;
  /** What is durable, with what is to be written later over it. */
  readonly #shown = new Map<string, T>();
  readonly #queue = new SerialQueue();
  #later = new Map<string, Later<T>>();
  /** What a write under way has taken from `#later`. */
  #taken = new Map<string, Later<T>>();
  #cancel: (() => void) | undefined;
  /** For everybody who changed something since the last flush began. */
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

  /** `value` was made from what is shown, so that it holds what was to be written later. */
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

  /** What does not fit its own schema would be thrown away at the next start, so it must not be stored. */
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

/** The same promise, which may be rejected without anybody waiting for it: the problem is noticed anyway. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** What two changes are together, the second over the first. */
function over<T>(first: Later<T> | undefined, second: Later<T> | undefined): Later<T> {
  if (!second) return first ?? { kind: "fields", fields: {} };
  if (!first || second.kind === "whole") return second;
  if (first.kind === "whole") return { kind: "whole", value: apply(first.value, second) };
  return { kind: "fields", fields: { ...first.fields, ...second.fields } };
}

/** Fields of a document that is gone change nothing. */
function apply<T>(value: T | undefined, later: Later<T> | undefined): T | undefined {
  if (!later) return value;
  if (later.kind === "whole") return later.value;
  return value === undefined ? undefined : merged(value, later.fields);
}

function merged<T>(value: T, fields: Partial<T>): T {
  const result = { ...value, ...fields };
  for (const name of Object.keys(fields) as (keyof T)[]) if (fields[name] === undefined) delete result[name];
  return result;
}
