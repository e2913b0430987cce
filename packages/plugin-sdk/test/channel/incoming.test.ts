import { describe, expect, it } from "vitest";
import { ChannelFailure } from "../../src/channel/index.ts";
import { started } from "./support.ts";

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
    const access = {
      owners: [],
      users: [],
      everyone: false,
      groups: ["team"],
      groupsOnlyListed: false,
      listenInGroups: true,
    };
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
