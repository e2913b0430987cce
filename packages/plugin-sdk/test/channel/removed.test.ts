import { expect, it } from "vitest";
import { approval, type Bench, started } from "./support.ts";

const dm = (id: string) => ({ conversation: id, from: { id } });

/** A channel with `sam` as a user and `tom` as an owner, whom the person let in. */
const withSam = (change: (bench: Bench) => void = () => {}) =>
  started((bench) => {
    bench.options = {
      access: { owners: ["olga"], users: [], everyone: false, strangers: "pair", groups: ["team"] },
    };
    bench.agent.people = {
      listed: [
        { userId: "sam", role: "user" },
        { userId: "tom", role: "owner" },
      ],
      waiting: [],
    };
    bench.transport.limits = { piece: 500, unit: "chars" };
    change(bench);
  });

it("whoever is removed hears nothing more: what runs and waits for them is dropped without a word", async () => {
  const bench = await withSam();
  bench.agent.answer = ({ text }) =>
    text === "slowly" ? new Promise(() => {}) : Promise.resolve({ text: `re: ${text}` });
  await bench.say("slowly", dm("sam"));
  await bench.say("and this", dm("sam"));
  await bench.say("slowly", {
    conversation: "room",
    from: { id: "sam" },
    group: { id: "team", addressed: true },
  });
  await bench.say("me too", {
    conversation: "room",
    from: { id: "tom" },
    group: { id: "team", addressed: true },
  });
  await bench.clock.pass(10);
  const running = bench.agent.prompts.filter(({ userId }) => userId === "sam");
  expect(running.map(({ conversation }) => conversation)).toEqual(["sam", "room"]);
  bench.agent.decide("sam", null);
  await bench.clock.pass(120_000);
  expect(running.every(({ signal }) => signal?.aborted)).toBe(true);
  expect(bench.transport.texts("sam")).toEqual([]);
  expect(bench.transport.texts("room")).toEqual(["re: me too"]);
  expect(bench.agent.prompts.some(({ text }) => text === "and this")).toBe(false);
  await bench.restart();
  await bench.clock.pass(1_000);
  expect(bench.transport.texts("sam")).toEqual([]);
});

it("an answer that waited to be sent to somebody who is removed is not sent", async () => {
  const bench = await withSam();
  bench.transport.failing.send = [new Error("not now"), new Error("not now")];
  await bench.say("hi", dm("sam"));
  await bench.clock.pass(10);
  bench.agent.decide("sam", null);
  await bench.clock.pass(120_000);
  expect(bench.transport.texts("sam")).toEqual([]);
});

it("Patchbay's word that somebody is not let in is no failure to be told to them, and is not asked again", async () => {
  const bench = await withSam();
  bench.agent.answer = async () => {
    throw Object.assign(new Error("sam is not among the people"), { code: "NOT_LET_IN" });
  };
  await bench.say("hi", dm("sam"));
  await bench.clock.pass(120_000);
  expect(bench.agent.prompts).toHaveLength(1);
  expect(bench.transport.texts("sam")).toEqual([]);
});

it.each([
  ["removed", null],
  ["an owner no more", "user" as const],
])(
  "the questions in the chat of an owner who is %s are withdrawn, those of others stay",
  async (_what, role) => {
    const bench = await withSam();
    for (const owner of ["olga", "tom"]) await bench.say("hello", dm(owner));
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    expect(bench.transport.texts("tom").at(-1)).toContain('{"command":"ls"}');
    bench.agent.decide("tom", role);
    await bench.clock.pass(10);
    expect(bench.transport.texts("tom").at(-1)).toBe("Request 7 (shell): no longer needed.");
    expect(bench.transport.texts("olga").at(-1)).toContain('{"command":"ls"}');
    await bench.say("approve 7", dm("tom"));
    await bench.clock.pass(10);
    expect(bench.agent.reviews).toEqual([]);
    await bench.say("approve 7", dm("olga"));
    await bench.clock.pass(10);
    expect(bench.agent.reviews).toMatchObject([{ userId: "olga" }]);
    bench.agent.listener?.settled("r-1", "allowed");
    await bench.clock.pass(10);
    expect(bench.transport.texts("tom").filter((text) => text.includes("allowed"))).toEqual([]);
  },
);
