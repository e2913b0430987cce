import { expect, test } from "vitest";
import { approval, settled, started } from "./support.ts";

/** What a group gives of what was said before the bot came. */
const team = { conversation: "team", group: { addressed: true } } as const;
const past = { ...team, kind: "past" as const };

test("what was said before the bot came is remembered where that is wanted, and answered nowhere", async () => {
  const access = { owners: ["olga"], users: [], everyone: false, groups: ["team"] };
  for (const listenInGroups of [true, false]) {
    const bench = await started((made) => {
      made.options = { access: { ...access, listenInGroups } };
    });
    await bench.say("bot, what is up?", past);
    await bench.say("said by nobody on the list", { ...past, from: { id: "stan" } });
    await bench.say("directly", { kind: "past" });
    await settled();
    expect(bench.agent.prompts).toEqual([]);
    expect(bench.agent.appended.map(({ text }) => text)).toEqual(listenInGroups ? ["bot, what is up?"] : []);
  }
});

test("what was answered is not remembered once more when the group gives it again", async () => {
  const bench = await started((made) => {
    made.options = {
      access: { owners: ["olga"], users: [], everyone: false, groups: ["team"], listenInGroups: true },
    };
  });
  await bench.say("now", { ...team, dedupeKey: "one" });
  await settled();
  await bench.restart();
  await bench.say("now", { ...past, dedupeKey: "one" });
  await settled();
  expect(bench.agent.prompts.map(({ text }) => text)).toEqual(["now"]);
  expect(bench.agent.appended).toEqual([]);
});

test("it decides nothing, stops nothing, lets nobody in and is no person between two bots", async () => {
  const bench = await started((made) => {
    made.options = {
      access: {
        owners: ["olga"],
        users: ["robo"],
        everyone: false,
        groups: ["team"],
        groupsOnlyListed: false,
      },
      manners: { botExchanges: 1 },
    };
  });
  const robo = { ...team, from: { id: "robo", name: "robo", bot: true } };
  await bench.say("one", robo);
  await settled();
  bench.agent.listener?.asked(approval());
  await settled();
  bench.agent.answer = () => new Promise(() => {});
  await bench.say("think", team);
  await bench.say("two", robo);
  await settled();
  await bench.say("approve 7", past);
  await bench.say("/pair ABC-DEF", past);
  await bench.say("stop", past);
  await bench.say("three", robo);
  await settled();
  expect([bench.agent.reviews, bench.agent.pairs]).toEqual([[], []]);
  expect(bench.agent.prompts.map(({ text }) => text)).toEqual(["one", "think"]);
  expect(bench.agent.prompts[1]?.signal?.aborted).toBe(false);
  const said = bench.transport.texts("team");
  expect(said.filter((text) => text.includes("Stopped"))).toEqual([]);
  expect(said.filter((text) => text.startsWith("I have answered robo once"))).toHaveLength(1);
});
