import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallAbort } from "../runtimes/call-abort.ts";
import { Clock, TimeLimitError, withinLimit } from "./clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const keeper = { attach: () => () => undefined };
const around = { keeper, agentId: "a", pluginKey: "p" };

test("a clock runs out once, and not while it stands still", () => {
  let expired = 0;
  const clock = new Clock(100, () => {
    expired += 1;
  });
  vi.advanceTimersByTime(60);
  clock.pause();
  vi.advanceTimersByTime(10_000);
  expect(expired).toBe(0);
  clock.resume();
  clock.resume();
  vi.advanceTimersByTime(39);
  expect(expired).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(expired).toBe(1);
});

test("a stopped clock never runs out, and leaves no timer behind", () => {
  const clock = new Clock(100, () => {
    throw new Error("it ran out");
  });
  clock.stop();
  clock.resume();
  clock.pause();
  expect(vi.getTimerCount()).toBe(0);
});

test("a limit longer than a timer can hold does not run out at once", () => {
  let expired = false;
  const clock = new Clock(Number.MAX_SAFE_INTEGER, () => {
    expired = true;
  });
  vi.advanceTimersByTime(60_000);
  expect(expired).toBe(false);
  clock.stop();
});

test("a call that hangs is given up at its limit, and told so", async () => {
  let inner: CallAbort | undefined;
  const { signal } = new AbortController();
  const call = withinLimit({
    ...around,
    limitMs: 100,
    signal,
    run: (given) => {
      inner = given;
      return new Promise(() => undefined);
    },
  });
  const failure = expect(call).rejects.toBeInstanceOf(TimeLimitError);
  await vi.advanceTimersByTimeAsync(100);
  await failure;
  expect(inner?.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["answers", async () => "fine", "fine"],
  ["rejects", () => Promise.reject(new Error("no")), "no"],
  [
    "throws",
    () => {
      throw new Error("at once");
    },
    "at once",
  ],
])("a call that %s leaves no timer behind", async (_what, run: () => Promise<string>, expected) => {
  const { signal } = new AbortController();
  const end = await withinLimit({ ...around, limitMs: 100, signal, run }).catch(
    (error: Error) => error.message,
  );
  expect(end).toBe(expected);
  expect(vi.getTimerCount()).toBe(0);
});

test("an abort gives a call up, before and during it", async () => {
  const stop = new AbortController();
  const run = () => new Promise<never>(() => undefined);
  const call = withinLimit({ ...around, limitMs: 100, signal: stop.signal, run });
  stop.abort();
  await expect(call).rejects.toMatchObject({ code: "ABORTED" });
  await expect(withinLimit({ ...around, limitMs: 100, signal: stop.signal, run })).rejects.toMatchObject({
    code: "ABORTED",
  });
  expect(vi.getTimerCount()).toBe(0);
});
