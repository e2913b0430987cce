import type { ChannelClock } from "@patchbay/plugin-sdk/channel";
import { expect, it } from "vitest";
import { FloodControl } from "./flood.ts";
import { paceOf } from "./pace.ts";

/** A clock that jumps to the next timer when nothing else happens. */
function jumping(): ChannelClock & { now(): number } {
  let now = 0;
  const after = (ms: number, action: () => void) => {
    const timer = setImmediate(() => {
      now += ms;
      action();
    });
    return () => clearImmediate(timer);
  };
  return { now: () => now, after, limit: after, random: () => 0.5 };
}

const never = new AbortController().signal;

it("conversations take turns line by line, so that a long answer holds nobody up", async () => {
  const clock = jumping();
  const flood = new FloodControl(clock, { burst: 1, everyMs: 1_000 });
  const order: string[] = [];
  const talk = async (name: string, lines: number) => {
    for (let line = 0; line < lines; line += 1) {
      await flood.next(never);
      order.push(name);
    }
  };
  await Promise.all([talk("long", 20), talk("a", 2), talk("b", 2), talk("c", 1)]);
  expect(order.slice(0, 8)).toEqual(["long", "a", "b", "c", "long", "a", "b", "long"]);
});

it("sixty people at once wait 15 s at most in the middle, where the server takes six lines a second", async () => {
  const clock = jumping();
  const flood = new FloodControl(clock, paceOf({ burst: 10, linesPerMinute: 360 }, "", 1));
  const done: number[] = [];
  const person = async () => {
    for (let line = 0; line < 2; line += 1) await flood.next(never);
    done.push(clock.now());
  };
  await Promise.all(Array.from({ length: 60 }, person));
  done.sort((one, other) => one - other);
  expect(done[30]).toBeLessThanOrEqual(15_000);
});

it("what may not wait counts, and a line that was not needed is given back", async () => {
  const clock = jumping();
  const flood = new FloodControl(clock, { burst: 4, everyMs: 1_000 });
  flood.spend();
  flood.spend();
  await flood.next(never);
  await flood.next(never);
  expect(clock.now()).toBe(0);
  await flood.next(never);
  expect(clock.now()).toBe(1_000);
  flood.giveBack();
  await flood.next(never);
  expect(clock.now()).toBe(1_000);
});

it.each([
  [
    "settings before anything",
    { burst: 20, linesPerMinute: 120 },
    "ngircd-26.1",
    1,
    { burst: 20, everyMs: 500 },
  ],
  ["what ngircd takes", { burst: 0, linesPerMinute: 0 }, "ngircd-26.1", 1, { burst: 8, everyMs: 250 }],
  ["what InspIRCd takes", { burst: 0, linesPerMinute: 0 }, "InspIRCd-3", 1, { burst: 8, everyMs: 1_000 }],
  [
    "care with servers it does not know",
    { burst: 0, linesPerMinute: 0 },
    "x",
    1,
    { burst: 4, everyMs: 2_000 },
  ],
  ["less after a complaint", { burst: 0, linesPerMinute: 0 }, "x", 2, { burst: 2, everyMs: 4_000 }],
])("the pace is %s", (_what, settings, software, slower, pace) => {
  expect(paceOf(settings, software, slower)).toEqual(pace);
});
