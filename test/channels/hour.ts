import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { incidentsOf } from "./incidents.ts";
import type { Person, Place, PlatformAbilities } from "./platform.ts";
import type { ChannelWorld } from "./world.ts";

const HOUR_MS = 60 * 60_000;
const MESSAGES = 60;
/** How much faster the hour passes than on the wall. */
const SCALE = 1_000;

interface Conversation {
  name: string;
  person: Person;
  place: Place;
}

interface Said extends Conversation {
  text: string;
}

const owner: Conversation = { name: "owner", person: "owner", place: "dm" };
const user: Conversation = { name: "user", person: "user", place: "dm" };
const team: Conversation = { name: "team", person: "user", place: "group" };

/**
 * An hour of simulated time: a message a minute from three conversations, and in between cuts, a restart of the server,
 * of the app, kills of the app and of the plugin's host, each right after a message from every conversation at once. At
 * the end each message was answered, in the order of its conversation, once.
 */
export async function hour(world: ChannelWorld, can: PlatformAbilities): Promise<void> {
  const { platform } = world;
  const said: Said[] = [];
  const repeatable = new Set<Said>();
  const incidents = new Map(incidentsOf(world).map((incident) => [incident.minute, incident]));
  const conversations = can.groups === false ? [owner, user] : [owner, user, team];
  for (let minute = 0; minute < MESSAGES; minute += 1) {
    await wait(HOUR_MS / MESSAGES / SCALE);
    if (!can.keepsMessages) await world.reached();
    const incident = incidents.get(minute);
    // What was known to be sent before may not be sent again, whatever happens.
    if (incident) await world.settled();
    const now = incident ? conversations : conversations.slice(minute % conversations.length).slice(0, 1);
    const next = now.map((conversation) => ({
      ...conversation,
      text: `minute ${minute} ${conversation.name}`,
    }));
    for (const { person, place, text } of next) await platform.say(person, text, { place });
    said.push(...next);
    if (!incident) continue;
    // What is being sent when the connection goes may have arrived: without idempotency keys nobody can know.
    if (!can.knowsRepeats) for (const one of next) repeatable.add(one);
    // Where the platform keeps nothing, what it hands to a process that dies in the same moment is gone: not our loss.
    if (!can.keepsMessages) for (const one of next) await taken(world, one);
    // What it passes on while its people are thrown out, nobody hears. That an answer was sent is not enough: it goes
    // through the door of the plugin's wall, and may not be at the server yet.
    if (!can.keepsMessages && incident.name === "restart of the server") {
      await world.until(
        "the answers before the restart are heard",
        () => unanswered(world, next).length === 0,
      );
      await world.settled();
    }
    await incident.happen();
    if (!can.keepsMessages) await world.reached();
  }
  const missing = () => unanswered(world, said).map(({ text }) => text);
  await world.until(
    () => `these are answered: ${missing()}`,
    () => missing().length === 0,
  );
  await world.settled();
  const twice = said.filter((one) => answers(world, one) > (repeatable.has(one) ? 2 : 1));
  expect(twice.map(({ text }) => text)).toEqual([]);
  for (const { name, person, place } of conversations) {
    const mine = said.filter((one) => one.name === name).map(({ text }) => text);
    const heard = platform
      .heard(person, place)
      .map((text) => /minute \d+ [a-z]+/.exec(text)?.[0])
      .filter((text) => text !== undefined);
    // Order is kept within a conversation; those of a group with threads are answered at the same time.
    if (place === "group" && can.opensThreads) expect(new Set(heard)).toEqual(new Set(mine));
    else expect([...new Set(heard)]).toEqual(mine);
  }
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
