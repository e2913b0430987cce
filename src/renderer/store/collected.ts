import type {
  ChangeOf,
  CollectionKeys,
  CollectionRecord,
  ItemOf,
  ValueRecord,
} from "../../contract/collections.ts";
import { idOf } from "../../contract/item-id.ts";

/** What a mirror holds of the core: a map by id of each collection, and each value once it is known. */
export type Collected<C extends CollectionRecord, V extends ValueRecord> = {
  [N in keyof C]: ReadonlyMap<string, ItemOf<C, N>>;
} & { [N in keyof V]: V[N]["_zod"]["output"] | null };

/** The lists and values of a snapshot. */
type Listed<C extends CollectionRecord, V extends ValueRecord> = {
  [N in keyof C]: ItemOf<C, N>[];
} & { [N in keyof V]: V[N]["_zod"]["output"] };

type Maps = Record<string, ReadonlyMap<string, unknown>>;

/** Before the first snapshot: no items, and no value known. */
export function nothingCollected<C extends CollectionRecord, V extends ValueRecord>(
  keys: CollectionKeys<C>,
  values: readonly (keyof V & string)[],
): Collected<C, V> {
  const maps = Object.keys(keys).map((name) => [name, new Map()]);
  return Object.fromEntries([...maps, ...values.map((name) => [name, null])]) as Collected<C, V>;
}

/** All collections and values, from a snapshot. */
export function collect<C extends CollectionRecord, V extends ValueRecord>(
  keys: CollectionKeys<C>,
  values: readonly (keyof V & string)[],
  snapshot: Listed<C, V>,
): Collected<C, V> {
  const listed = snapshot as Record<string, unknown>;
  const maps = Object.entries(keys).map(([name, key]: [string, readonly string[]]) => [
    name,
    new Map((listed[name] as unknown[]).map((item) => [idOf(key, item), item])),
  ]);
  return Object.fromEntries([...maps, ...values.map((name) => [name, listed[name]])]) as Collected<C, V>;
}

/** The parts that a batch of changes replaces. Maps that the batch does not name stay the same objects. */
export function applied<C extends CollectionRecord, V extends ValueRecord>(
  keys: CollectionKeys<C>,
  before: Collected<C, V>,
  changes: readonly ChangeOf<C, V>[],
): Partial<Collected<C, V>> {
  const result: Record<string, unknown> = {};
  const copies = new Map<string, Map<string, unknown>>();
  const copyOf = (name: string) => {
    const known = copies.get(name);
    if (known) return known;
    const copy = new Map((before as Maps)[name]);
    copies.set(name, copy);
    result[name] = copy;
    return copy;
  };
  for (const change of changes) {
    switch (change.type) {
      case "put":
        copyOf(change.collection as string).set(idOf(keys[change.collection], change.item), change.item);
        break;
      case "drop":
        copyOf(change.collection as string).delete(change.id);
        break;
      case "set":
        result[change.value as string] = change.now;
        break;
    }
  }
  return result as Partial<Collected<C, V>>;
}
