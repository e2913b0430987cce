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
import { applied, type Collected, collect, nothingCollected } from "../../src/renderer/store/collected.ts";

const cableSchema = z.object({ agentId: z.string(), colour: z.string(), length: z.number() });
type Cable = z.infer<typeof cableSchema>;

/** The contract with one entity more: the line that it costs there. */
const more = { ...collections, cables: collection(cableSchema, "agentId", "colour") };
type More = typeof more;
type Change = ChangeOf<More, typeof values>;

/** The core of which only the new entity is real; saying where it is read is the other line that it costs. */
function coreOf(cables: Cable[]) {
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
  const events = new AppEvents<Change>((error) => {
    throw error;
  });
  return { entities, events, announcer: new Announcer<More, typeof values>(events, more, entities) };
}

test("a new collection goes over the wire into the mirror, put and dropped, without further code", async () => {
  const cables: Cable[] = [{ agentId: "a", colour: "red", length: 1 }];
  const { announcer, entities, events } = coreOf(cables);
  const wire = changeSchemaOf(more, values);
  const stream = events.follow({});
  await stream.next();
  const nextChanges = async () => {
    const { value } = await stream.next();
    if (value?.type !== "changes") throw new Error("no changes came");
    return value.changes.map((change) => wire.parse(JSON.parse(JSON.stringify(change))));
  };

  const lists = snapshotShapeOf(more, values);
  const snapshot = { cables: lists.cables.parse(listAll(entities).cables) };
  let mirror = {
    ...nothingCollected<More>(keysOf(more)),
    ...collect<Pick<More, "cables">, Record<never, never>>({ cables: more.cables.key }, [], snapshot),
  } as Collected<More, typeof values>;
  expect([...mirror.cables.keys()]).toEqual(["a/red"]);

  cables.push({ agentId: "a", colour: "blue", length: 2 });
  announcer.changed("cables", "a", "blue");
  mirror = { ...mirror, ...applied<More, typeof values>(keysOf(more), mirror, await nextChanges()) };
  expect(mirror.cables.get("a/blue")?.length).toBe(2);

  cables.shift();
  announcer.changed("cables", "a", "red");
  const changes = await nextChanges();
  expect(changes).toEqual([{ type: "drop", collection: "cables", id: "a/red" }]);
  mirror = { ...mirror, ...applied<More, typeof values>(keysOf(more), mirror, changes) };
  expect([...mirror.cables.keys()]).toEqual(["a/blue"]);
  events.close();
});

test("what does not fit its collection's schema is no change on the wire", () => {
  const wire = changeSchemaOf(more, values);
  const put = (item: unknown) => ({ type: "put", collection: "cables", item });
  expect(wire.safeParse(put({ agentId: "a", colour: "red", length: "long" })).success).toBe(false);
  expect(wire.safeParse({ type: "drop", collection: "nothing", id: "a" }).success).toBe(false);
});
