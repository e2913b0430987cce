import { expect, it } from "vitest";
import { Rooms } from "./rooms.ts";

/**
 * Rooms on a clock that is moved by hand. Seconds.
 *
 * @param answer what a room says to the bot that comes
 */
function open(rooms = ["#team"], answer: (rooms: Rooms, room: string) => void = () => {}) {
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
  const join = (room: string) => {
    joins.push({ room, at: now / 1_000 });
    answer(it, room);
  };
  const it: Rooms = new Rooms({ rooms, clock, join, trouble: (sentence) => told.push(sentence) });
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
  const { rooms, pass, times, told } = open(["#team"], (them) => them.refused("#team", "banned"));
  rooms.joinAll();
  pass(3_000);
  const pauses = times().map((at, index, all) => at - (all[index - 1] ?? 0));
  expect(pauses).toEqual([0, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
  expect(told.at(-1)).toBe("banned");
});

it("a room that says nothing at all is tried again, too, and that is told", () => {
  const { rooms, pass, times, told } = open(["#team", "#tea"]);
  rooms.joinAll();
  rooms.joined("#tea");
  pass(100);
  // After 30 s without an answer 10 s more, then 30 s and 20 s more.
  expect(times()).toEqual([0, 0, 40, 90]);
  expect(told).toEqual(["#team does not answer.", "#team does not answer."]);
  rooms.joined("#team");
  pass(3_600);
  expect(times()).toHaveLength(4);
  expect(told.at(-1)).toBeNull();
});

it("a bot that is thrown out again and again comes back, each time later, and at once after it stayed for long", () => {
  const { rooms, pass, times } = open(["#team"], (them, room) => them.joined(room));
  rooms.joinAll();
  for (const stays of [1, 1, 700]) {
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
