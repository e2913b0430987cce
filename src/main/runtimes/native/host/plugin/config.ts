import { isObject } from "../../../../../contract/is-object.ts";
import { HostError, messageOf } from "../host-error.ts";
import type { LoadedPlugin } from "./manifest.ts";

export type Section = "tools" | "hooks" | "channel";
const SECTIONS: readonly Section[] = ["tools", "hooks", "channel"];

/** Settings after `parseConfig`: what each capability's `start` gets, and the whole for commands. */
export interface ParsedConfig {
  whole: unknown;
  of(section: Section): unknown;
}

/**
 * Runs the plugin's `parseConfig`: whole wrapper in, whole wrapper out. A plugin with one capability may speak of that
 * capability's object alone, in its schema (`flatConfig`) or only in what it returns.
 *
 * @throws HostError CONFIG_REFUSED with the plugin's own message
 */
export async function parseConfig(
  plugin: LoadedPlugin,
  config: Record<string, unknown>,
  flatConfig: boolean,
): Promise<ParsedConfig> {
  const whole = await refuseOnThrow(plugin, config);
  const declared = SECTIONS.filter((section) => plugin[section] !== undefined);
  const flat = flatConfig || (declared.length === 1 && isObject(whole) && isFlat(whole));
  return {
    whole,
    of: (section) => (flat && declared.length <= 1 ? whole : ((isObject(whole) && whole[section]) ?? {})),
  };
}

async function refuseOnThrow(plugin: LoadedPlugin, config: Record<string, unknown>): Promise<unknown> {
  if (!plugin.parseConfig) return config;
  try {
    return await plugin.parseConfig(config);
  } catch (error) {
    const fields = fieldsOf(error);
    throw new HostError(
      "CONFIG_REFUSED",
      `The plugin refused its settings: ${reasonOf(error)}`,
      fields.length > 0 ? { fields } : undefined,
    );
  }
}

/** A schema library's error lists its issues; its message is often a page of JSON. */
function reasonOf(error: unknown): string {
  const fields = fieldsOf(error);
  if (fields.length === 0) return messageOf(error);
  return fields.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
}

/** What is wrong with which field, for a form to show it there. Paths are written with dots. */
function fieldsOf(error: unknown): { path: string; message: string }[] {
  if (!isObject(error) || !Array.isArray(error.issues)) return [];
  return error.issues.slice(0, 10).map((issue: unknown) => {
    if (!isObject(issue)) return { path: "", message: String(issue) };
    const path = Array.isArray(issue.path) ? issue.path.map(String).join(".") : "";
    return { path, message: String(issue.message) };
  });
}

function isFlat(whole: Record<string, unknown>): boolean {
  const keys = Object.keys(whole);
  return keys.length > 0 && !SECTIONS.some((section) => section in whole);
}
