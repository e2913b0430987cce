import { isObject } from "../../../../contract/is-object.ts";
import type { ConfigField } from "./config-fields.ts";

/**
 * A setting that Patchbay adds for older channel packages, which have no roles: the user ids of the owners. It is
 * removed again before the package gets its settings.
 */
export const ownersField = "patchbay_owners";

export const legacyChannelFields: ConfigField[] = [
  {
    kind: "string_list",
    key: ownersField,
    label: "Owners",
    help: "User ids of this platform whose word counts as yours: they may decide about tool calls from the chat.",
  },
];

/** The settings of a channel that give roles, by convention: lists of user ids, in the part named `channel`. */
const listsOfRoles = [
  ["owner", [ownersField, "owners"]],
  ["user", ["users"]],
] as const;

/** The role that the settings of a channel give to this user; undefined when none of their lists names the id. */
export function roleIn(config: Record<string, unknown>, userId: string): "owner" | "user" | undefined {
  const { channel } = config;
  if (!isObject(channel)) return undefined;
  return listsOfRoles.find(([, fields]) => fields.some((field) => names(channel[field], userId)))?.[0];
}

function names(list: unknown, userId: string): boolean {
  return Array.isArray(list) && list.some((id) => typeof id === "string" && id.trim() === userId.trim());
}
