import { expect, test } from "vitest";
import { FakeClock } from "../../../../test/support/fake-clock.ts";
import { localDay } from "../../../contract/shown/local-day.ts";
import { Figures, storedFiguresSchema } from "./figures.ts";

const day = 24 * 60 * 60_000;

test("times are those of the last two hundred calls", () => {
  const figures = new Figures(new FakeClock());
  expect(figures.view()).toMatchObject({
    count: 0,
    failed: 0,
    p50Ms: null,
    p95Ms: null,
    since: null,
    days: [],
  });
  for (let n = 0; n < 100; n += 1) figures.add(1_000, true);
  for (let n = 1; n <= 200; n += 1) figures.add(n, false);
  expect(figures.view()).toMatchObject({ count: 300, failed: 100, p50Ms: 101, p95Ms: 191 });
});

test("what was stored goes on as if nothing had been in between", () => {
  const clock = new FakeClock();
  const [whole, first] = [new Figures(clock), new Figures(clock)];
  const add = (figures: Figures[], from: number, to: number) => {
    for (let n = from; n < to; n += 1) for (const each of figures) each.add((n * 37) % 211, n % 9 === 0);
  };
  add([whole, first], 0, 333);
  first.started(12.3456);
  first.restarted();
  const stored = storedFiguresSchema.parse(JSON.parse(JSON.stringify(first.toStored())));
  const second = new Figures(clock, () => {}, stored);
  expect(second.view()).toEqual(whole.view());
  add([whole, second], 333, 777);
  expect(second.view()).toEqual(whole.view());
  expect([second.startMs, second.restarts]).toEqual([12.346, 1]);
});

test("calls are counted for each of the last seven days, also when the clock is set back", () => {
  const clock = new FakeClock();
  const start = clock.now();
  const figures = new Figures(clock);
  for (let n = 1; n <= 9; n += 1) {
    for (let call = 0; call < n; call += 1) figures.add(1, call === 0);
    clock.advance(day);
  }
  clock.advance(-day);
  const days = Array.from({ length: 7 }, (_, index) => {
    return { day: localDay(start + (index + 2) * day), count: index + 3, failed: 1 };
  });
  expect(figures.view().days).toEqual(days);
  clock.advance(-2 * day);
  figures.add(1, false);
  expect(figures.view().days.at(-3)).toMatchObject({ count: 8 });
  clock.advance(5 * day);
  expect(
    figures.view().days.map(({ count }) => count),
    "older ones are not shown",
  ).toEqual([6, 8, 8, 9]);
});

test("what is stored stays small, however many calls there were", () => {
  let told = 0;
  const figures = new Figures({ now: () => 1_767_225_600_000 }, () => {
    told += 1;
  });
  for (let n = 0; n < 1_000_000; n += 1) figures.add(n, false);
  expect(told).toBe(1_000_000);
  expect(JSON.stringify(figures.toStored()).length).toBeLessThan(4_096);
});
