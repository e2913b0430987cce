import type { ChannelPerson } from "../../contract/agent-plugin.ts";
import { isObject } from "../../contract/is-object.ts";
import type { Mirror } from "../store/mirror.ts";
import type { Row } from "./rows.ts";

/** The people of a channel beside those of its settings, by what was decided about them. */
export interface People {
  /** The newest first. */
  waiting: ChannelPerson[];
  letIn: ChannelPerson[];
  blocked: ChannelPerson[];
}

export function peopleOf({ view }: Row): People {
  const people = view?.people ?? [];
  const withStatus = (...statuses: ChannelPerson["status"][]) =>
    people.filter(({ status }) => statuses.includes(status));
  return {
    waiting: withStatus("waiting").reverse(),
    letIn: withStatus("owner", "user"),
    blocked: withStatus("blocked"),
  };
}

/** What happens to somebody who is not named; null for a plugin whose settings know no such rule. */
export function strangersOf({ plugin, view }: Row): "pair" | "ignore" | "answer" | null {
  if (propertyOf(propertyOf(plugin?.declaration.configSchema, "channel"), "strangers") === undefined)
    return null;
  const channel = view?.config.channel;
  const { strangers, everyone } = isObject(channel) ? channel : {};
  if (everyone === true || strangers === "answer") return "answer";
  return strangers === "ignore" ? "ignore" : "pair";
}

/** Whether there is a page about people: for channels that know the rule, and where somebody was let in. */
export function hasPeople(row: Row): boolean {
  return strangersOf(row) !== null || peopleOf(row).letIn.length > 0;
}

/** How many people wait to be let in, at all channels of an agent. */
export function waitingAt(state: Mirror, agentId: string): number {
  let count = 0;
  for (const view of state.agentPlugins.values()) {
    if (view.agentId !== agentId || !state.plugins.has(view.pluginKey)) continue;
    count += (view.people ?? []).filter(({ status }) => status === "waiting").length;
  }
  return count;
}

function propertyOf(schema: unknown, name: string): unknown {
  return isObject(schema) && isObject(schema.properties) ? schema.properties[name] : undefined;
}
