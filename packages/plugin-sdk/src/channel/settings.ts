import type { z as Zod } from "zod";
import type { AccessRules, RoomRules } from "./access.ts";
import type { ChannelManners } from "./channel.ts";

/** What the platform calls the places where several people meet. */
export type PlaceName = "channels" | "groups" | "rooms";

/** What differs in the texts of a platform's channels, groups or rooms. */
const texts = {
  channels: {
    onlyListed: "In channels, only these people",
    onlyListedHelp:
      "In channels, too, only owners and people who may write are answered. Off: anybody who is in them.",
    listen: "Remember what is said in channels",
    rooms: "Channels with rules of their own",
    roomsHelp: "What is set here holds in this channel alone. The rest is as in the others.",
    room: "Channel",
    people: {
      "as-elsewhere": "As in other channels",
      everybody: "Everybody in the channel",
      these: "Owners and the people named here",
    },
    answers: {
      "as-elsewhere": "As in other channels",
      mentioned: "Only when it is mentioned",
      everything: "Everything that is said",
      never: "Nothing, it only listens",
    },
    prompt: "Instructions for this channel",
  },
  groups: {
    onlyListed: "In groups, only these people",
    onlyListedHelp:
      "In groups, too, only owners and people who may write are answered. Off: anybody who is in them.",
    listen: "Remember what is said in groups",
    rooms: "Groups with rules of their own",
    roomsHelp: "What is set here holds in this group alone. The rest is as in the others.",
    room: "Group",
    people: {
      "as-elsewhere": "As in other groups",
      everybody: "Everybody in the group",
      these: "Owners and the people named here",
    },
    answers: {
      "as-elsewhere": "As in other groups",
      mentioned: "Only when it is mentioned",
      everything: "Everything that is said",
      never: "Nothing, it only listens",
    },
    prompt: "Instructions for this group",
  },
  rooms: {
    onlyListed: "In rooms, only these people",
    onlyListedHelp:
      "In rooms, too, only owners and people who may write are answered. Off: anybody who is in them.",
    listen: "Remember what is said in rooms",
    rooms: "Rooms with rules of their own",
    roomsHelp: "What is set here holds in this room alone. The rest is as in the others.",
    room: "Room",
    people: {
      "as-elsewhere": "As in other rooms",
      everybody: "Everybody in the room",
      these: "Owners and the people named here",
    },
    answers: {
      "as-elsewhere": "As in other rooms",
      mentioned: "Only when it is mentioned",
      everything: "Everything that is said",
      never: "Nothing, it only listens",
    },
    prompt: "Instructions for this room",
  },
} as const satisfies Record<PlaceName, Record<string, unknown>>;

type Line = Zod.ZodType<string>;

/** What the schemas below are built with. */
type ZodParts = Pick<typeof Zod, "array" | "boolean" | "literal" | "number" | "object" | "string" | "union">;

/**
 * The settings that channels have in common, as pieces of a zod schema: each with its bounds, its default and the texts of
 * the form, whose German Patchbay has. A plugin takes those that its platform can do, under the names that they have
 * here, and adds its own.
 *
 * @param z these functions of the plugin's own zod, version 4. `z` itself will do, but then a bundler keeps all of zod
 */
export function channelSettings(z: ZodParts, places: PlaceName) {
  const words = texts[places];
  const line = z
    .string()
    .trim()
    .regex(/^[^\r\n\0]*$/, "It must be one line.");
  const listed = <Item extends Line>(item: Item, title: string, description: string) =>
    z.array(item).default([]).meta({ title, description });
  return {
    /** A text of one line, for settings of the plugin's own. */
    line,
    /** A list, empty by default. */
    list: <Item extends Line>(title: string, description: string, item: Item = line as unknown as Item) =>
      listed(item, title, description),
    /**
     * `owners` and `users`, which Patchbay reads, too. The descriptions say by what people are named here: by something
     * that cannot change hands.
     */
    people: <Item extends Line>(
      said: { owners: string; users: string },
      item: Item = line as unknown as Item,
    ) => ({
      owners: listed(item, "Owners", said.owners),
      users: listed(item, "People who may write", said.users),
    }),
    /** What happens to somebody who writes directly and is on no list. Patchbay reads it, too. */
    strangers: choice(z, "pair", {
      pair: "Tell them a code, and let them in under People",
      ignore: "Leave them without an answer",
      answer: "Answer them: anybody can use the agent",
    }).meta({
      title: "Somebody who is not named",
      description: "What happens when they write directly.",
    }),
    /** The older name of `strangers: "answer"`; both texts say who that is on this platform. */
    everyone: (title: string, description: string) => z.boolean().default(false).meta({ title, description }),
    /** Patchbay reads it, too. */
    groupsOnlyListed: z
      .boolean()
      .default(true)
      .meta({ title: words.onlyListed, description: words.onlyListedHelp }),
    /**
     * What holds in single rooms: who is answered there and to what, and what is added to the agent's prompt. Patchbay reads
     * it, too; keep the name `roomSettings`.
     *
     * @param list the name of the setting with the rooms to choose from
     * @param person how people are named, as for `people`
     */
    roomSettings: <Item extends Line>(list: string, person: Item = line as unknown as Item) =>
      z
        .array(
          z.object({
            room: line.min(1, "Choose one.").meta({ title: words.room, "x-patchbay": { from: list } }),
            answers: choice(z, "as-elsewhere", words.answers).meta({ title: "What it answers" }),
            people: choice(z, "as-elsewhere", words.people).meta({ title: "Whom it answers" }),
            users: listed(
              person,
              "People who are answered there",
              "Named as under People who may write.",
            ).meta({
              "x-patchbay": { showWhen: { field: "people", equals: "these" } },
            }),
            prompt: z
              .string()
              .max(4_000)
              .default("")
              .meta({
                title: words.prompt,
                description: "Added to what the agent is told about itself.",
                "x-patchbay": { multiline: true },
              }),
          }),
        )
        .max(200)
        .default([])
        .meta({ title: words.rooms, description: words.roomsHelp }),
    listen: (description = "The agent knows what was said before it was mentioned.") =>
      z.boolean().default(false).meta({ title: words.listen, description }),
    joinSeconds: z.number().min(0).max(30).default(1).meta({
      title: "Wait for more, seconds",
      description:
        "Messages that a person sends this shortly after each other are answered together. 0: each alone.",
    }),
    /** For platforms on which bots can be told from people. */
    botExchanges: z.number().int().min(0).max(100).default(0).meta({
      title: "Answers to another bot",
      description:
        "How often a bot on your lists is answered before a person has to write again. 0: bots are not answered.",
    }),
    /** For transports with `mark`. */
    marks: z.boolean().default(true).meta({
      title: "Show reactions",
      description: "Eyes at a message that waits, an hourglass at one that is worked on.",
    }),
    /** No setting of the form: how much faster than on the wall the channel's time passes, for tests. */
    timeScale: z.number().min(1).max(100_000).default(1),
  };
}

/**
 * Who is answered by these settings, for `runChannel`.
 *
 * @param own where the groups are called otherwise in the settings, and how ids are compared
 */
export function accessOf(
  settings: Pick<AccessRules, "owners" | "users" | "everyone" | "strangers" | "groupsOnlyListed"> & {
    groups?: readonly string[];
    /** Both names of the setting are in use. */
    listen?: boolean;
    listenInGroups?: boolean;
    roomSettings?: readonly RoomRules[];
  },
  own: { groups?: readonly string[]; normalise?: (id: string) => string } = {},
): AccessRules {
  const { owners, users, everyone, strangers, groupsOnlyListed, groups = [] } = settings;
  return {
    owners,
    users,
    everyone,
    ...(strangers !== undefined && { strangers }),
    ...(groupsOnlyListed !== undefined && { groupsOnlyListed }),
    listenInGroups: settings.listen ?? settings.listenInGroups ?? false,
    groups,
    ...(settings.roomSettings && { rooms: settings.roomSettings }),
    ...own,
  };
}

/** The manners that these settings mean, for `runChannel`. */
export function mannersOf(settings: {
  joinSeconds?: number;
  botExchanges?: number;
  marks?: boolean;
}): ChannelManners {
  const { joinSeconds = 0, botExchanges = 0, marks = true } = settings;
  return { joinMs: joinSeconds * 1_000, botExchanges, marks };
}

/** One of several values, each with the words by which a person chooses it. */
function choice<K extends string>(z: ZodParts, standard: NoInfer<K>, named: Record<K, string>) {
  const values = Object.keys(named) as K[];
  const options = values.map((value) => z.literal(value).meta({ title: named[value] }));
  return z
    .union(options)
    .default(standard as never)
    .meta({ type: "string" });
}
