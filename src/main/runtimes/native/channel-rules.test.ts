import { expect, test } from "vitest";
import { channelRulesIn } from "./channel-rules.ts";

const declared = (names: readonly string[]) => ({
  properties: { channel: { properties: Object.fromEntries(names.map((name) => [name, {}])) } },
});

test("rooms with rules of their own are read from the stored settings, and what makes no sense is left out", () => {
  const schema = declared(["strangers", "roomSettings"]);
  const roomSettings = [
    { room: " #team ", prompt: " Be kind. ", answers: "everything", people: "these", users: [" uma ", 7] },
    { room: "#odd", answers: "sometimes", people: ["everybody"], users: "uma", prompt: 1 },
    { room: " " },
    null,
  ];
  const rules = channelRulesIn(schema, { channel: { channels: ["#team", "#keyed secret"], roomSettings } });
  const odd = { room: "#odd", prompt: "", answers: "as-elsewhere", people: "as-elsewhere", users: [] };
  expect(rules).toEqual({
    strangers: "pair",
    groupsOnlyListed: true,
    rooms: [
      { room: "#team", prompt: "Be kind.", answers: "everything", people: "these", users: ["uma"] },
      odd,
    ],
    named: ["#team", "#odd", "#team", "#keyed"],
  });
});

test("a channel that does not declare such rooms has none, whatever stands in its settings", () => {
  const config = { channel: { roomSettings: [{ room: "#team", people: "everybody" }] } };
  expect(channelRulesIn(declared(["strangers"]), config)).toMatchObject({ rooms: [] });
  expect(channelRulesIn(declared(["roomSettings"]), config)).toBeNull();
});
