import type { RuntimeState } from "../../contract/agent-plugin.ts";
import type { Say } from "../../contract/shown/plugin-words.ts";
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

/**
 * The reported values as labels and text, in the order in which the plugin reported them. Labels are made from the keys
 * and said with the plugin's words.
 */
export function runtimeValues(state: RuntimeState, now: number, say: Say): RuntimeValue[] {
  return Object.entries(state).map(([key, value]) => ({
    key,
    label: connectionLabel(state, key) ?? say(labelOf(key)),
    text: connectionValue(state, key) ?? textOf(value, now, say),
    number: typeof value === "number" ? value : null,
  }));
}

/** One line of live detail for a card: how a channel is connected, else the plugin's own sentence, then up to three short values. */
export function liveLine(state: RuntimeState | null, now: number, say: Say): string | null {
  if (!state) return null;
  const connection = connectionLine(state, now);
  if (connection) return connection;
  const parts: string[] = [];
  for (const key of sentences) if (typeof state[key] === "string" && state[key]) parts.push(state[key]);
  for (const [key, value] of Object.entries(state)) {
    if (parts.length >= 3) break;
    if (sentences.includes(key) || value === null || typeof value === "object") continue;
    parts.push(shortText(key, value, now, say));
  }
  return parts.length > 0 ? parts.join(" · ") : null;
}

function shortText(key: string, value: unknown, now: number, say: Say): string {
  const label = labelInLine(key, say);
  if (typeof value === "boolean") return value ? label : i18n.t("activity.not", { label });
  return `${label} ${textOf(value, now, say)}`;
}

/** A label within a line; German nouns keep their capital. */
function labelInLine(key: string, say: Say): string {
  const label = say(labelOf(key));
  return i18n.language === "de" ? label : label.toLowerCase();
}

function textOf(value: unknown, now: number, say: Say): string {
  if (typeof value === "string") return isoDate.test(value) ? formatAgo(value, now) : value;
  if (typeof value === "number") return formatCount(value);
  if (typeof value === "boolean") return i18n.t(value ? "changes.yes" : "changes.no");
  if (value === null || value === undefined) return "–";
  if (typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  const simple = Object.values(value).every((part) => typeof part !== "object" || part === null);
  if (!simple) return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => `${labelInLine(key, say)} ${textOf(part, now, say)}`)
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
