import { anybody, type Caller, callerKey, type PolicyRule } from "../../../contract/index.ts";

/** A channel of the agent, and whoever the person let in there. */
export interface KnownChannel {
  channel: string;
  people: readonly { userId: string; role: string }[];
}

/** Most callers that are compared. */
const most = 100;

/**
 * Who may ask: the person, somebody at each channel, whoever is known there, and whom the rules name. Somebody of whom only
 * the channel or the role is known has the id of `anybody`.
 */
export function callersOf(channels: readonly KnownChannel[], rules: readonly PolicyRule[]): Caller[] {
  const all = new Map<string, Caller>();
  const add = (caller: Caller) => void all.set(callerKey(caller), caller);
  const roleOf = (channel: string, userId: string) =>
    channels.find((one) => one.channel === channel)?.people.find((one) => one.userId === userId)?.role;
  add({ kind: "owner" });
  for (const { channel } of channels) add({ kind: "channel", channel, userId: anybody });
  for (const { callers = [] } of rules) {
    for (const one of callers) {
      if (typeof one === "string") continue;
      const { channel, userId = anybody } = one;
      const role = one.role ?? roleOf(channel, userId);
      add({ kind: "channel", channel, userId, ...(role !== undefined && { role }) });
    }
  }
  for (const { channel, people } of channels)
    for (const person of people) add({ kind: "channel", channel, ...person });
  return [...all.values()].slice(0, most);
}
