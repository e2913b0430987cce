import { isObject } from "../../../contract/is-object.ts";
import type { ChannelRules, RoomRules } from "../channel-door.ts";

/**
 * Whom a channel answers, by convention in the part named `channel`: `strangers` (or the older `everyone`),
 * `groupsOnlyListed` and `roomSettings`. Null for channels that declare no `strangers`: older versions, and others that
 * judge by themselves.
 */
export function channelRulesIn(schema: unknown, config: Record<string, unknown>): ChannelRules | null {
  const declared = propertyOf(schema, "channel");
  if (propertyOf(declared, "strangers") === undefined) return null;
  const settings = isObject(config.channel) ? config.channel : {};
  const { strangers, everyone, groupsOnlyListed, roomSettings } = settings;
  const hasRooms = propertyOf(declared, "roomSettings") !== undefined;
  const rooms = hasRooms && Array.isArray(roomSettings) ? roomSettings.flatMap(roomIn) : [];
  return {
    strangers: ruleOf(strangers, everyone),
    groupsOnlyListed: groupsOnlyListed !== false,
    rooms,
    named: [...rooms.map(({ room }) => room), ...roomsNamedIn(settings)],
  };
}

function ruleOf(strangers: unknown, everyone: unknown): ChannelRules["strangers"] {
  if (everyone === true || strangers === "answer") return "answer";
  return strangers === "ignore" ? "ignore" : "pair";
}

function roomIn(value: unknown): RoomRules[] {
  if (!isObject(value) || typeof value.room !== "string" || value.room.trim() === "") return [];
  const { room, prompt, answers, people, users } = value;
  return [
    {
      room: room.trim(),
      prompt: typeof prompt === "string" ? prompt.trim() : "",
      answers: oneOf(["mentioned", "everything", "never"], answers),
      people: oneOf(["everybody", "these"], people),
      users: Array.isArray(users)
        ? users.filter((user) => typeof user === "string").map((user) => user.trim())
        : [],
    },
  ];
}

function oneOf<K extends string>(values: readonly K[], given: unknown): K | "as-elsewhere" {
  return values.find((value) => value === given) ?? "as-elsewhere";
}

/** By convention in a list `groups`, `channels` or `rooms`; what stands after a space is a key of the room. */
function roomsNamedIn({ groups, channels, rooms }: Record<string, unknown>): string[] {
  const lists: unknown[] = [groups, channels, rooms];
  return lists
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .flatMap((name) => (typeof name === "string" ? [name.trim().split(/\s+/)[0] ?? ""] : []))
    .filter((name) => name !== "");
}

function propertyOf(schema: unknown, name: string): unknown {
  return isObject(schema) && isObject(schema.properties) ? schema.properties[name] : undefined;
}
