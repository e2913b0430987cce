import type { RuntimeState } from "../../contract/agent-plugin.ts";
import { i18n } from "../base/i18n/index.ts";
import { formatAgo, formatCount } from "../base/i18n/time.ts";
import { connectionLabel, connectionLine, connectionValue } from "./connection.ts";

/** Keys under which plugins report a sentence about their state. */
const sentences = ["summary", "status", "detail"];
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

export interface RuntimeValue {
  key: string;
  label: string;
  text: string;
  number: number | null;
}

/** The reported values as labels and text, in the order in which the plugin reported them. */
export function runtimeValues(state: RuntimeState, now: number): RuntimeValue[] {
  return Object.entries(state).map(([key, value]) => ({
    key,
    label: connectionLabel(state, key) ?? labelOf(key),
    text: connectionValue(state, key) ?? textOf(value, now),
    number: typeof value === "number" ? value : null,
  }));
}

/** One line of live detail for a card: how a channel is connected, else the plugin's own sentence, then up to three short values. */
export function liveLine(state: RuntimeState | null, now: number): string | null {
  if (!state) return null;
  const connection = connectionLine(state, now);
  if (connection) return connection;
  const parts: string[] = [];
  for (const key of sentences) if (typeof state[key] === "string" && state[key]) parts.push(state[key]);
  for (const [key, value] of Object.entries(state)) {
    if (parts.length >= 3) break;
    if (sentences.includes(key) || value === null || typeof value === "object") continue;
    parts.push(shortText(key, value, now));
  }
  return parts.length > 0 ? parts.join(" · ") : null;
}

function shortText(key: string, value: unknown, now: number): string {
  const label = labelOf(key).toLowerCase();
  if (typeof value === "boolean") return value ? label : `not ${label}`;
  return `${label} ${textOf(value, now)}`;
}

function textOf(value: unknown, now: number): string {
  if (typeof value === "string") return isoDate.test(value) ? formatAgo(value, now) : value;
  if (typeof value === "number") return formatCount(value);
  if (typeof value === "boolean") return i18n.t(value ? "changes.yes" : "changes.no");
  if (value === null || value === undefined) return "–";
  if (typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  const simple = Object.values(value).every((part) => typeof part !== "object" || part === null);
  if (!simple) return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => `${labelOf(key).toLowerCase()} ${textOf(part, now)}`)
    .join(" · ");
}

/** `lastMessageAt` → "Last message"; `hosts_allowed` → "Hosts allowed". */
export function labelOf(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .replace(/ (at|ms)$/i, (unit) => (unit.trim().toLowerCase() === "ms" ? " (ms)" : ""))
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
