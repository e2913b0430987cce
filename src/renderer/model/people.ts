import type { ChannelPerson } from "../../contract/agent-plugin.ts";
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

/** Whether there is a page about people: for channels that know the rule, and where somebody was let in. */
export function hasPeople(row: Row): boolean {
  return row.view?.strangers !== undefined || peopleOf(row).letIn.length > 0;
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
