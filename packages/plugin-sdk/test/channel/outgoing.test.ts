import { describe, expect, it } from "vitest";
import { ChannelFailure } from "../../src/channel/index.ts";
import { settled, started } from "./support.ts";

describe("an answer", () => {
  it("is shown while it is written and has its final form at the end", async () => {
    const bench = await started();
    let finish = (_: { text: string }) => {};
    let write = (_: string) => {};
    bench.agent.answer = (input) => {
      write = (text) => input.onDelta?.(text);
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    await bench.say("tell me");
    await settled();
    write("Once upon");
    await bench.clock.pass(800);
    expect(bench.transport.sent.map(({ text, piece }) => [text, piece.draft])).toEqual([["Once upon", true]]);
    write(" a time");
    await bench.clock.pass(1_000);
    expect(bench.transport.edits).toEqual([]);
    await bench.clock.pass(600);
    expect(bench.transport.edits.map(({ text, draft }) => [text, draft])).toEqual([
      ["Once upon a time", true],
    ]);
    await bench.clock.pass(10_000);
    expect(bench.transport.edits).toHaveLength(1);
    finish({ text: "Once upon a time." });
    await bench.clock.pass(10);
    expect(bench.transport.edits.at(-1)).toMatchObject({ text: "Once upon a time.", draft: false });
    expect(bench.transport.sent).toHaveLength(1);
  });

  it("goes on in a new message where one is full, and leaves none too many", async () => {
    const bench = await started();
    bench.agent.answer = async (input) => {
      input.onDelta?.(`${"a".repeat(90)} ${"b".repeat(90)} ${"c".repeat(50)}`);
      await new Promise<void>((resolve) => bench.clock.limit(2_000, resolve));
      return { text: "Short after all." };
    };
    await bench.say("tell me");
    await bench.clock.pass(1_000);
    expect(bench.transport.sent.map(({ text, piece }) => [text.charAt(0), piece.draft])).toEqual([
      ["a", false],
      ["b", false],
      ["c", true],
    ]);
    await bench.clock.pass(2_000);
    expect(bench.transport.texts("dm")[0]).toBe("Short after all.");
    expect(bench.transport.removed).toEqual(["m2", "m3"]);
  });

  it("is not edited while the platform says that it is too much, but once at the end", async () => {
    const bench = await started();
    bench.agent.answer = async (input) => {
      for (const word of ["one ", "two ", "three "]) {
        input.onDelta?.(word);
        await new Promise<void>((resolve) => bench.clock.limit(2_000, resolve));
      }
      return { text: "one two three" };
    };
    bench.transport.failing.edit = [
      new ChannelFailure("rate-limited", "slow down", { retryAfterMs: 60_000 }),
    ];
    await bench.say("count");
    await bench.clock.pass(5_900);
    expect(bench.transport.edits).toEqual([]);
    await bench.clock.pass(200);
    expect(bench.transport.edits.map(({ text, draft }) => [text, draft])).toEqual([["one two three", false]]);
  });

  it("is sent again after the time that the platform asks for, before what follows it", async () => {
    const bench = await started();
    bench.transport.failing.send = [new ChannelFailure("rate-limited", "slow down", { retryAfterMs: 5_000 })];
    await bench.say("first");
    await bench.say("second");
    await bench.say("elsewhere", { conversation: "other" });
    await bench.clock.pass(4_900);
    expect([bench.transport.texts("dm"), bench.transport.texts("other")]).toEqual([[], ["re: elsewhere"]]);
    await bench.clock.pass(200);
    expect(bench.transport.texts("dm")).toEqual(["re: first", "re: second"]);
  });

  it("that the platform refuses is given up with a sentence, and what follows is sent", async () => {
    const bench = await started();
    bench.transport.failing.send = [new ChannelFailure("refused", "The bot was blocked.")];
    await bench.say("first");
    await bench.clock.pass(10);
    expect(bench.context.error).toBe("A message could not be delivered: The bot was blocked.");
    await bench.say("second");
    await bench.clock.pass(10);
    expect([bench.transport.texts("dm"), bench.context.error]).toEqual([["re: second"], null]);
  });

  it("that fails in a way nobody foresaw does not hold up its conversation for ever", async () => {
    const bench = await started();
    bench.transport.failing.send = Array.from({ length: 8 }, () => new TypeError("x is undefined"));
    await bench.say("first");
    await bench.say("second");
    await bench.clock.pass(10 * 60_000);
    expect(bench.transport.texts("dm")).toEqual(["re: second"]);
  });

  it("survives the end of the process, whichever moment that comes at", async () => {
    for (const moment of ["before the turn ends", "before it is sent", "in the middle of it"] as const) {
      const bench = await started((b) => {
        b.transport.limits = { piece: 20, unit: "chars" };
      });
      const long = "one two three four five six seven eight nine ten";
      if (moment === "before the turn ends") bench.agent.answer = () => new Promise(() => {});
      else bench.agent.answer = async () => ({ text: long });
      if (moment === "before it is sent")
        bench.transport.failing.send = [new ChannelFailure("offline", "gone")];
      if (moment === "in the middle of it") {
        bench.transport.failing.send = [undefined, new ChannelFailure("offline", "gone")];
      }
      await bench.say("tell me");
      await bench.clock.pass(50);
      bench.agent.answer = async () => ({ text: long });
      await bench.restart();
      await bench.clock.pass(5_000);
      expect([moment, bench.transport.texts("dm").join(" ")]).toEqual([moment, long]);
    }
  });

  it("that is too large to keep, or has files, is asked for again after a restart and sent on", async () => {
    const bench = await started((b) => {
      b.transport.limits = { piece: 30_000, unit: "chars" };
    });
    const text = "word ".repeat(20_000).trim();
    const attachments = [{ name: "a.txt", mimeType: "text/plain", data: "AAAA" }];
    bench.agent.answer = async () => ({ text, attachments });
    bench.transport.failing.send = [undefined, new ChannelFailure("offline", "gone")];
    await bench.say("everything");
    await bench.clock.pass(50);
    expect(bench.transport.sent).toHaveLength(1);
    await bench.restart();
    await bench.clock.pass(50);
    expect(bench.transport.texts("dm").join(" ").length).toBe(text.length);
    expect(bench.transport.files).toEqual(["a.txt"]);
    expect(bench.context.state.queue).toEqual({ in: 0, out: 0 });
  });

  it("of which a message was sent by a process that died says so to the transport, under the same id", async () => {
    const bench = await started();
    bench.transport.failing.send = [new ChannelFailure("offline", "gone")];
    await bench.say("hello");
    await bench.clock.pass(10);
    await bench.restart();
    await bench.clock.pass(10);
    const { piece } = bench.transport.sent[0] ?? {};
    expect(piece).toMatchObject({ again: true, id: expect.stringMatching(/^[\w-]{22}$/) });
  });

  it.each([
    ["is not sent again where the history shows it", "kept", 1],
    ["is sent again where the history does not tell", "hidden", 2],
  ] as const)("that was cut off on its way %s", async (_what, history, times) => {
    const bench = await started((b) => {
      b.transport.history = history;
      b.transport.cutOff = 1;
    });
    await bench.say("first");
    await bench.say("second");
    await bench.clock.pass(5_000);
    expect(bench.transport.texts("dm")).toEqual([...Array(times).fill("re: first"), "re: second"]);
    expect(bench.transport.sought).toEqual(["re: first"]);
  });

  it("of which one message was on its way when the process died is looked for from there on, and sent once", async () => {
    const bench = await started((b) => {
      b.transport.limits = { piece: 20, unit: "chars" };
      b.transport.history = "kept";
    });
    bench.agent.answer = async () => ({ text: "one two three four five six seven eight nine ten" });
    const send = bench.transport.send.bind(bench.transport);
    // The second message arrives at the platform, and the process dies before it hears so.
    bench.transport.send = async (conversation, piece) => {
      const sent = await send(conversation, piece);
      return bench.transport.sent.length === 2 ? new Promise(() => {}) : sent;
    };
    await bench.say("count");
    await bench.say("count again");
    await bench.clock.pass(50);
    await bench.restart();
    await bench.clock.pass(50);
    const once = ["one two three four", "five six seven eight", "nine ten"];
    expect(bench.transport.texts("dm")).toEqual([...once, ...once]);
    expect(bench.transport.sought).toEqual(["five six seven eight"]);
  });

  it("that was sent before anything of it was stored is looked for, too", async () => {
    const bench = await started((b) => {
      b.transport.history = "kept";
    });
    const { set } = bench.context.ctx.storage;
    bench.context.ctx.storage.set = async (key, value) => {
      // From the answer on the disk takes nothing, and then the process dies.
      if (bench.agent.prompts.length > 0) return new Promise(() => {});
      await set(key, value);
    };
    await bench.say("hello");
    await bench.clock.pass(50);
    expect(bench.transport.texts("dm")).toEqual(["re: hello"]);
    await bench.restart();
    await bench.clock.pass(50);
    expect(bench.transport.texts("dm")).toEqual(["re: hello"]);
    expect(bench.transport.sought).toEqual(["re: hello"]);
  });

  it("is followed in its conversation by nothing before it is stored that it was sent", async () => {
    const bench = await started((b) => {
      b.transport.limits = { piece: 20, unit: "chars" };
      b.agent.answer = async () => ({ text: "one two three four five six seven eight nine ten" });
    });
    const { set } = bench.context.ctx.storage;
    const stuck: (() => void)[] = [];
    bench.context.ctx.storage.set = async (key, value) => {
      if (bench.transport.sent.length > 0) await new Promise<void>((go) => stuck.push(go));
      await set(key, value);
    };
    await bench.say("count");
    await bench.clock.pass(50);
    expect(bench.transport.texts("dm")).toEqual(["one two three four"]);
    while (bench.transport.sent.length < 3) {
      for (const go of stuck.splice(0)) go();
      await bench.clock.pass(50);
    }
    expect(bench.transport.texts("dm")).toHaveLength(3);
  });

  it("may be silence", async () => {
    const bench = await started();
    bench.agent.answer = async () => ({ text: "", silent: true });
    await bench.say("no need to answer");
    await bench.clock.pass(10_000);
    expect([bench.transport.sent, bench.context.state.queue]).toEqual([[], { in: 0, out: 0 }]);
  });

  it("that the agent cannot give is asked for three times; then the owner hears why, and others that it failed", async () => {
    const bench = await started();
    bench.agent.answer = () => Promise.reject(new Error("The model key was refused."));
    await bench.say("hello");
    await bench.say("hello", { conversation: "uma", from: { id: "uma" } });
    await bench.clock.pass(60_000);
    expect(bench.agent.prompts).toHaveLength(6);
    expect(bench.transport.texts("dm")).toEqual(["I could not answer: The model key was refused."]);
    expect(bench.transport.texts("uma")).toEqual(["I could not answer this. Please try again later."]);
    expect(bench.context.error).toBe("A message could not be answered: The model key was refused.");
    bench.agent.answer = async () => ({ text: "Here I am." });
    await bench.say("and now?", { id: "later" });
    await bench.clock.pass(10);
    expect(bench.context.error).toBeNull();
  });
});

describe("a message of the host", () => {
  it("is sent, and its platform id comes back", async () => {
    const bench = await started();
    const sending = bench.handle?.outbound?.send({ sessionId: "", to: "dm", text: "Test" });
    await bench.clock.pass(10);
    expect(await sending).toEqual({ success: true, messageId: "m1" });
  });

  it("says why it was not sent", async () => {
    const bench = await started();
    bench.transport.failing.send = [new ChannelFailure("refused", "chat not found")];
    const refused = bench.handle?.outbound?.send({ sessionId: "", to: "dm", text: "Test" });
    await bench.clock.pass(10);
    expect(await refused).toEqual({ success: false, error: "chat not found" });
    bench.transport.port?.lost(new Error("gone"));
    bench.transport.failing.connect = Array.from({ length: 9 }, () => new Error("gone"));
    const late = bench.handle?.outbound?.send({ sessionId: "", to: "dm", text: "Test" });
    await bench.clock.pass(30_000);
    expect(await late).toMatchObject({ success: false, error: expect.stringContaining("waits to be sent") });
  });

  it("to somebody who is away waits, and says so at once", async () => {
    const bench = await started();
    bench.transport.failing.send = [new ChannelFailure("away", "uma is not here.")];
    const waits = bench.handle?.outbound?.send({ sessionId: "", to: "dm", text: "Test" });
    await bench.clock.pass(10);
    await expect(Promise.race([waits, settled()])).resolves.toMatchObject({
      success: false,
      error: expect.stringContaining("waits to be sent"),
    });
    await bench.clock.pass(60_000);
    expect(bench.transport.texts("dm")).toEqual(["Test"]);
  });
});
