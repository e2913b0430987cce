import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallAbort } from "../base/call-abort.ts";
import { systemClock } from "../base/clock.ts";
import { TimeLimitError } from "../base/limit.ts";
import { withinLimit } from "./call-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const keeper = { attach: () => () => undefined };
const around = { keeper, clock: systemClock, agentId: "a", pluginKey: "p", sessionId: "s" };

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
