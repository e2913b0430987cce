import { isObject } from "../../../contract/is-object.ts";
import type { ChannelRules } from "../channel-door.ts";

/**
 * Whom a channel answers, by convention in the part named `channel`: `strangers` (or the older `everyone`) and
 * `groupsOnlyListed`. Null for channels that declare no `strangers`: older versions, and others that judge by themselves.
 */
export function channelRulesIn(schema: unknown, config: Record<string, unknown>): ChannelRules | null {
  if (propertyOf(propertyOf(schema, "channel"), "strangers") === undefined) return null;
  const { strangers, everyone, groupsOnlyListed } = isObject(config.channel) ? config.channel : {};
  return { strangers: ruleOf(strangers, everyone), groupsOnlyListed: groupsOnlyListed !== false };
}

function ruleOf(strangers: unknown, everyone: unknown): ChannelRules["strangers"] {
  if (everyone === true || strangers === "answer") return "answer";
  return strangers === "ignore" ? "ignore" : "pair";
}

function propertyOf(schema: unknown, name: string): unknown {
  return isObject(schema) && isObject(schema.properties) ? schema.properties[name] : undefined;
}
