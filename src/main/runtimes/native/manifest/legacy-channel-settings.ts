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

/** `owner` when the settings of an older channel name this user as one. */
export function roleIn(config: Record<string, unknown>, userId: string): string | undefined {
  const channel = config.channel;
  const owners = isObject(channel) ? channel[ownersField] : undefined;
  return Array.isArray(owners) && owners.includes(userId) ? "owner" : undefined;
}
