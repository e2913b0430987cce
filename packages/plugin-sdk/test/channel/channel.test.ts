import { describe, expect, it } from "vitest";
import { ChannelFailure } from "../../src/channel/index.ts";
import { approval, Bench, settled } from "./support.ts";

async function started(change: (bench: Bench) => void = () => {}): Promise<Bench> {
  const bench = new Bench();
  change(bench);
  await bench.start();
  return bench;
}

describe("what comes in", () => {
  it("is answered in its conversation, and counted", async () => {
    const bench = await started();
    await bench.say("hello");
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm")).toEqual(["re: hello"]);
    expect(bench.context.state).toMatchObject({
      status: "connected",
      account: "@memory",
      received: 1,
      sent: 1,
    });
    expect(bench.agent.prompts[0]).toMatchObject({ userId: "olga", role: "owner", messageId: "in-1" });
  });

  it.each([
    ["an edit", { kind: "edit" as const }],
    ["a reaction", { kind: "reaction" as const }],
    ["another bot", { from: { id: "olga", bot: true } }],
    ["its own echo", { from: { id: "olga", self: true } }],
    ["a stranger", { from: { id: "stan" } }],
    ["an empty message", { text: " \n " }],
    ["a group that is not allowed", { group: { id: "others", addressed: true } }],
    [
      "a group in which a user speaks to others",
      { from: { id: "uma" }, group: { id: "team", addressed: false } },
    ],
  ])("is left alone when it is %s", async (_what, change) => {
    const bench = await started();
    await bench.say("hello", change);
    await bench.clock.pass(10_000);
    expect([bench.agent.prompts, bench.agent.appended, bench.transport.sent]).toEqual([[], [], []]);
  });

  it("in a group is remembered as context where the settings say so", async () => {
    const access = { owners: [], users: [], everyone: false, groups: ["team"], listenInGroups: true };
    const bench = await started((b) => Object.assign(b.options, { access }));
    await bench.say("by the way", { from: { id: "gus" }, group: { id: "team", addressed: false } });
    await bench.say("and you?", { from: { id: "gus" }, group: { id: "team", addressed: true } });
    await bench.clock.pass(10);
    expect(bench.agent.appended.map(({ text }) => text)).toEqual(["by the way"]);
    expect(bench.agent.prompts.map(({ text, role }) => [text, role])).toEqual([["and you?", "user"]]);
  });

  it("is answered once however often it is delivered, also after a restart", async () => {
    const bench = await started();
    await Promise.all([bench.say("once", { id: "x" }), bench.say("once", { id: "x" })]);
    await bench.clock.pass(10);
    await bench.say("once", { id: "x" });
    await bench.restart();
    await bench.say("once", { id: "x" });
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm")).toEqual(["re: once"]);
    expect(bench.agent.prompts).toHaveLength(1);
  });

  it("is answered once when its process dies after any single write and it is delivered again", async () => {
    for (let writes = 0; ; writes += 1) {
      const bench = await started();
      const { storage } = bench.context.ctx;
      const set = storage.set;
      let left = writes;
      storage.set = (key, value) => {
        left -= 1;
        return left >= 0 ? set(key, value) : new Promise(() => {});
      };
      void bench.say("once", { id: "x" });
      await bench.clock.pass(10);
      const sentBefore = bench.transport.sent.length;
      // The answer of the next process waits a moment, so that the message comes again in the middle of it.
      bench.transport.failing.send = [new ChannelFailure("offline", "gone")];
      await bench.restart();
      await bench.clock.pass(10);
      await bench.say("once", { id: "x" });
      await bench.clock.pass(2_000);
      await bench.say("once", { id: "x" });
      await bench.clock.pass(2_000);
      expect([writes, new Set(bench.transport.texts("dm"))]).toEqual([writes, new Set(["re: once"])]);
      expect([writes, bench.transport.sent.length - sentBefore <= 1]).toEqual([writes, true]);
      expect([writes, bench.context.state.queue]).toEqual([writes, { in: 0, out: 0 }]);
      if (left > 0) break;
    }
  });

  it("is not acknowledged while it cannot be stored, and the person is told why", async () => {
    const bench = await started();
    const set = bench.context.ctx.storage.set;
    bench.context.ctx.storage.set = () => Promise.reject(new Error("The disk is full."));
    let acknowledged = false;
    void bench.say("keep me").then(() => {
      acknowledged = true;
    });
    await bench.clock.pass(1_000);
    expect([acknowledged, bench.agent.prompts.length]).toEqual([false, 0]);
    expect(bench.context.error).toContain("The disk is full.");
    bench.context.ctx.storage.set = set;
    await bench.clock.pass(3_000);
    expect([acknowledged, bench.context.error]).toEqual([true, null]);
    expect(bench.transport.texts("dm")).toEqual(["re: keep me"]);
  });

  it("waits unacknowledged when too much waits already, and loses nothing", async () => {
    const bench = await started();
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    bench.agent.answer = async ({ text }) => {
      await gate;
      return { text: `got ${text.slice(0, 5)}` };
    };
    let acknowledged = 0;
    const says = Array.from({ length: 12 }, (_, index) =>
      bench
        .say(`${String(index).padStart(4, "0")} ${"x".repeat(50_000)}`, { conversation: `c${index}` })
        .then(() => {
          acknowledged += 1;
        }),
    );
    await bench.clock.pass(100);
    expect(acknowledged).toBeGreaterThan(2);
    expect(acknowledged).toBeLessThan(8);
    const stored = JSON.stringify([...bench.context.storage.values()]);
    expect(Buffer.byteLength(stored)).toBeLessThan(1024 * 1024);
    go();
    await bench.clock.pass(100);
    await Promise.all(says);
    await bench.clock.pass(100);
    expect(bench.transport.sent).toHaveLength(12);
  });

  it("has its files fetched within the limits; what cannot be had is said to the agent", async () => {
    const bench = await started();
    Object.assign(bench.transport, {
      download: async ({ ref }: { ref: string }) => {
        if (ref === "bad") throw new ChannelFailure("refused", "the server answered 404");
        return Buffer.from("bytes");
      },
    });
    await bench.say("look", {
      files: [
        { name: "../a.txt", mimeType: "text/plain", ref: "good" },
        { name: "b.txt", mimeType: "text/plain", ref: "bad" },
        { name: "c.bin", mimeType: "application/octet-stream", size: 30 * 1024 * 1024, ref: "good" },
      ],
    });
    await bench.clock.pass(10);
    expect(bench.agent.prompts[0]?.attachments).toEqual([
      { name: "a.txt", mimeType: "text/plain", data: Buffer.from("bytes").toString("base64") },
    ]);
    expect(bench.agent.prompts[0]?.text).toBe(
      "look\n[File not available: b.txt: the server answered 404]\n[File not available: c.bin: larger than 25 MiB]",
    );
  });
});

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

describe("an approval", () => {
  it("is asked in the owner's own conversation, with buttons, and decided by the owner alone", async () => {
    const bench = await started();
    await bench.say("hello");
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    const asked = bench.transport.sent.at(-1);
    expect(asked?.text).toContain('wants to use shell (request 7).\n{"command":"ls"}');
    const [allow] = asked?.piece.buttons ?? [];
    const press = (userId: string) =>
      bench.transport.port?.press({ conversation: "dm", userId, data: allow?.data ?? "" });
    expect(await press("uma")).toBe("Only the owner may decide this.");
    expect(bench.agent.reviews).toEqual([]);
    expect(await press("olga")).toBe("Request 7 (shell): allowed.");
    expect(bench.agent.reviews).toMatchObject([{ request: "7", decision: "allow", userId: "olga" }]);
    bench.agent.listener?.settled("r-1", "allowed");
    await bench.clock.pass(10);
    expect(bench.transport.edits.at(-1)).toMatchObject({
      text: "Request 7 (shell): allowed.",
      piece: { buttons: [] },
    });
  });

  it("is decided by a typed command while the turn that needs it holds the conversation", async () => {
    const bench = await started((b) => {
      b.transport.limits = { piece: 500, unit: "chars" };
    });
    let finish = (_: { text: string }) => {};
    bench.agent.answer = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    await bench.say("do it");
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm").at(-1)).toContain("Answer /approve 7 or /refuse 7.");
    await bench.say("/refuse 7");
    await bench.clock.pass(10);
    expect(bench.agent.reviews).toMatchObject([{ decision: "refuse" }]);
    finish({ text: "Then not." });
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm").slice(1)).toEqual(["Request 7 (shell): refused.", "Then not."]);
  });

  it("that is settled while it is being sent is corrected once it is there", async () => {
    const bench = await started();
    await bench.say("hello");
    await bench.clock.pass(10);
    const send = bench.transport.send.bind(bench.transport);
    let arrive = () => {};
    bench.transport.send = async (conversation, piece) => {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      return send(conversation, piece);
    };
    bench.agent.listener?.asked(approval());
    await settled();
    bench.agent.listener?.settled("r-1", "expired");
    await settled();
    arrive();
    await settled();
    expect(bench.transport.texts("dm").slice(1)).toEqual(["Request 7 (shell): expired, so it was refused."]);
  });

  it("that was asked before a restart is not asked again", async () => {
    const bench = await started();
    await bench.say("hello");
    await bench.clock.pass(10);
    for (let start = 0; start < 2; start += 1) {
      bench.agent.listener?.asked(approval());
      await bench.clock.pass(10);
      await bench.restart();
    }
    expect(bench.transport.texts("dm").filter((text) => text.includes("wants to use"))).toHaveLength(1);
  });
});

describe("the connection", () => {
  const offline = () => new ChannelFailure("offline", "connect ECONNREFUSED");

  it("is tried again with waits that grow to half a minute, and to five after ten", async () => {
    const bench = await started((b) => {
      b.transport.failing.connect = Array.from({ length: 40 }, offline);
    });
    await bench.clock.pass(60 * 60_000);
    const waits = bench.clock.waits.filter((ms) => ms < 60 * 60_000);
    expect(waits.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(waits.at(-1)).toBe(300_000);
    expect(bench.context.error).toBe("Memory cannot be reached: connect ECONNREFUSED");
    expect(bench.context.state).toMatchObject({ status: "degraded" });
  });

  it("does not count as good before it has held for a while", async () => {
    const bench = await started();
    for (let times = 0; times < 3; times += 1) {
      bench.transport.port?.lost(offline());
      await bench.clock.pass(8_000);
    }
    expect(bench.clock.waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
    await bench.clock.pass(20_000);
    bench.transport.port?.lost(offline());
    await bench.clock.pass(2_000);
    expect(bench.clock.waits.at(-1)).toBe(1_000);
    expect(bench.context.state).toMatchObject({ status: "connected", reconnects: 4 });
  });

  it("is given up when the credentials are refused, until the person signs in again", async () => {
    const reports: unknown[] = [];
    const bench = new Bench();
    bench.transport.failing.connect = [new ChannelFailure("credentials", "401 for token sesame-1234")];
    bench.options = { secrets: ["sesame-1234"] };
    await bench.start();
    bench.context.ctx.reportRuntimeError = (...args) => void reports.push(args);
    await bench.clock.pass(60 * 60_000);
    expect(bench.transport.connects).toBe(1);
    expect(bench.context.state).toMatchObject({ status: "needs-login", reason: "401 for token •••" });
    expect(bench.context.logs.map(({ text }) => text).join()).not.toContain("sesame");
    expect(bench.context.error).toBe("Memory refused the sign-in: 401 for token •••");
  });

  it("that says nothing for a minute after connecting is not waited for any longer", async () => {
    const bench = new Bench();
    const connect = bench.transport.connect.bind(bench.transport);
    bench.transport.connect = (port) =>
      bench.transport.connects++ === 0 ? new Promise(() => {}) : connect(port);
    await bench.start();
    await bench.clock.pass(62_000);
    expect(bench.context.state).toMatchObject({ status: "connected" });
  });

  it("is proven by pings where the library has none, and renewed when they stay out", async () => {
    const bench = new Bench();
    let answers = true;
    Object.assign(bench.transport, { ping: () => (answers ? Promise.resolve() : new Promise(() => {})) });
    await bench.start();
    await bench.clock.pass(10 * 60_000);
    expect(bench.transport.connects).toBe(1);
    answers = false;
    await bench.clock.pass(90_000);
    expect(bench.transport.connects).toBe(2);
  });

  it("that is away keeps answers until it is back, in order", async () => {
    const bench = await started();
    const { port } = bench.transport;
    bench.transport.failing.connect = [offline(), offline()];
    port?.lost(offline());
    await settled();
    await port?.message({ conversation: "dm", id: "a", from: { id: "olga" }, text: "first" });
    await port?.message({ conversation: "dm", id: "b", from: { id: "olga" }, text: "second" });
    await settled();
    expect(bench.transport.sent).toEqual([]);
    expect(bench.context.state.queue).toEqual({ in: 0, out: 2 });
    await bench.clock.pass(10_000);
    expect(bench.transport.texts("dm")).toEqual(["re: first", "re: second"]);
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
});
