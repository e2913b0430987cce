import type { RuntimeState } from "../../contract/agent-plugin.ts";
import { i18n } from "../base/i18n/index.ts";
import { formatAgo, formatCount } from "../base/i18n/time.ts";

/** What a channel reports of its connection. Other plugins may report anything. */
export interface Connection {
  status: string | null;
  account: string | null;
  connectedSince: string | null;
  lastIn: string | null;
  lastOut: string | null;
  reconnects: number | null;
  queue: { in: number; out: number } | null;
}

const keys = [
  "status",
  "reason",
  "account",
  "connectedSince",
  "degradedSince",
  "lastIn",
  "lastOut",
  "reconnects",
  "queue",
  "received",
  "sent",
] as const;
type ConnectionKey = (typeof keys)[number];
const known: ReadonlySet<string> = new Set(keys);

/** Words for how a connection is, as the channels of the SDK report it. */
const statuses = ["connecting", "connected", "degraded", "needs-login", "stopped"] as const;
type Status = (typeof statuses)[number];
const isStatus = (word: unknown): word is Status => statuses.some((status) => status === word);

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

/**
 * One line for a card, in the chosen language: as whom it is connected and when it was last used. Null where a plugin
 * does not report its connection as the channels of the SDK do.
 */
export function connectionLine(state: RuntimeState, now: number): string | null {
  const { status, account, lastIn } = state;
  if (!isStatus(status)) return null;
  const named = typeof account === "string" && account !== "";
  if (status !== "connected" || !named)
    return "connectedSince" in state ? i18n.t(`channel.line.${status}`) : null;
  const as = i18n.t("channel.line.connectedAs", { account });
  const isUsed = typeof lastIn === "string" && !Number.isNaN(Date.parse(lastIn));
  return isUsed ? `${as} · ${i18n.t("channel.line.used", { ago: formatAgo(lastIn, now) })}` : as;
}

/** Whether a plugin reports its connection as the channels of the SDK do. */
export function reportsConnection(state: RuntimeState | null): boolean {
  return isStatus(state?.status) && "connectedSince" in (state ?? {});
}

/** A state in the chosen language; a word that is the plugin's own stays as it is. */
export function statusText(status: string): string {
  return isStatus(status) ? i18n.t(`channel.state.${status}`) : status;
}

export function queueText(queue: { in: number; out: number }): string {
  return i18n.t("channel.queueValue", { in: formatCount(queue.in), out: formatCount(queue.out) });
}

/** The label for a key of the connection, in the chosen language; null for keys that are the plugin's own. */
export function connectionLabel(state: RuntimeState, key: string): string | null {
  if (!isConnectionKey(key) || !isStatus(state.status)) return null;
  return i18n.t(`channel.${key}`);
}

/** The value under a key of the connection as text; null where it is shown as any other value. */
export function connectionValue(state: RuntimeState, key: string): string | null {
  const value = state[key];
  if (!isStatus(state.status)) return null;
  if (key === "status") return statusText(state.status);
  return key === "queue" && isQueue(value) ? queueText(value) : null;
}

const isConnectionKey = (key: string): key is ConnectionKey => known.has(key);

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function isQueue(value: unknown): value is { in: number; out: number } {
  if (typeof value !== "object" || value === null) return false;
  const { in: waiting, out } = value as { in?: unknown; out?: unknown };
  return typeof waiting === "number" && typeof out === "number";
}
