import { expect, it } from "vitest";
import { ChannelFailure } from "../../src/channel/index.ts";
import { Bench } from "./support.ts";

/**
 * Starts a channel on a bench, for tests of bad input from people, clocks and libraries that concern every platform.
 */
async function started(change: (bench: Bench) => void = () => {}): Promise<Bench> {
  const bench = new Bench();
  change(bench);
  await bench.start();
  return bench;
}

it("a message of more than 100,000 characters is cut at a whole character, and the agent is told", async () => {
  const bench = await started();
  await bench.say("x".repeat(100_000), { id: "fits" });
  await bench.say(`${"x".repeat(99_999)}👍 and more`, { id: "too long" });
  await bench.clock.pass(100);
  const [fits, cut] = bench.agent.prompts.map(({ text }) => text);
  expect(fits?.length).toBe(100_000);
  expect(cut?.slice(99_990)).toBe("xxxxxxxxx\ufffd\n[The rest was cut.]");
});

it("bytes that were no text in any known encoding become text that can be stored and sent", async () => {
  const bench = await started();
  await bench.say("a\ud83d b\0c\r\nd\re");
  await bench.clock.pass(10);
  expect(bench.agent.prompts[0]?.text).toBe("a\ufffd bc\nd\ne");
  const stored = JSON.stringify([...bench.context.storage.values()]);
  expect(stored.isWellFormed()).toBe(true);
});

it("of 1,000 messages in one moment each is answered once, in the order of its conversation", async () => {
  const bench = await started();
  const says = Array.from({ length: 1_000 }, (_, n) =>
    bench.say(`m${n}`, { id: `m${n}`, conversation: `c${n % 10}` }),
  );
  // Between two messages of a conversation lies a write, and a long queue is written with pauses in real time.
  while (bench.transport.sent.length < 1_000) await bench.clock.pass(10);
  await Promise.all(says);
  for (let conversation = 0; conversation < 10; conversation += 1) {
    const expected = Array.from({ length: 100 }, (_, n) => `re: m${n * 10 + conversation}`);
    expect(bench.transport.texts(`c${conversation}`)).toEqual(expected);
  }
});

it.each([
  ["back", -365 * 24 * 60 * 60_000],
  ["ahead", 365 * 24 * 60 * 60_000],
])(
  "a clock that is put %s by a year while answers are written and retried holds nothing up",
  async (_way, ms) => {
    const bench = await started();
    bench.agent.answer = async ({ text, onDelta }) => {
      onDelta?.("begun");
      await new Promise<void>((resolve) => bench.clock.limit(4_000, resolve));
      return { text: `re: ${text}` };
    };
    bench.transport.failing.edit = [new ChannelFailure("rate-limited", "slow", { retryAfterMs: 1_000 })];
    await bench.say("first");
    await bench.clock.pass(2_500);
    bench.clock.skew(ms);
    await bench.clock.pass(5_000);
    bench.transport.port?.lost(new ChannelFailure("offline", "gone"));
    await bench.clock.pass(5_000);
    await bench.say("second");
    await bench.clock.pass(10_000);
    expect(bench.transport.texts("dm")).toEqual(["re: first", "re: second"]);
    expect(bench.context.state).toMatchObject({ status: "connected", reconnects: 1 });
    expect(Math.max(...bench.clock.waits)).toBeLessThanOrEqual(60_000);
  },
);

it("a library that sees no end of a connection which never came up keeps nobody from the next one", async () => {
  const bench = new Bench();
  bench.transport.failing.connect = [new ChannelFailure("offline", "gone")];
  bench.transport.close = () => new Promise(() => {});
  await bench.start();
  await bench.clock.pass(10_000);
  expect(bench.context.state).toMatchObject({ status: "connected" });
  const stopped = bench.handle?.stop();
  await bench.clock.pass(6_000);
  await stopped;
});
