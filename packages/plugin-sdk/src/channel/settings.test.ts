import { expect, test } from "vitest";
import { z } from "zod";
import { schemaOf } from "../schema.ts";
import { accessOf, channelSettings, mannersOf } from "./settings.ts";

const kit = channelSettings(z, "rooms");
const schema = z.object({
  ...kit.people({ owners: "Addresses.", users: "Addresses." }),
  strangers: kit.strangers,
  everyone: kit.everyone("Everybody may write", "Anybody."),
  groups: kit.list("Rooms", "Rooms to be in."),
  groupsOnlyListed: kit.groupsOnlyListed,
  listen: kit.listen(),
  joinSeconds: kit.joinSeconds,
  botExchanges: kit.botExchanges,
  marks: kit.marks,
});

test("settings that say nothing answer only who was let in, one turn for what is said at once, and no bots", () => {
  const settings = schema.parse({});
  expect(accessOf(settings)).toEqual({
    owners: [],
    users: [],
    everyone: false,
    strangers: "pair",
    groupsOnlyListed: true,
    listenInGroups: false,
    groups: [],
  });
  expect(mannersOf(settings)).toEqual({ joinMs: 1_000, botExchanges: 0, marks: true });
});

test("settings as they were stored before stay valid, and mean the same", () => {
  const stored = {
    owners: ["olga"],
    users: [" uma "],
    strangers: "answer",
    everyone: true,
    groups: ["team"],
    groupsOnlyListed: false,
    listen: true,
    joinSeconds: 0,
    botExchanges: 100,
    marks: false,
  };
  const settings = schema.parse(stored);
  expect(settings).toEqual({ ...stored, users: ["uma"] });
  expect(accessOf(settings, { groups: ["#team"] })).toMatchObject({
    groups: ["#team"],
    listenInGroups: true,
  });
  expect(mannersOf(settings)).toEqual({ joinMs: 0, botExchanges: 100, marks: false });
  expect(() => schema.parse({ strangers: "everybody" })).toThrow();
});

test("one of several values is chosen by words", () => {
  expect(schemaOf(schema)).toMatchObject({
    properties: {
      strangers: {
        type: "string",
        default: "pair",
        anyOf: [
          { const: "pair", title: "Tell them a code, and let them in under People" },
          { const: "ignore" },
          { const: "answer" },
        ],
      },
    },
  });
});
