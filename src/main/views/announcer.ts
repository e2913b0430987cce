import {
  type ChangeOf,
  type CollectionRecord,
  type ItemOf,
  idOf,
  itemId,
  type SetOf,
  type ValueRecord,
} from "../../contract/index.ts";
import type { AppEvents } from "./app-events.ts";
import type { Entities } from "./entities.ts";
import type { Values } from "./values.ts";

/** Puts what changed on the stream of changes, for any record of collections and values. */
export class Announcer<C extends CollectionRecord, V extends ValueRecord> {
  private readonly events: AppEvents<ChangeOf<C, V>>;
  private readonly record: C;
  private readonly entities: Entities<C>;
  private readonly values: Values<V>;

  constructor(events: AppEvents<ChangeOf<C, V>>, record: C, entities: Entities<C>, values: Values<V>) {
    this.events = events;
    this.record = record;
    this.entities = entities;
    this.values = values;
  }

  /** An item is no longer as it was, or no longer there. What it is now is read when the batch is written. */
  changed(collection: keyof C & string, ...key: string[]): void {
    const id = itemId(...key);
    this.events.touch(`${collection} ${id}`, () => {
      const item = this.entities[collection].get(...key);
      return item === undefined ? { type: "drop", collection, id } : { type: "put", collection, item };
    });
  }

  /** Announces an item's new value. For items that cannot be read again later. */
  put<N extends keyof C & string>(collection: N, item: ItemOf<C, N>): void {
    const { key } = this.record[collection] as C[N];
    this.events.touch(`${collection} ${idOf(key, item)}`, () => ({ type: "put", collection, item }));
  }

  /** A value is no longer as it was. What it is now is read when the batch is written. */
  set(value: keyof V & string): void {
    this.events.touch(
      `value ${value}`,
      () => ({ type: "set", value, now: this.values[value]() }) satisfies SetOf<V>,
    );
  }
}
