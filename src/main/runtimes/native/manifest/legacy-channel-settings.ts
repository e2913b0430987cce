import { isObject } from "../../../../contract/is-object.ts";
import type { ConfigField } from "./config-fields.ts";

/**
 * Settings of ours beside those of an older channel package, which knows no roles. Taken out again before the package sees
 * its settings.
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
export function roleIn(config: Record<string, unknown> | undefined, userId: string): string | undefined {
  const channel = config?.channel;
  const owners = isObject(channel) ? channel[ownersField] : undefined;
  return Array.isArray(owners) && owners.includes(userId) ? "owner" : undefined;
}
