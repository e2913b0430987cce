import { type RemovedThing, removedForDays } from "../../contract/index.ts";
import { isoOf } from "../base/clock.ts";
import type { RemovedRow, RemovedWhat } from "../registry/index.ts";
import type { Described } from "./kinds.ts";

/** Milliseconds that something is kept. */
export const keptMs = removedForDays * 24 * 60 * 60 * 1_000;

/** What screens are told of a removed thing. */
export function viewOf({ id, at, size, what }: RemovedRow, described: Described): RemovedThing {
  return {
    id,
    kind: what.kind,
    at,
    until: isoOf(Date.parse(at) + keptMs),
    bytes: size?.bytes ?? null,
    conversations: what.kind === "agent" ? (size?.conversations ?? 0) : 0,
    key: null,
    version: null,
    icon: null,
    ours: false,
    agentId: null,
    settingsOf: [],
    plugins: 0,
    secrets: 0,
    blocked: null,
    readable: false,
    ...described,
  };
}

/** Whose it is, for the audit log. */
export function placeOf(what: RemovedWhat) {
  switch (what.kind) {
    case "plugin":
      return { pluginKey: what.plugin.manifestKey };
    case "agent":
      return { agentId: what.agent.id };
    case "session":
      return { agentId: what.agentId, sessionId: what.sessionId };
  }
}
