import { describe, expect, it } from "vitest";
import { ChannelFailure, type RoomRules } from "../../src/channel/index.ts";
import { approval, type Bench, settled, started } from "./support.ts";

/** A channel on which everybody may write. */
const open = (change: (bench: Bench) => void = () => {}) =>
  started((bench) => {
    bench.options.access = { owners: ["olga"], users: ["uma"], everyone: true, groups: ["team"] };
    change(bench);
  });

const nick = (id: string) => ({ conversation: id, from: { id, lasting: false } });

describe("somebody whose id can change hands", () => {
  it("matches no list, whatever they are called", async () => {
    const access = { owners: ["olga"], users: ["uma"], everyone: false, groups: ["team"] };
    const bench = await started((b) => Object.assign(b.options, { access }));
    await bench.say("hello", nick("olga"));
    await bench.say("hello", { conversation: "x", from: { id: "x", aliases: ["uma"], lasting: false } });
    await bench.say("hello", { from: { id: "uma", lasting: false }, group: { id: "team", addressed: true } });
    await bench.clock.pass(10);
    expect([bench.agent.prompts, bench.transport.sent]).toEqual([[], []]);
  });

  it("decides nothing", async () => {
    const bench = await open();
    await bench.say("hello");
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    await bench.say("/approve 7", nick("olga"));
    await bench.clock.pass(10);
    expect(bench.agent.reviews).toEqual([]);
    expect(bench.transport.texts("olga")).toEqual(["Only the owner may decide this."]);
  });

  it("is never asked to approve, although an owner has the same name", async () => {
    const bench = await open();
    await bench.say("hello", nick("olga"));
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    expect(bench.transport.texts("olga")).toEqual(["re: hello"]);
  });

  it("begins a session of their own, and ends it by leaving", async () => {
    const bench = await open();
    await bench.say("my secret", nick("sam"));
    await bench.say("more", nick("sam"));
    await bench.clock.pass(10);
    expect(bench.agent.ended).toEqual(["sam"]);
    bench.transport.port?.left("sam");
    await settled();
    expect(bench.agent.ended).toEqual(["sam", "sam"]);
    await bench.say("who am I", nick("sam"));
    await bench.clock.pass(10);
    expect(bench.agent.ended).toEqual(["sam", "sam", "sam"]);
    expect(bench.transport.texts("sam")).toEqual(["re: my secret", "re: more", "re: who am I"]);
  });

  it("takes along what waits: the running turn is stopped, later messages and answers are dropped, and that is said", async () => {
    const bench = await open();
    bench.agent.answer = () => new Promise(() => {});
    await bench.say("one", nick("sam"));
    await bench.say("two", nick("sam"));
    await bench.clock.pass(10);
    bench.transport.port?.left("sam");
    await bench.clock.pass(10);
    expect(bench.agent.prompts.map(({ text, signal }) => [text, signal?.aborted])).toEqual([["one", true]]);
    bench.agent.answer = async ({ text }) => ({ text: `re: ${text}` });
    await bench.say("somebody else", nick("sam"));
    await bench.clock.pass(60_000);
    expect(bench.transport.texts("sam")).toEqual(["re: somebody else"]);
    expect(bench.context.logs.map(({ text }) => text).join("\n")).toContain(
      "conversation sam is gone; 2 waiting messages",
    );
  });

  it("does not get the rest of an answer that was meant for the one before", async () => {
    const bench = await open((b) => {
      b.transport.limits = { piece: 10, unit: "chars" };
    });
    const { send } = bench.transport;
    bench.transport.send = async (conversation, piece) => {
      const sent = await send.call(bench.transport, conversation, piece);
      bench.transport.port?.left("sam");
      return sent;
    };
    await bench.say("tell me all of it, slowly", nick("sam"));
    await bench.clock.pass(60_000);
    expect(bench.transport.texts("sam")).toHaveLength(1);
    expect(bench.context.state).toMatchObject({ queue: { in: 0, out: 0 } });
  });

  it("is gone with the connection and with the process, but nobody else is", async () => {
    const bench = await open();
    bench.agent.answer = () => new Promise(() => {});
    await bench.say("one", nick("sam"));
    await bench.say("one");
    await bench.clock.pass(10);
    bench.agent.answer = async ({ text }) => ({ text: `re: ${text}` });
    await bench.restart();
    await bench.clock.pass(10);
    expect([bench.transport.texts("sam"), bench.transport.texts("dm")]).toEqual([[], ["re: one"]]);
    expect(bench.agent.ended).toEqual(["sam", "sam"]);
    await bench.say("two", nick("sam"));
    await bench.clock.pass(10);
    bench.transport.port?.lost(new ChannelFailure("offline", "cut"));
    await bench.clock.pass(5_000);
    expect(bench.agent.ended).toEqual(["sam", "sam", "sam", "sam"]);
  });

  it("is not answered while the session of the one before cannot be ended", async () => {
    const bench = await open();
    bench.agent.end = async () => {
      throw new Error("The disk is full.");
    };
    await bench.say("who am I", nick("sam"));
    await bench.clock.pass(10);
    expect(bench.agent.prompts).toEqual([]);
  });
});

describe("a message for somebody who is away", () => {
  it("waits until they are back, holds nobody else up, and is no problem of the channel", async () => {
    const bench = await started();
    bench.transport.failing.send = [new ChannelFailure("away", "Olga is not signed in.")];
    await bench.say("hello");
    await bench.say("hello", { conversation: "uma", from: { id: "uma" } });
    await bench.clock.pass(10);
    expect([bench.transport.texts("dm"), bench.transport.texts("uma")]).toEqual([[], ["re: hello"]]);
    bench.transport.port?.back("dm");
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm")).toEqual(["re: hello"]);
    expect(bench.context.error).toBeNull();
  });

  it("is dropped after a day, also when the channel was restarted meanwhile", async () => {
    const bench = await started();
    const away = async () => {
      throw new ChannelFailure("away", "Olga is not signed in.");
    };
    bench.transport.send = away;
    await bench.say("hello");
    await bench.clock.pass(13 * 60 * 60_000);
    await bench.restart();
    bench.transport.send = away;
    await bench.clock.pass(12 * 60 * 60_000);
    expect(bench.context.state).toMatchObject({ queue: { out: 0 } });
    expect(bench.context.logs.at(-1)?.text).toBe("A message was dropped: Olga is not signed in.");
  });
});

it("a message for a person who will not be there again is dropped, and they are asked nothing there any more", async () => {
  const bench = await started();
  await bench.say("hello");
  await bench.clock.pass(10);
  bench.transport.failing.send = [new ChannelFailure("nobody", "That nick is somebody else's now.")];
  bench.agent.listener?.asked(approval());
  await bench.clock.pass(60_000);
  bench.agent.listener?.asked(approval({ requestId: "r-2", shortId: "8" }));
  await bench.clock.pass(60_000);
  expect(bench.transport.texts("dm")).toEqual(["re: hello"]);
  expect(bench.context.error).toBeNull();
});

it("a stranger in a listed group is answered only where that was chosen", async () => {
  const inTeam = { from: { id: "gus" }, group: { id: "team", addressed: true } };
  const closed = await open();
  await closed.say("hello", inTeam);
  await closed.clock.pass(10);
  expect(closed.agent.prompts).toEqual([]);
  const chosen = await open((b) => {
    b.options.access = { owners: [], users: [], everyone: false, groups: ["team"], groupsOnlyListed: false };
  });
  await chosen.say("hello", inTeam);
  await chosen.clock.pass(10);
  expect(chosen.agent.prompts).toHaveLength(1);
});

describe("a room with rules of its own", () => {
  const rules = (rooms: RoomRules[]) =>
    started((bench) => {
      bench.options.access = {
        owners: ["olga"],
        users: ["uma"],
        everyone: false,
        groups: ["team", "other"],
        rooms,
        normalise: (id) => id.toLowerCase(),
      };
    });
  const inRoom = (
    id: string,
    more: { room?: string; addressed?: boolean; toOthers?: boolean; followUp?: boolean } = {},
  ) => {
    const { room = "team", addressed = true, ...group } = more;
    return { conversation: room, from: { id }, group: { id: room, addressed, ...group } };
  };
  const asked = (bench: Bench) => bench.agent.prompts.map(({ text }) => text);
  const heard = (bench: Bench) => bench.agent.appended.map(({ text }) => text);

  it("is answered by the people named for it and by owners, and nobody else there; they are nobody elsewhere", async () => {
    const bench = await rules([{ room: "Team", people: "these", users: ["Rita"] }]);
    for (const id of ["rita", "uma", "sam", "olga"]) await bench.say(`${id} here`, inRoom(id));
    for (const id of ["rita", "uma"]) await bench.say(`${id} there`, inRoom(id, { room: "other" }));
    await bench.say("rita alone", { conversation: "rita", from: { id: "rita" } });
    await bench.clock.pass(10);
    await bench.say("rita goes on", inRoom("rita", { addressed: false, followUp: true }));
    await bench.clock.pass(10);
    expect(asked(bench).sort()).toEqual(["olga here", "rita goes on", "rita here", "uma there"]);
    // Patchbay compares letter by letter, so it is told the spellings of the settings.
    expect(bench.agent.prompts[0]).toMatchObject({ userId: "Rita", room: "team", group: true });
  });

  it("is open to everybody in it, also to whom nobody can be sure of, and the others stay closed", async () => {
    const bench = await rules([{ room: "team", people: "everybody" }]);
    await bench.say("sam here", inRoom("sam"));
    await bench.say("nick here", { ...inRoom("x"), from: { id: "x", lasting: false } });
    await bench.say("sam there", inRoom("sam", { room: "other" }));
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["sam here", "nick here"]);
  });

  it("is answered when it is mentioned, always, or never, as it says", async () => {
    const said = async (answers: RoomRules["answers"] & string) => {
      const bench = await rules([{ room: "team", answers }]);
      await bench.say("mention", inRoom("uma"));
      await bench.say("by the way", inRoom("uma", { addressed: false }));
      await bench.say("to sam", inRoom("uma", { addressed: false, toOthers: true }));
      await bench.say("owner", inRoom("olga", { addressed: false }));
      await bench.say("stranger", inRoom("sam"));
      await bench.clock.pass(10);
      return { asked: asked(bench), heard: heard(bench) };
    };
    expect(await said("as-elsewhere")).toEqual({ asked: ["mention", "owner"], heard: [] });
    expect(await said("mentioned")).toEqual({ asked: ["mention"], heard: [] });
    expect(await said("everything")).toEqual({ asked: ["mention", "by the way", "owner"], heard: [] });
    const all = ["mention", "by the way", "to sam", "owner"];
    expect(await said("never")).toEqual({ asked: [], heard: all });
  });
});
