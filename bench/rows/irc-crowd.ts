import { spawnSync } from "node:child_process";
import { Inspircd } from "../../test/channels/irc/inspircd.ts";
import { type CrowdPace, IrcCrowd } from "../../test/channels/irc/irc-crowd.ts";
import { alone, type IrcServer } from "../../test/channels/irc/irc-server.ts";
import { Ngircd } from "../../test/channels/irc/ngircd.ts";
import { ChannelWorld } from "../../test/channels/world.ts";
import type { Result, Row } from "../row.ts";
import { median } from "../stats.ts";

const people = 60;
const goalMs = 15_000;

const places: { name: string; server(): Promise<IrcServer>; pace: CrowdPace }[] = [
  {
    name: "InspIRCd that lets the bot write ten lines a second",
    server: () => Inspircd.open(),
    pace: { burst: 20, linesPerMinute: 600 },
  },
  {
    name: "ngircd with its own limits and the plugin's own pace",
    server: () => Ngircd.open("", true, alone, true),
    pace: { burst: 0, linesPerMinute: 0 },
  },
];

/** Sixty people write to one agent on IRC at the same moment, on real servers with services: how long each waits. */
export const ircCrowd: Row = {
  id: "irc-crowd",
  async run({ quick, log }) {
    const missing = ["ngircd", "inspircd", "atheme-services"].filter(
      (command) => spawnSync(command, ["--version"]).error,
    );
    if (missing.length > 0) {
      log(`irc-crowd is left out: it needs ${missing.join(" and ")}.`);
      return [];
    }
    const results: Result[] = [];
    for (const { name, server, pace } of places) {
      const crowd = await IrcCrowd.open(quick ? 10 : people, await server(), pace);
      const world = await ChannelWorld.open(crowd);
      try {
        const waits = await waitsOf(crowd, world);
        const p50 = median(waits);
        results.push({
          row: "irc-crowd",
          what: `${crowd.size} people at once on ${name}: until one is answered, p50`,
          value: p50,
          unit: "ms",
          baseline: null,
          goal: `≤ ${goalMs / 1_000} s`,
          met: p50 <= goalMs,
          notes: { longest: Math.max(...waits), people: crowd.size },
        });
      } finally {
        await world.close();
      }
    }
    return results;
  },
};

/** Milliseconds that each waited, in no order. */
async function waitsOf(crowd: IrcCrowd, world: ChannelWorld): Promise<number[]> {
  await crowd.connected();
  await crowd.sayAs(0, "warm");
  await world.until("it is warm", () => crowd.heardBy(0).includes("re: warm"));
  const waiting = new Set(Array.from({ length: crowd.size }, (_, person) => person));
  const waits: number[] = [];
  const begin = performance.now();
  const stop = crowd.onHeard(() => {
    for (const person of waiting) {
      if (!crowd.heardBy(person).includes("re: now")) continue;
      waiting.delete(person);
      waits.push(performance.now() - begin);
    }
  });
  world.patienceMs = 120_000;
  await Promise.all([...waiting].map((person) => crowd.sayAs(person, "now")));
  await world.until(
    () => `${waiting.size} more are answered`,
    () => waiting.size === 0,
  );
  stop();
  return waits;
}
