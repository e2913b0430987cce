import { describe, expect, it } from "vitest";
import { ChannelFailure } from "../../src/channel/index.ts";
import { Bench, settled, started } from "./support.ts";

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

  it("is the first thing that a channel reports, so that nobody takes one that runs for connected", async () => {
    const bench = await started();
    expect(bench.context.patches[0]).toEqual({ status: "connecting", reason: null, connectedSince: null });
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

  it("is tried again for as long as it is switched on when something must be mended elsewhere: first after a minute, at last every hour", async () => {
    const banned = () => new ChannelFailure("fatal", "The server has banned this connection.");
    const bench = await started((b) => {
      b.options.access = { owners: [], users: [], everyone: true, groups: [] };
    });
    await bench.say("hello", { conversation: "nick", from: { id: "nick", lasting: false } });
    bench.transport.failing.connect = Array.from({ length: 100 }, banned);
    bench.clock.waits.length = 0;
    bench.transport.port?.lost(banned());
    await bench.clock.pass(48 * 60 * 60_000);
    expect(bench.clock.waits.slice(0, 8).map((ms) => ms / 60_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect([bench.context.state.status, bench.context.error]).toEqual([
      "degraded",
      "The server has banned this connection.",
    ]);
    // Whoever has no account is somebody else after that.
    expect(bench.agent.ended).toEqual(["nick", "nick"]);
    bench.transport.failing.connect = [];
    await bench.clock.pass(60 * 60_000);
    expect([bench.context.state.status, bench.context.error]).toEqual(["connected", null]);
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
