import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Heartbeat } from "./heartbeat.ts";

let visibility: { visibilityState: string } & EventTarget;
let life: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  visibility = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", visibility);
  life = new AbortController();
});
afterEach(() => {
  life.abort();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A core that answers each question after `delayMs`, or never. */
function watch(delayMs: number | null) {
  const said: boolean[] = [];
  let asked = 0;
  const heartbeat = new Heartbeat({
    ask: () => {
      asked += 1;
      return delayMs === null ? new Promise(() => {}) : new Promise((done) => setTimeout(done, delayMs));
    },
    onSilent: (silent) => said.push(silent),
  });
  let ended = false;
  void heartbeat.watch(life.signal).then(() => {
    ended = true;
  });
  return { heartbeat, said, asked: () => asked, ended: () => ended };
}

test("a core that does not answer is silent within a second, and given up after some", async () => {
  const core = watch(null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(core.said).toEqual([true]);
  expect(core.ended()).toBe(false);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(core.ended()).toBe(true);
});

test("one that answers late is silent and then no longer, and is not given up", async () => {
  const core = watch(2_000);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(core.said).toEqual([true, false]);
  expect(core.ended()).toBe(false);
});

test("nothing is asked while something arrives", async () => {
  const core = watch(5);
  for (let times = 0; times < 20; times += 1) {
    await vi.advanceTimersByTimeAsync(100);
    core.heartbeat.heard();
  }
  expect(core.asked()).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(core.asked()).toBeGreaterThan(3);
  expect(core.said).toEqual([]);
});

test("a hidden page does not ask, and asks at once when it is looked at", async () => {
  visibility.visibilityState = "hidden";
  const core = watch(null);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(core.asked()).toBe(0);
  visibility.visibilityState = "visible";
  visibility.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1);
  expect(core.asked()).toBe(1);
  expect(core.said).toEqual([]);
});
