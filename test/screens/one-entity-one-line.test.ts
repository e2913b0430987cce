import { expect, test } from "vitest";
import { z } from "zod";
import {
  type ChangeOf,
  changeSchemaOf,
  collection,
  collections,
  keysOf,
  snapshotShapeOf,
  values,
} from "../../src/contract/index.ts";
import { Announcer } from "../../src/main/views/announcer.ts";
import { AppEvents } from "../../src/main/views/app-events.ts";
import { type Entities, listAll } from "../../src/main/views/entities.ts";
import { readValues, type Values } from "../../src/main/views/values.ts";
import { applied, type Collected, collect, nothingCollected } from "../../src/renderer/store/collected.ts";

const cableSchema = z.object({ agentId: z.string(), colour: z.string(), length: z.number() });
type Cable = z.infer<typeof cableSchema>;

/** The contract with one entity more: the line that it costs there. */
const more = { ...collections, cables: collection(cableSchema, "agentId", "colour") };
/** And one value more. */
const moreValues = { ...values, volume: z.number() };
type More = typeof more;
type MoreValues = typeof moreValues;
const names = Object.keys(moreValues) as (keyof MoreValues)[];
type Change = ChangeOf<More, MoreValues>;

/** The core of which only the new entity and value are real; saying where each is read is the other line that it costs. */
function coreOf(cables: Cable[], volume: () => number) {
  const nothing = { list: () => [], get: () => undefined };
  const known = Object.fromEntries(Object.keys(collections).map((name) => [name, nothing]));
  const entities = {
    ...known,
    cables: {
      list: () => cables,
      get: (agentId: string, colour: string) =>
        cables.find((cable) => cable.agentId === agentId && cable.colour === colour),
    },
  } as unknown as Entities<More>;
  const unknown = Object.fromEntries(Object.keys(values).map((name) => [name, () => null]));
  const readers = { ...unknown, volume } as unknown as Values<MoreValues>;
  const events = new AppEvents<Change>((error) => {
    throw error;
  });
  const announcer = new Announcer<More, MoreValues>(events, more, entities, readers);
  return { entities, readers, events, announcer };
}

test("a new collection and a new value go over the wire into the mirror, put, dropped and set, without further code", async () => {
  const cables: Cable[] = [{ agentId: "a", colour: "red", length: 1 }];
  let volume = 3;
  const { announcer, entities, readers, events } = coreOf(cables, () => volume);
  const wire = changeSchemaOf(more, moreValues);
  const stream = events.follow({});
  await stream.next();
  const nextChanges = async () => {
    const { value } = await stream.next();
    if (value?.type !== "changes") throw new Error("no changes came");
    return value.changes.map((change) => wire.parse(JSON.parse(JSON.stringify(change))));
  };

  let mirror: Collected<More, MoreValues> = nothingCollected<More, MoreValues>(keysOf(more), names);
  expect([mirror.cables.size, mirror.volume]).toEqual([0, null]);

  const shape = snapshotShapeOf(more, moreValues);
  const now = { ...listAll(entities), ...readValues(readers) };
  const snapshot = { cables: shape.cables.parse(now.cables), volume: shape.volume.parse(now.volume) };
  mirror = {
    ...mirror,
    ...collect<Pick<More, "cables">, Pick<MoreValues, "volume">>(
      { cables: more.cables.key },
      ["volume"],
      snapshot,
    ),
  };
  expect([...mirror.cables.keys()]).toEqual(["a/red"]);
  expect(mirror.volume).toBe(3);

  cables.push({ agentId: "a", colour: "blue", length: 2 });
  announcer.changed("cables", "a", "blue");
  mirror = { ...mirror, ...applied<More, MoreValues>(keysOf(more), mirror, await nextChanges()) };
  expect(mirror.cables.get("a/blue")?.length).toBe(2);

  cables.shift();
  announcer.changed("cables", "a", "red");
  const changes = await nextChanges();
  expect(changes).toEqual([{ type: "drop", collection: "cables", id: "a/red" }]);
  mirror = { ...mirror, ...applied<More, MoreValues>(keysOf(more), mirror, changes) };
  expect([...mirror.cables.keys()]).toEqual(["a/blue"]);

  announcer.set("volume");
  volume = 5;
  const louder = await nextChanges();
  expect(louder).toEqual([{ type: "set", value: "volume", now: 5 }]);
  mirror = { ...mirror, ...applied<More, MoreValues>(keysOf(more), mirror, louder) };
  expect(mirror.volume).toBe(5);
  events.close();
});

test("what does not fit its collection's schema is no change on the wire", () => {
  const wire = changeSchemaOf(more, moreValues);
  const put = (item: unknown) => ({ type: "put", collection: "cables", item });
  expect(wire.safeParse(put({ agentId: "a", colour: "red", length: "long" })).success).toBe(false);
  expect(wire.safeParse({ type: "drop", collection: "nothing", id: "a" }).success).toBe(false);
});
