import type { AgentPluginRow } from "../agent-plugin.ts";
import { isObject } from "../is-object.ts";
import type { Plugin } from "../plugin.ts";
import { cleanLine } from "./clean-text.ts";

/** A setting without which a plugin can do nothing yet. */
export interface Lack {
  /** Where the setting lies. */
  path: string[];
  /** What the plugin says of it: a line of at most 120 characters. */
  text: string;
  /** Its name on the form. */
  title: string;
  /** It is a list of texts, so that one can be added without the whole form. */
  isList: boolean;
}

/** Deeper settings are not looked at. */
const deepest = 4;

/**
 * The first setting of a plugin that is empty although its schema says that nothing works without it (`whenEmpty` beside the property); null
 * when there is none.
 */
export function lackOf(
  plugin: { declaration: Pick<Plugin["declaration"], "configSchema"> },
  row: Pick<AgentPluginRow, "config"> | null,
): Lack | null {
  return lackIn(plugin.declaration.configSchema, row?.config, []);
}

/**
 * How many entries a list of the settings has, in the plugin's words (`count: {one, other}` beside the property, with `{count}` for the
 * number): "3 hosts allowed". The first such list that is not empty; null when there is none.
 */
export function countOf(
  plugin: { declaration: Pick<Plugin["declaration"], "configSchema"> },
  row: Pick<AgentPluginRow, "config"> | null,
): string | null {
  return countIn(plugin.declaration.configSchema, row?.config, 0);
}

function countIn(schema: unknown, value: unknown, depth: number): string | null {
  if (!isObject(schema) || depth > deepest) return null;
  const hints = schema["x-patchbay"];
  const list = value ?? schema.default;
  if (isObject(hints) && isObject(hints.count) && Array.isArray(list) && list.length > 0) {
    const text = list.length === 1 ? hints.count.one : hints.count.other;
    if (typeof text === "string") return cleanLine(text).slice(0, 60).replace("{count}", String(list.length));
  }
  if (!isObject(schema.properties)) return null;
  for (const [name, property] of Object.entries(schema.properties)) {
    const count = countIn(property, isObject(value) ? value[name] : undefined, depth + 1);
    if (count) return count;
  }
  return null;
}

function lackIn(schema: unknown, value: unknown, path: string[]): Lack | null {
  if (!isObject(schema) || path.length > deepest) return null;
  const hints = schema["x-patchbay"];
  if (isObject(hints) && typeof hints.whenEmpty === "string" && isEmpty(value ?? schema.default)) {
    const title = typeof schema.title === "string" ? schema.title : (path.at(-1) ?? "");
    const items = isObject(schema.items) ? schema.items : {};
    return {
      path,
      text: cleanLine(hints.whenEmpty).slice(0, 120),
      title: cleanLine(title).slice(0, 80),
      isList: schema.type === "array" && items.type === "string",
    };
  }
  if (!isObject(schema.properties)) return null;
  for (const [name, property] of Object.entries(schema.properties)) {
    const inside = isObject(value) ? value[name] : undefined;
    const lack = lackIn(property, inside, [...path, name]);
    if (lack) return lack;
  }
  return null;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
