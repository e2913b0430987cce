import { describe, expect, it } from "vitest";
import { type Bench, settled, started } from "./support.ts";

/** A channel on which strangers are told a code. */
const pairing = (change: (bench: Bench) => void = () => {}) =>
  started((bench) => {
    bench.options.access = {
      owners: ["olga"],
      users: ["uma"],
      everyone: false,
      strangers: "pair",
      groups: ["team"],
    };
    change(bench);
  });

const sam = { conversation: "sam", from: { id: "sam-1", name: "Sam" } };

describe("somebody who is on no list", () => {
  it("is told one sentence, whatever they write, and is not answered", async () => {
    const bench = await pairing();
    for (const text of ["hello", "are you there", "/help"]) await bench.say(text, sam);
    await bench.clock.pass(60_000);
    expect(bench.transport.texts("sam")).toEqual(["Your code: sam-1."]);
    expect(bench.agent.prompts).toEqual([]);
    expect(bench.agent.strangers).toEqual([{ userId: "sam-1", userName: "Sam", conversation: "sam" }]);
  });

  it("is answered once they are let in: told so in one sentence, then their first message, then all others", async () => {
    const bench = await pairing();
    await bench.say("hello", sam);
    await bench.say("second", sam);
    bench.agent.decide("sam-1", "user");
    await bench.clock.pass(10);
    await bench.say("third", sam);
    await bench.clock.pass(10);
    expect(bench.transport.texts("sam")).toEqual([
      "Your code: sam-1.",
      "You may write to me now.",
      "re: hello",
      "re: third",
    ]);
    expect(bench.agent.prompts.map(({ userId, role }) => [userId, role])).toEqual([
      ["sam-1", "user"],
      ["sam-1", "user"],
    ]);
  });

  it("is answered after a kill, too, and once, when they were let in while the channel was down", async () => {
    const bench = await pairing();
    await bench.say("hello", { ...sam, id: "first" });
    await bench.clock.pass(10);
    await bench.kill();
    bench.agent.people = { listed: [{ userId: "sam-1", role: "user" }], waiting: [] };
    await bench.start();
    await bench.clock.pass(10);
    await bench.restart();
    await bench.say("hello", { ...sam, id: "first" });
    await bench.clock.pass(10);
    expect(bench.transport.texts("sam")).toEqual([
      "Your code: sam-1.",
      "You may write to me now.",
      "re: hello",
    ]);
  });

  it("is not answered later what was not kept, when the platform gives it once more", async () => {
    const bench = await pairing();
    await bench.say("hello", { ...sam, id: "first" });
    await bench.say("second", { ...sam, id: "second" });
    bench.agent.decide("sam-1", "user");
    await bench.clock.pass(10);
    await bench.say("second", { ...sam, id: "second" });
    await bench.clock.pass(10_000);
    await bench.kill();
    await bench.start();
    await bench.say("second", { ...sam, id: "second" });
    await bench.clock.pass(10);
    await bench.restart();
    for (const [id, text] of [
      ["first", "hello"],
      ["second", "second"],
      ["third", "third"],
    ] as const) {
      await bench.say(text, { ...sam, id });
    }
    await bench.clock.pass(10);
    expect(bench.agent.prompts.map(({ text }) => text)).toEqual(["hello", "third"]);
  });

  it("is answered the kept message also when the platform gave it twice at once", async () => {
    const bench = await pairing();
    await Promise.all([
      bench.say("hello", { ...sam, id: "first" }),
      bench.say("hello", { ...sam, id: "first" }),
    ]);
    bench.agent.decide("sam-1", "user");
    await bench.clock.pass(10);
    expect(bench.agent.prompts.map(({ text }) => text)).toEqual(["hello"]);
  });

  it("is not answered an old message after they were put on the list", async () => {
    const bench = await started();
    await bench.say("hello", { ...sam, id: "first" });
    bench.agent.decide("sam-1", "user");
    for (const id of ["first", "second"]) await bench.say(`message ${id}`, { ...sam, id });
    await bench.clock.pass(10);
    expect(bench.agent.prompts.map(({ text }) => text)).toEqual(["message second"]);
  });

  it("is dropped with their message when they are turned away, and told nothing", async () => {
    const bench = await pairing();
    await bench.say("hello", sam);
    await bench.clock.pass(10);
    bench.agent.decide("sam-1", null);
    bench.agent.decide("sam-1", "user");
    await bench.clock.pass(10);
    expect(bench.transport.texts("sam")).toEqual(["Your code: sam-1."]);
  });

  it("is a stranger again after they were removed", async () => {
    const bench = await pairing();
    bench.agent.decide("sam-1", "user");
    await bench.say("hello", sam);
    await bench.clock.pass(10);
    bench.agent.decide("sam-1", null);
    await bench.say("hello again", sam);
    await bench.clock.pass(10);
    expect(bench.transport.texts("sam")).toEqual(["re: hello", "Your code: sam-1."]);
  });

  it("is somebody else than the one of the same name who was let in", async () => {
    const bench = await pairing();
    bench.agent.decide("sam-1", "user");
    await bench.say("hello", { conversation: "other", from: { id: "sam-2", name: "Sam" } });
    await bench.clock.pass(10);
    expect(bench.transport.texts("other")).toEqual(["Your code: sam-2."]);
    expect(bench.agent.prompts).toEqual([]);
  });

  it.each([
    ["in a group", { group: { id: "team", addressed: true } }],
    ["as a bot", { from: { id: "robot", bot: true } }],
  ])("hears nothing %s", async (_where, change) => {
    const bench = await pairing();
    await bench.say("hello", { ...sam, ...change });
    await bench.clock.pass(10);
    expect([bench.agent.strangers, bench.transport.sent]).toEqual([[], []]);
  });

  it("hears nothing where strangers are ignored", async () => {
    const bench = await started();
    await bench.say("hello", sam);
    await bench.clock.pass(10);
    expect([bench.agent.strangers, bench.transport.sent]).toEqual([[], []]);
  });

  it("without anything lasting is told to sign in, once, and gets no code", async () => {
    const bench = await pairing();
    const nick = { conversation: "sam", from: { id: "sam", lasting: false } };
    await bench.say("hello", nick);
    await bench.say("hello?", nick);
    await bench.clock.pass(10);
    expect(bench.transport.texts("sam")).toEqual([expect.stringContaining("signed in with an account")]);
    expect(bench.agent.strangers).toEqual([]);
  });

  it("a thousand of them at once do not make the channel loud, or keep its people waiting", async () => {
    const bench = await pairing((b) => {
      // As Patchbay, which lets a few wait.
      const { introduce } = b.agent;
      b.agent.introduce = (stranger) =>
        b.agent.people.waiting.length < 20
          ? introduce(stranger)
          : Promise.resolve({ say: null, waits: false });
    });
    const thousand = Array.from({ length: 1_000 }, (_, index) => `s${index}`);
    await Promise.all(thousand.map((id) => bench.say("hello", { conversation: id, from: { id } })));
    await bench.say("still there?");
    await bench.clock.pass(60_000);
    expect(bench.transport.texts("dm")).toEqual(["re: still there?"]);
    expect(bench.transport.sent).toHaveLength(21);
    expect(JSON.stringify(bench.context.storage.get("channel.strangers")).length).toBeLessThan(20_000);
  });
});

describe("somebody who was let in", () => {
  it("is answered from the first message on, although Patchbay tells it a moment after the start", async () => {
    const bench = await pairing((b) => {
      b.agent.followPeople = (listener) => {
        setImmediate(() => listener({ listed: [{ userId: "sam-1", role: "user" }], waiting: [] }));
        return () => {};
      };
    });
    await bench.say("hello", sam);
    await bench.clock.pass(10);
    expect(bench.transport.texts("sam")).toEqual(["re: hello"]);
  });

  it("as an owner decides, and is asked", async () => {
    const bench = await pairing();
    bench.agent.decide("sam-1", "owner");
    await bench.say("hello", sam);
    await bench.say("/approve 7", sam);
    await bench.clock.pass(10);
    expect(bench.agent.reviews).toMatchObject([{ request: "7", userId: "sam-1" }]);
  });
});

describe("the code of somebody who waits", () => {
  it.each(["/pair 7K4-2MD", "!pair 7k42md", "pair 7k4 2md", "/pair@agent 7K4-2MD"])(
    "is taken from an owner as %j",
    async (text) => {
      const bench = await pairing();
      await bench.say(text);
      await bench.clock.pass(10);
      expect(bench.agent.pairs).toEqual([{ code: "7K4-2MD", userId: "olga" }]);
      expect(bench.transport.texts("dm")).toEqual(["Let in."]);
    },
  );

  it("is passed on with the id of whoever wrote it: Patchbay judges who may", async () => {
    const bench = await pairing((b) => {
      b.agent.pair = async (given) => {
        b.agent.pairs.push(given);
        throw new Error("Only an owner may let somebody in.");
      };
    });
    await bench.say("/pair 7K4-2MD", { conversation: "uma", from: { id: "uma" } });
    await bench.clock.pass(10);
    expect(bench.agent.pairs).toEqual([{ code: "7K4-2MD", userId: "uma" }]);
    expect(bench.transport.texts("uma")).toEqual(["Only an owner may let somebody in."]);
    await bench.say("pair 123 456", { conversation: "uma", from: { id: "uma" } });
    await settled();
    await bench.clock.pass(10);
    expect(bench.transport.texts("uma").at(-1)).toBe("re: pair 123 456");
  });
});
