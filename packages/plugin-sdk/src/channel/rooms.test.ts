import { expect, it } from "vitest";
import { Rooms } from "./rooms.ts";

/** Rooms on a clock that is moved by hand. Seconds. */
function open(rooms = ["#team"]) {
  let now = 0;
  const timers = new Set<{ at: number; action: () => void }>();
  const joins: { room: string; at: number }[] = [];
  const told: (string | null)[] = [];
  const after = (ms: number, action: () => void) => {
    const timer = { at: now + ms, action };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const clock = { now: () => now, after, limit: after, random: () => 0.5 };
  const parts = { rooms, clock, join: (room: string) => joins.push({ room, at: now / 1_000 }) };
  const it = new Rooms({ ...parts, trouble: (sentence) => told.push(sentence) });
  const pass = (seconds: number) => {
    const end = now + seconds * 1_000;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      timers.delete(next);
      now = next.at;
      next.action();
    }
    now = end;
  };
  return { rooms: it, joins, told, pass, times: () => joins.map(({ at }) => at) };
}

it("a room that refuses is tried again with growing pauses, at last every ten minutes, for ever", () => {
  const { rooms, pass, times, told } = open();
  rooms.joinAll();
  for (let tries = 0; tries < 10; tries += 1) {
    rooms.refused("#team", "banned");
    pass(600);
  }
  // Each refusal comes 600 s after the one before it; the tries between them, at most 600 s after theirs.
  expect(times().map((at, index) => at - Math.max(0, index - 1) * 600)).toEqual([
    0, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600,
  ]);
  expect(told.at(-1)).toBe("banned");
});

it("a bot that is thrown out again and again comes back, each time later, and at once after it stayed for long", () => {
  const { rooms, pass, times } = open();
  rooms.joinAll();
  for (const stays of [1, 1, 700]) {
    rooms.joined("#team");
    pass(stays);
    rooms.removed("#team", "thrown out");
    pass(100);
  }
  // After 1 s in the room, 10 s later; the second time 20 s later; after 700 s in the room 10 s later again.
  expect(times()).toEqual([0, 11, 122, 912]);
});

it("a sign that it may work now ends the pause, but not more often than every two seconds", () => {
  const { rooms, pass, times } = open(["#team", "#tea"]);
  rooms.joinAll();
  rooms.joined("#tea");
  rooms.refused("#team", "invite only");
  pass(5);
  rooms.mayWork("#team");
  rooms.refused("#team", "invite only");
  for (let spam = 0; spam < 50; spam += 1) rooms.mayWork();
  pass(3);
  expect(times()).toEqual([0, 0, 5, 7]);
  rooms.joined("#team");
  rooms.mayWork("#team");
  pass(3_600);
  expect(times()).toHaveLength(4);
});

it("nothing is tried after the end", () => {
  const { rooms, pass, times } = open();
  rooms.joinAll();
  rooms.refused("#team", "banned");
  rooms.stop();
  rooms.mayWork();
  pass(3_600);
  expect(times()).toEqual([0]);
});
