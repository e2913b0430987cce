import { expect, test } from "vitest";
import { FakeClock } from "../../../../test/support/fake-clock.ts";
import { StartLimit } from "./start-limit.ts";

function begin(ms: number, fetches: boolean) {
  const clock = new FakeClock();
  const expired: number[] = [];
  const limit = new StartLimit(clock, { ms, fetches }, (waited) => expired.push(waited.ms));
  return { clock, limit, expired };
}

test("a start that may have to fetch its program is given as much time again, each time that somebody waits longer", () => {
  const { clock, limit, expired } = begin(120_000, true);
  expect(limit.until).toBe(clock.now() + 120_000);
  clock.advance(119_000);
  expect([limit.waitLonger(), limit.waitLonger()]).toEqual([true, true]);
  clock.advance(240_000);
  expect(expired).toEqual([]);
  clock.advance(1_000);
  expect(expired).toEqual([360_000]);
});

test("an hour is the longest, a start that fetches nothing has its time, and one that is over is left alone", () => {
  const long = begin(120_000, true);
  expect([long.limit.waitLonger(true), long.limit.waitLonger(true), long.limit.waitLonger()]).toEqual([
    true,
    false,
    false,
  ]);
  long.clock.advance(60 * 60 * 1_000 - 1);
  expect(long.expired).toEqual([]);
  long.clock.advance(1);
  expect(long.expired).toEqual([3_600_000]);

  const usual = begin(20_000, false);
  expect([usual.limit.waitLonger(), usual.limit.until]).toEqual([false, null]);
  usual.clock.advance(20_000);
  expect(usual.expired).toEqual([20_000]);

  const over = begin(20_000, true);
  over.limit.stop();
  expect(over.clock.waiting).toBe(0);
});
