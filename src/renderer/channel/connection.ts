import type { RuntimeState } from "../../contract/agent-plugin.ts";

/** What a channel reports of its connection; other plugins report what they like. */
export interface Connection {
  status: string | null;
  account: string | null;
  connectedSince: string | null;
  lastIn: string | null;
  lastOut: string | null;
  reconnects: number | null;
  queue: { in: number; out: number } | null;
}

const keys = ["status", "reason", "account", "connectedSince", "degradedSince", "lastIn", "lastOut"] as const;
const known: ReadonlySet<string> = new Set([...keys, "reconnects", "queue", "received", "sent"]);

/** The structured part of a channel's runtime state; null when it reports nothing of the kind. */
export function connectionOf(state: RuntimeState | null): Connection | null {
  if (!state || !Object.keys(state).some((key) => known.has(key))) return null;
  const { queue, reconnects } = state;
  return {
    status: textOf(state.status),
    account: textOf(state.account),
    connectedSince: textOf(state.connectedSince),
    lastIn: textOf(state.lastIn),
    lastOut: textOf(state.lastOut),
    reconnects: typeof reconnects === "number" ? reconnects : null,
    queue: isQueue(queue) ? queue : null,
  };
}

/** What else a channel reports, beside its connection. */
export function withoutConnection(state: RuntimeState): RuntimeState {
  return Object.fromEntries(Object.entries(state).filter(([key]) => !known.has(key)));
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function isQueue(value: unknown): value is { in: number; out: number } {
  if (typeof value !== "object" || value === null) return false;
  const { in: waiting, out } = value as { in?: unknown; out?: unknown };
  return typeof waiting === "number" && typeof out === "number";
}
