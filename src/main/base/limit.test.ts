import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallAbort } from "./call-abort.ts";
import { systemClock } from "./clock.ts";
import { PausableLimit, TimeLimitError, untilAborted, within } from "./limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const hang = () => new Promise<never>(() => undefined);

test("a limit runs out once, and not while it stands still", () => {
  let expired = 0;
  const limit = new PausableLimit(systemClock, 100, () => {
    expired += 1;
  });
  vi.advanceTimersByTime(60);
  limit.pause();
  vi.advanceTimersByTime(10_000);
  expect(expired).toBe(0);
  limit.resume();
  limit.resume();
  vi.advanceTimersByTime(39);
  expect(expired).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(expired).toBe(1);
});

test("a limit that several have paused runs on when the last of them resumes it", () => {
  let expired = false;
  const limit = new PausableLimit(systemClock, 100, () => {
    expired = true;
  });
  limit.pause();
  limit.pause();
  limit.resume();
  vi.advanceTimersByTime(10_000);
  expect(expired).toBe(false);
  limit.resume();
  vi.advanceTimersByTime(100);
  expect(expired).toBe(true);
});

test("a stopped limit never runs out, and leaves no timer behind", () => {
  const limit = new PausableLimit(systemClock, 100, () => {
    throw new Error("it ran out");
  });
  limit.stop();
  limit.resume();
  limit.pause();
  expect(vi.getTimerCount()).toBe(0);
});

test("a limit longer than a timer can hold does not run out at once", () => {
  let expired = false;
  const limit = new PausableLimit(systemClock, Number.MAX_SAFE_INTEGER, () => {
    expired = true;
  });
  vi.advanceTimersByTime(60_000);
  expect(expired).toBe(false);
  limit.stop();
});

test("work that hangs is given up at its limit with the failure made for it, and told so", async () => {
  let inner: CallAbort | undefined;
  const late = (ms: number) => new Error(`late after ${ms}`);
  const work = within({ ms: 100, late }, (abort) => {
    inner = abort;
    return hang();
  });
  const failure = expect(work).rejects.toThrow("late after 100");
  await vi.advanceTimersByTimeAsync(100);
  await failure;
  expect(inner?.reason).toMatchObject({ message: "late after 100" });
});

test("without a failure of its own, work that took too long fails as such", async () => {
  const failure = expect(within({ ms: 100 }, hang)).rejects.toBeInstanceOf(TimeLimitError);
  await vi.advanceTimersByTimeAsync(100);
  await failure;
});

test("a signal gives work up, before and during it", async () => {
  const controller = new AbortController();
  const stopped = (reason: unknown) => new Error(`stopped: ${reason}`);
  let begun = 0;
  const run = () => {
    begun += 1;
    return hang();
  };
  const work = within({ ms: 100, signal: controller.signal, stopped }, run);
  controller.abort("enough");
  await expect(work).rejects.toThrow("stopped: enough");
  await expect(within({ signal: controller.signal, stopped }, run)).rejects.toThrow("stopped: enough");
  expect(begun).toBe(1);
});

test("work that ends itself while it begins is ended", async () => {
  const work = within({ ms: 100 }, (abort) => {
    abort.abort(new Error("at once"));
    return hang();
  });
  await expect(work).rejects.toThrow("at once");
});

test("work that throws before it returns a promise fails with that", async () => {
  const work = within({ ms: 100 }, () => {
    throw new Error("no promise");
  });
  await expect(work).rejects.toThrow("no promise");
});

test("stopped work has its time of grace to end by itself, and what it comes to counts", async () => {
  const controller = new AbortController();
  const end = Promise.withResolvers<string>();
  const work = within({ signal: controller.signal, graceMs: 1_000 }, () => end.promise);
  controller.abort(new Error("stopped"));
  await vi.advanceTimersByTimeAsync(999);
  end.resolve("done all the same");
  await expect(work).resolves.toBe("done all the same");
});

test("stopped work that goes on, or that fails of being stopped, rejects with why it was stopped", async () => {
  const late = () => new Error("late");
  const hanging = expect(within({ ms: 100, graceMs: 1_000, late }, hang)).rejects.toThrow("late");
  const failing = expect(
    within({ ms: 100, graceMs: 1_000, late }, ({ signal }) => {
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(new Error("the socket was closed")));
      return promise;
    }),
  ).rejects.toThrow("late");
  await vi.advanceTimersByTimeAsync(1_100);
  await Promise.all([hanging, failing]);
});

test("who watches a limit can make it stand still, and is let go of at the end", async () => {
  let watching = 0;
  const end = Promise.withResolvers<string>();
  const watch = (limit: PausableLimit) => {
    watching += 1;
    limit.pause();
    return () => {
      watching -= 1;
    };
  };
  const work = within({ ms: 100, watch }, () => end.promise);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(watching).toBe(1);
  end.resolve("answered");
  await expect(work).resolves.toBe("answered");
  expect(watching).toBe(0);
});

test("waiting ends with what is waited for, or when the signal is aborted", async () => {
  const controller = new AbortController();
  await expect(untilAborted(Promise.resolve("here"), controller.signal)).resolves.toBe("here");
  const waiting = untilAborted(hang(), controller.signal);
  controller.abort(new Error("not any more"));
  await expect(waiting).rejects.toThrow("not any more");
});

test("a limit that begins anew runs out later, and after ten times its length in any case", () => {
  let expired = 0;
  const limit = new PausableLimit(systemClock, 100, () => {
    expired += 1;
  });
  for (let step = 0; step < 12; step += 1) {
    vi.advanceTimersByTime(80);
    expect(expired).toBe(0);
    limit.restart();
  }
  // 960 of the 1,000 have gone by, and pauses do not count.
  limit.pause();
  limit.restart();
  vi.advanceTimersByTime(10_000);
  limit.resume();
  vi.advanceTimersByTime(39);
  expect(expired).toBe(0);
  vi.advanceTimersByTime(1);
  expect(expired).toBe(1);
});

test("a limit that is over does not begin anew", () => {
  let expired = false;
  const limit = new PausableLimit(systemClock, 100, () => {
    expired = true;
  });
  limit.stop();
  limit.restart();
  vi.advanceTimersByTime(10_000);
  expect(expired).toBe(false);
});
