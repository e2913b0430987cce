import { Abstract } from "./abstract.ts";
import { equals, hashOf } from "./equality.ts";
import { Tuple } from "./sequences.ts";
import type { Value } from "./value.ts";

/**
 * Keys and values in the order in which they were put. Keys that JS compares as Janet does stand in one map, as soon as
 * there are more than a few; tuples, structs and abstract values, which are compared by content, in buckets by hash. A removed key leaves an empty slot until the next growth, so
 * that an iteration that removes goes on.
 */
class Entries {
  private keys: (Value | undefined)[] = [];
  private values: Value[] = [];
  /** The slots of keys; null while there are so few that looking through them is faster. */
  private plain: Map<Value, number> | null = null;
  private hashed: Map<number, number[]> | null = null;
  /** Where keys stood that were removed lately: an iteration that removes its key goes on from there. */
  private graves: Map<Value, number> | null = null;
  /** The slot that an iteration came to last. */
  private reached = 0;
  size = 0;

  /** How many slots there are, empty ones too. */
  get slots(): number {
    return this.keys.length;
  }
  liveAt(slot: number): boolean {
    return this.keys[slot] !== undefined;
  }
  keyAt(slot: number): Value {
    return this.keys[slot] as Value;
  }
  valueAt(slot: number): Value {
    return this.values[slot] as Value;
  }

  /** The slot of a key; -1 when it is not there. */
  find(key: Value): number {
    // An iteration asks for the value under the key that it has just been given.
    if (this.keys[this.reached] === key) return this.reached;
    if (!byContent(key)) return this.plain === null ? this.keys.indexOf(key) : (this.plain.get(key) ?? -1);
    const bucket = this.hashed?.get(hashOf(key));
    return bucket?.find((slot) => equals(this.keys[slot] as Value, key)) ?? -1;
  }

  set(key: Value, value: Value): void {
    const slot = this.find(key);
    if (slot >= 0) {
      this.values[slot] = value;
      return;
    }
    if (this.keys.length > 32 && this.keys.length > 2 * this.size) this.close();
    const fresh = this.keys.length;
    this.keys.push(key);
    this.values.push(value);
    this.size++;
    if (byContent(key)) {
      this.hashed ??= new Map();
      const hash = hashOf(key);
      const bucket = this.hashed.get(hash);
      if (bucket) bucket.push(fresh);
      else this.hashed.set(hash, [fresh]);
    } else if (this.plain !== null) this.plain.set(key, fresh);
    else if (fresh >= FEW) this.index();
  }

  remove(key: Value): void {
    const slot = this.find(key);
    if (slot < 0) return;
    this.keys[slot] = undefined;
    this.values[slot] = null;
    this.size--;
    this.graves ??= new Map();
    if (this.graves.size > 32 + 2 * this.size) this.graves.clear();
    this.graves.set(key, slot);
    if (byContent(key)) {
      const hash = hashOf(key);
      const bucket = this.hashed?.get(hash)?.filter((other) => other !== slot) ?? [];
      if (bucket.length > 0) this.hashed?.set(hash, bucket);
      else this.hashed?.delete(hash);
    } else this.plain?.delete(key);
    if (this.size === 0) this.clear();
    // Empty slots at the end are of no use to an iteration.
    else while (this.keys.length > 0 && this.keys.at(-1) === undefined) this.dropLast();
  }

  clear(): void {
    this.keys = [];
    this.values = [];
    this.plain = null;
    this.hashed = null;
    this.graves = null;
    this.size = 0;
  }

  /** The key after `key` in the order of iteration, from null to the first; null at the end. */
  keyAfter(key: Value): Value {
    let slot = 0;
    if (key !== null) {
      const found = this.find(key);
      slot = (found >= 0 ? found : (this.graves?.get(key) ?? -1)) + 1;
    }
    for (; slot < this.keys.length; slot++) {
      const live = this.keys[slot];
      if (live !== undefined) {
        this.reached = slot;
        return live;
      }
    }
    return null;
  }

  private index(): void {
    const plain = new Map<Value, number>();
    this.keys.forEach((key, slot) => {
      if (key !== undefined && !byContent(key)) plain.set(key, slot);
    });
    this.plain = plain;
  }

  /** Closes the gaps that removed keys left. */
  private close(): void {
    const { keys, values } = this;
    this.clear();
    keys.forEach((key, slot) => {
      if (key !== undefined) this.set(key, values[slot] as Value);
    });
  }

  private dropLast(): void {
    this.keys.pop();
    this.values.pop();
  }
}

/** So many keys are looked through one by one. */
const FEW = 8;

/** How many prototypes are asked for a key; a table can be made its own prototype. */
const PROTOTYPE_DEPTH = 200;

function byContent(key: Value): boolean {
  return (
    key instanceof Tuple ||
    key instanceof Struct ||
    (key instanceof Abstract && key.type.equals !== undefined)
  );
}

/** A mutable table. Its order of iteration is that of insertion. Never holds nil, as key or as value, nor NaN as key. */
export class Table extends Entries {
  proto: Table | null = null;

  /** Its own value or one of its prototypes'; null when there is none. */
  get(key: Value): Value {
    let left = PROTOTYPE_DEPTH;
    for (let table: Table | null = this; table !== null && left-- > 0; table = table.proto) {
      const slot = table.find(key);
      if (slot >= 0) return table.valueAt(slot);
    }
    return null;
  }

  rawGet(key: Value): Value {
    const slot = this.find(key);
    return slot >= 0 ? this.valueAt(slot) : null;
  }

  /** A value of nil removes the key. The caller has refused keys of nil and NaN. */
  put(key: Value, value: Value): void {
    if (value === null) this.remove(key);
    else this.set(key, value);
  }
}

/** An immutable struct, compared by content. Filled through `put` before anybody else sees it. */
export class Struct extends Entries {
  readonly comparedByContent = true;
  proto: Struct | null = null;
  /** Kept by equality.ts. */
  hash = 0;

  get(key: Value): Value {
    for (let struct: Struct | null = this; struct !== null; struct = struct.proto) {
      const slot = struct.find(key);
      if (slot >= 0) return struct.valueAt(slot);
    }
    return null;
  }

  rawGet(key: Value): Value {
    const slot = this.find(key);
    return slot >= 0 ? this.valueAt(slot) : null;
  }

  put(key: Value, value: Value): void {
    if (key !== null && value !== null && !Number.isNaN(key)) this.set(key, value);
  }
}

export type Dictionary = Table | Struct;

/** A table or struct and its prototypes, nearest first. */
export function prototypeChain<D extends Dictionary>(dictionary: D): D[] {
  const chain: D[] = [];
  for (
    let at: D | null = dictionary;
    at !== null && chain.length < PROTOTYPE_DEPTH;
    at = at.proto as D | null
  )
    chain.push(at);
  return chain;
}

/** A struct of pairs; those with a nil in them are left out. */
export function structOf(pairs: Iterable<readonly [Value, Value]>, proto: Struct | null = null): Struct {
  const struct = new Struct();
  for (const [key, value] of pairs) struct.put(key, value);
  struct.proto = proto;
  return struct;
}

export function tableOf(pairs: Iterable<readonly [Value, Value]>): Table {
  const table = new Table();
  for (const [key, value] of pairs) if (key !== null) table.put(key, value);
  return table;
}
