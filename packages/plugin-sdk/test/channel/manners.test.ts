import { describe, expect, it } from "vitest";
import { type Bench, settled, started } from "./support.ts";

/** Makes the agent wait with each answer until the test lets it go on; a stop ends it, as in the app. */
function held(bench: Bench): { go(): void } {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  bench.agent.answer = async ({ text }) => {
    await gate;
    return { text: `re: ${text}` };
  };
  return { go: () => go() };
}

const asked = (bench: Bench) => bench.agent.prompts.map(({ text }) => text);
const team = { conversation: "room", group: { id: "team", addressed: true } };

describe("a turn that somebody stops", () => {
  it.each(["stop", "Stop.", "/stop", "!stop", "/stop@agent"])("ends at %j, which is said", async (word) => {
    const bench = await started();
    held(bench);
    await bench.say("count to a million");
    await settled();
    await bench.say(word);
    await bench.clock.pass(10);
    expect(bench.agent.prompts[0]?.signal?.aborted).toBe(true);
    expect(bench.transport.texts("dm")).toEqual(["Stopped."]);
    expect(bench.context.state.queue).toEqual({ in: 0, out: 0 });
    expect(asked(bench)).toEqual(["count to a million"]);
  });

  it("takes along a message that came right before the wish and is not stored yet", async () => {
    const bench = await started();
    held(bench);
    await bench.say("first");
    await settled();
    await Promise.all([bench.say("second"), bench.say("stop")]);
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm")).toEqual([
      "Stopped, and the message that waited will not be answered.",
    ]);
    expect(asked(bench)).toEqual(["first"]);
  });

  it("takes the person's waiting messages with it, and nobody else's", async () => {
    const bench = await started();
    const { go } = held(bench);
    const uma = { ...team, from: { id: "uma" } };
    const ben = { ...team, from: { id: "ben" } };
    await bench.say("first", uma);
    await bench.say("second", uma);
    await bench.say("from ben", ben);
    await bench.say("third", uma);
    await bench.say("/stop", uma);
    await settled();
    expect(bench.transport.texts("room")).toEqual([
      "Stopped, and the 2 messages that waited will not be answered.",
    ]);
    go();
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["first", "from ben"]);
    expect(bench.transport.texts("room").at(-1)).toBe("re: from ben");
  });

  it("is stopped by its person or an owner alone; anybody else's bare word is a message", async () => {
    const bench = await started();
    const { go } = held(bench);
    await bench.say("hello", { ...team, from: { id: "uma" } });
    await settled();
    await bench.say("/stop", { ...team, from: { id: "ben" } });
    await bench.say("stop", { ...team, from: { id: "ben" } });
    await settled();
    expect(bench.agent.prompts[0]?.signal?.aborted).toBe(false);
    expect(bench.transport.texts("room")).toEqual([
      "Only the person whose turn it is, or an owner, can stop it.",
    ]);
    await bench.say("stop", { ...team, from: { id: "olga" } });
    await settled();
    expect(bench.transport.texts("room").at(-1)).toBe(
      "Stopped, and the message that waited will not be answered.",
    );
    go();
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["hello"]);
  });

  it("needs no mention in a group from the person whose turn it is", async () => {
    const bench = await started();
    held(bench);
    await bench.say("hello", { ...team, from: { id: "uma" } });
    await settled();
    const aside = { conversation: "room", group: { id: "team", addressed: false } };
    await bench.say("stop", { ...aside, from: { id: "ben" } });
    await settled();
    expect(bench.agent.prompts[0]?.signal?.aborted).toBe(false);
    await bench.say("stop", { ...aside, from: { id: "uma" } });
    await settled();
    expect(bench.transport.texts("room")).toEqual(["Stopped."]);
  });

  it("keeps what people have read of the answer", async () => {
    const bench = await started();
    bench.agent.answer = async (input) => {
      input.onDelta?.("Once upon");
      await new Promise<void>((resolve) => bench.clock.limit(10_000, resolve));
      return { text: "never" };
    };
    await bench.say("tell me");
    await bench.clock.pass(1_000);
    await bench.say("stop");
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm")).toEqual(["Once upon", "Stopped."]);
    expect(bench.transport.edits.at(-1)).toMatchObject({ text: "Once upon", draft: false });
  });

  it("is a word like any other when nothing runs, and the command says so", async () => {
    const bench = await started();
    await bench.say("stop");
    await bench.clock.pass(10);
    await bench.say("/stop");
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm")).toEqual(["re: stop", "Nothing is being answered here."]);
    expect(asked(bench)).toEqual(["stop"]);
  });

  it("is not begun again by the next process", async () => {
    const bench = await started();
    held(bench);
    await bench.say("hello");
    await settled();
    await bench.say("stop");
    await bench.clock.pass(10);
    await bench.restart();
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["hello"]);
    expect(bench.transport.texts("dm")).toEqual(["Stopped."]);
  });
});

describe("messages that follow each other at once", () => {
  const joining = () => started((bench) => Object.assign(bench.options, { manners: { joinMs: 1_000 } }));

  it("are one turn, which begins when the person has finished", async () => {
    const bench = await joining();
    await bench.say("look");
    await bench.clock.pass(600);
    await bench.say("at this", { files: [{ name: "a.txt", mimeType: "text/plain", ref: "a" }] });
    await bench.clock.pass(600);
    await bench.say("please", { replyTo: "in-3" });
    await bench.clock.pass(900);
    expect(asked(bench)).toEqual([]);
    await bench.clock.pass(200);
    expect(asked(bench)).toEqual([
      "look\nat this\nplease\n[File not available: a.txt: files cannot be read here]",
    ]);
    expect(bench.agent.prompts[0]?.messageId).toBe("in-1");
    expect(bench.transport.sent.map(({ piece }) => piece.replyTo)).toEqual(["in-3"]);
    expect(bench.context.state.queue).toEqual({ in: 0, out: 0 });
  });

  it("are not joined across people, commands and pauses", async () => {
    const bench = await joining();
    const uma = { ...team, from: { id: "uma" } };
    const ben = { ...team, from: { id: "ben" } };
    await bench.say("one", uma);
    await bench.say("two", uma);
    await bench.say("three", ben);
    await bench.say("/new", ben);
    await bench.say("four", ben);
    await bench.clock.pass(1_500);
    await bench.say("five", ben);
    await bench.clock.pass(1_500);
    expect(asked(bench)).toEqual(["one\ntwo", "three", "/new", "four", "five"]);
  });

  it("wait no longer than five pauses, and are ten at most", async () => {
    const bench = await joining();
    for (let count = 1; count <= 12; count += 1) {
      await bench.say(`m${count}`);
      await bench.clock.pass(500);
    }
    await bench.clock.pass(3_000);
    expect(asked(bench)).toEqual(["m1\nm2\nm3\nm4\nm5\nm6\nm7\nm8\nm9\nm10", "m11\nm12"]);
    for (let count = 1; count <= 7; count += 1) {
      await bench.say(`n${count}`);
      await bench.clock.pass(900);
    }
    expect(asked(bench)[2]).toBe("n1\nn2\nn3\nn4\nn5\nn6");
  });

  it("that wait for a turn to end are one turn, too", async () => {
    const bench = await joining();
    const { go } = held(bench);
    await bench.say("first");
    await bench.clock.pass(1_100);
    await bench.say("second");
    await bench.clock.pass(300);
    await bench.say("third");
    await bench.clock.pass(5_000);
    expect(asked(bench)).toEqual(["first"]);
    go();
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["first", "second\nthird"]);
  });

  it("are answered once, whole, when the process dies after any single write", async () => {
    for (let writes = 0; ; writes += 1) {
      const bench = await joining();
      const { storage } = bench.context.ctx;
      const set = storage.set;
      let left = writes;
      storage.set = (key, value) => {
        left -= 1;
        return left >= 0 ? set(key, value) : new Promise(() => {});
      };
      void bench.say("one", { id: "x" });
      void bench.say("two", { id: "y" });
      await bench.clock.pass(1_010);
      await bench.restart();
      await bench.say("one", { id: "x" });
      await bench.say("two", { id: "y" });
      await bench.clock.pass(5_000);
      const words = bench.transport
        .texts("dm")
        .join(" ")
        .match(/one|two/g);
      // A message that was sent and not stored as sent comes again from this platform, which has no history.
      expect([writes, new Set(words)]).toEqual([writes, new Set(["one", "two"])]);
      const turns = new Set(asked(bench));
      expect([writes, turns.has("one") && turns.has("one\ntwo")]).toEqual([writes, false]);
      expect([writes, bench.context.state.queue]).toEqual([writes, { in: 0, out: 0 }]);
      if (left > 0) break;
    }
  });

  it("are stopped before they begin", async () => {
    const bench = await joining();
    await bench.say("never mind");
    await bench.say("stop");
    await bench.clock.pass(3_000);
    expect(asked(bench)).toEqual([]);
    expect(bench.transport.texts("dm")).toEqual(["Stopped: the message that waited will not be answered."]);
    await bench.say("hello");
    await bench.clock.pass(1_100);
    expect(asked(bench)).toEqual(["hello"]);
  });
});

describe("an edit", () => {
  it("takes the place of a message that still waits, of the same person alone", async () => {
    const bench = await started();
    const { go } = held(bench);
    await bench.say("first");
    await bench.say("secnod", { id: "x" });
    await bench.say("mine", { id: "x", kind: "edit", from: { id: "uma" } });
    await bench.say("second", { id: "x", kind: "edit" });
    go();
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["first", "second"]);
  });

  it("that comes while its message is being stored takes its place, too", async () => {
    const bench = await started();
    const { go } = held(bench);
    await bench.say("first");
    await settled();
    await Promise.all([bench.say("secnod", { id: "x" }), bench.say("second", { id: "x", kind: "edit" })]);
    go();
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["first", "second"]);
    expect(bench.agent.appended).toEqual([]);
  });

  it("of a message that was answered is read with the next one, once, and not answered", async () => {
    const bench = await started();
    await bench.say("at noon", { id: "x" });
    await bench.clock.pass(10);
    await bench.say("at one", { id: "x", kind: "edit" });
    await bench.say("at one", { id: "x", kind: "edit" });
    await bench.say("a stranger's", { id: "y", kind: "edit" });
    await bench.clock.pass(10);
    expect(bench.agent.appended.map(({ text }) => text)).toEqual([
      "[I changed an earlier message. It now says:]\nat one",
    ]);
    expect(bench.transport.texts("dm")).toEqual(["re: at noon"]);
  });
});

describe("other bots", () => {
  const robot = { ...team, from: { id: "robot", name: "Robot", bot: true } };
  const withBots = () =>
    started((bench) => {
      const access = { owners: ["olga"], users: ["robot", "uma"], everyone: false, groups: ["team"] };
      Object.assign(bench.options, { access, manners: { botExchanges: 3 } });
    });

  it("are not answered unless that was chosen", async () => {
    const bench = await started();
    await bench.say("beep", robot);
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual([]);
  });

  it("get so many answers without a person between; then it is said once, and a person begins it anew", async () => {
    const bench = await withBots();
    for (let count = 1; count <= 6; count += 1) {
      await bench.say(`beep ${count}`, robot);
      await bench.clock.pass(10);
    }
    expect(asked(bench)).toEqual(["beep 1", "beep 2", "beep 3"]);
    expect(bench.transport.texts("room").slice(3)).toEqual([
      "I have answered Robot 3 times without a person between. I go on when a person writes here.",
    ]);
    await bench.say("just talking", {
      ...team,
      from: { id: "stan" },
      group: { id: "team", addressed: false },
    });
    await bench.say("beep 7", robot);
    await bench.clock.pass(10);
    expect(asked(bench).at(-1)).toBe("beep 7");
  });

  it("gain nothing from another thread of the room, nor from a restart", async () => {
    const bench = await withBots();
    for (let count = 1; count <= 4; count += 1) {
      await bench.say(`beep ${count}`, { ...robot, conversation: `thread ${count}` });
    }
    await bench.clock.pass(10);
    await bench.restart();
    await bench.say("beep 5", { ...robot, conversation: "thread 5" });
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["beep 1", "beep 2", "beep 3"]);
  });
});

describe("marks", () => {
  const marked = async (change: (bench: Bench) => void = () => {}) => {
    const marks: string[] = [];
    const bench = await started((b) => {
      Object.assign(b.transport, {
        mark: async (_conversation: string, id: string, mark: string | null, before: string | null) => {
          marks.push(`${id} ${before} ${mark}`);
          if (marks.length === 2) throw new Error("Too many reactions.");
        },
      });
      change(b);
    });
    return { bench, marks };
  };

  it("show what waits and what is worked on, and go with the answer; a failure does no harm", async () => {
    const { bench, marks } = await marked();
    const { go } = held(bench);
    await bench.say("first");
    await bench.say("second");
    await bench.clock.pass(1_000);
    expect(marks).toEqual(["in-1 null working", "in-2 null seen"]);
    go();
    await bench.clock.pass(10);
    expect(marks.slice(2)).toEqual(["in-1 working null", "in-2 seen working", "in-2 working null"]);
    expect(bench.transport.texts("dm")).toEqual(["re: first", "re: second"]);
  });

  it("are not set for what is answered at once, for commands, nor where the settings do not want them", async () => {
    const { bench, marks } = await marked();
    await bench.say("quick");
    await bench.say("/new");
    await bench.clock.pass(5_000);
    const off = await marked((b) => Object.assign(b.options, { manners: { marks: false } }));
    held(off.bench);
    await off.bench.say("slow");
    await off.bench.clock.pass(5_000);
    expect([marks, off.marks]).toEqual([[], []]);
  });

  it("that a killed process has left are taken away by the next", async () => {
    const { bench, marks } = await marked();
    const { go } = held(bench);
    await bench.say("slow");
    await bench.clock.pass(1_000);
    go();
    await bench.kill();
    await bench.start();
    await bench.clock.pass(1_000);
    expect(marks[0]).toBe("in-1 null working");
    expect(marks.at(-1)).toMatch(/^in-1 (seen|working) null$/);
  });
});

describe("in a group", () => {
  it("what follows up is for the agent when a listed person writes it, and what is said to others is not", async () => {
    const bench = await started();
    const say = (text: string, id: string, group: object) =>
      bench.say(text, {
        conversation: "room",
        from: { id },
        group: { id: "team", addressed: false, ...group },
      });
    await say("and now?", "uma", { followUp: true });
    await say("me too", "stan", { followUp: true });
    await say("bob, lunch?", "olga", { toOthers: true });
    await say("agent, lunch?", "olga", {});
    await bench.clock.pass(10);
    expect(asked(bench)).toEqual(["and now?", "agent, lunch?"]);
  });
});
