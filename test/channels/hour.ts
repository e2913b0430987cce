import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { Person, Place, PlatformAbilities } from "./platform.ts";
import type { ChannelWorld } from "./world.ts";

const HOUR_MS = 60 * 60_000;
const MESSAGES = 60;
/** How much faster the hour passes than on the wall. */
const SCALE = 400;

interface Said {
  text: string;
  person: Person;
  place: Place;
}

/**
 * An hour of simulated time: a message a minute from three conversations, and in between cuts, a restart of the server,
 * of the app, kills of the app and of the plugin's host. At the end each message was answered, in order, once.
 */
export async function hour(world: ChannelWorld, can: PlatformAbilities): Promise<void> {
  const { platform } = world;
  const said: Said[] = [];
  const incidentsOf: { conversation: string; mayRepeat: string[] }[] = [];
  const incidents = new Map<number, () => Promise<void>>([
    [5, () => platform.cut()],
    [11, () => world.killHost()],
    [18, () => platform.cut()],
    [24, () => killApp(world)],
    [31, () => platform.restart()],
    [38, () => restartApp(world)],
    [44, () => world.killHost()],
    [50, () => platform.cut()],
    [55, () => platform.cut()],
  ]);
  for (let minute = 0; minute < MESSAGES; minute += 1) {
    await wait(HOUR_MS / MESSAGES / SCALE);
    if (!can.keepsMessages) await platform.connected();
    const next = message(minute, can);
    await platform.say(next.person, next.text, { place: next.place });
    said.push(next);
    const incident = incidents.get(minute);
    if (!incident) continue;
    // Where the platform keeps nothing, what it hands to a process that dies in the same moment is gone: not our loss.
    if (!can.keepsMessages) await taken(world, next);
    if (!can.knowsRepeats) incidentsOf.push(...inFlight(world, said, next));
    await incident();
    if (!can.keepsMessages) await platform.connected();
  }
  const missing = () => unanswered(world, said).map(({ text }) => text);
  await world.until(
    () => `these are answered: ${missing()}`,
    () => missing().length === 0,
  );
  await world.until("nothing waits any more", async () => {
    const queue = (await world.view()).runtimeState?.queue as { in: number; out: number } | undefined;
    return queue?.in === 0 && queue.out === 0;
  });
  expect(unexcused(world, said, incidentsOf)).toEqual([]);
  for (const { person, place } of [message(0, can), message(1, can), message(2, can)]) {
    const mine = said.filter((one) => one.person === person && one.place === place).map(({ text }) => text);
    const heard = platform
      .heard(person, place)
      .map((text) => /minute \d+ [a-z]+/.exec(text)?.[0])
      .filter((text) => text !== undefined);
    expect([...new Set(heard)]).toEqual(mine);
  }
}

/**
 * What is being sent when the connection goes may have arrived: without idempotency keys nobody can know. That is one
 * message of each conversation, which are sent in order: one that is not heard yet, or the newest one, of which the platform's
 * word may still be under way.
 */
function inFlight(world: ChannelWorld, said: readonly Said[], newest: Said) {
  const waiting = Map.groupBy([newest, ...unanswered(world, said)], conversationOf);
  return Array.from(waiting, ([conversation, all]) => ({
    conversation,
    mayRepeat: all.map(({ text }) => text),
  }));
}

/** Answers that were heard more often than the incidents allow: each of them at most one more, in each conversation. */
function unexcused(
  world: ChannelWorld,
  said: readonly Said[],
  incidents: readonly { conversation: string; mayRepeat: string[] }[],
): string[] {
  const left = [...incidents];
  return said.flatMap((one) => {
    const repetitions = Array.from({ length: Math.max(0, answers(world, one) - 1) }, () => one.text);
    return repetitions.filter((text) => {
      const excuse = left.findIndex(
        ({ conversation, mayRepeat }) => conversation === conversationOf(one) && mayRepeat.includes(text),
      );
      if (excuse >= 0) left.splice(excuse, 1);
      return excuse < 0;
    });
  });
}

const conversationOf = ({ person, place }: Said) => `${person} ${place}`;

function message(minute: number, { groups }: PlatformAbilities): Said {
  const conversations: [Person, Place][] = [
    ["owner", "dm"],
    ["user", "dm"],
    ["user", groups === false ? "dm" : "group"],
  ];
  const [person, place] = conversations[minute % 3] as [Person, Place];
  return { text: `minute ${minute} ${place}`, person, place };
}

function answers({ platform }: ChannelWorld, { person, place, text }: Said): number {
  return platform.heard(person, place).filter((heard) => heard.includes("re: ") && heard.endsWith(text))
    .length;
}

function unanswered(world: ChannelWorld, said: readonly Said[]): Said[] {
  return said.filter((one) => answers(world, one) === 0);
}

function taken(world: ChannelWorld, { text }: Said): Promise<void> {
  return world.until(`a turn runs for "${text}"`, () =>
    world.model.asked.some((asked) => asked.includes(text)),
  );
}

async function killApp(world: ChannelWorld): Promise<void> {
  await world.killApp();
  await world.startApp();
}

async function restartApp(world: ChannelWorld): Promise<void> {
  await world.stopApp();
  await world.startApp();
}
