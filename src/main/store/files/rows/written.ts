import type { RowWrite, StoredRow } from "../../documents.ts";
import { StaleRow } from "../../storage.ts";

/**
 * A row as it was read. Revisions begin at 1 in each process: with files only one process has the store open at a time,
 * so they need not be stored.
 */
export function stored<T>(value: T): StoredRow<T> {
  return { value, revision: 1 };
}

/** The documents as they would be after the writes. @throws StaleRow */
export function written<T>(
  current: ReadonlyMap<string, StoredRow<T>>,
  writes: readonly RowWrite<T>[],
): Map<string, StoredRow<T>> {
  const next = new Map(current);
  for (const { id, value, expected } of writes) {
    const there = next.get(id);
    if ((there?.revision ?? 0) !== expected) throw new StaleRow(id, there ?? null);
    if (value === undefined) next.delete(id);
    else next.set(id, { value, revision: expected + 1 });
  }
  return next;
}

export function revisionsOf<T>(
  rows: ReadonlyMap<string, StoredRow<T>>,
  writes: readonly RowWrite<T>[],
): Map<string, number> {
  return new Map(writes.map(({ id }) => [id, rows.get(id)?.revision ?? 0]));
}
