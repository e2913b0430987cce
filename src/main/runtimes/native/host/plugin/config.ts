import { isObject } from "../../../../../contract/is-object.ts";
import { HostError, messageOf } from "../host-error.ts";
import type { LoadedPlugin } from "./manifest.ts";

export type Section = "tools" | "hooks" | "channel";
const SECTIONS: readonly Section[] = ["tools", "hooks", "channel"];

/** Settings after `parseConfig`: the part for the `start` of each capability, and the whole for commands. */
export interface ParsedConfig {
  whole: unknown;
  of(section: Section): unknown;
}

/**
 * Runs the plugin's `parseConfig` on the whole wrapper `{tools?, channel?, hooks?}`, which it should also return. A
 * plugin with a single capability may take the object of that capability instead (`flatConfig`), or only return it.
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
    if (error instanceof HostError) throw error;
    const fields = fieldsOf(error);
    throw new HostError(
      "CONFIG_REFUSED",
      `The plugin refused its settings: ${reasonOf(error)}`,
      fields.length > 0 ? { fields } : undefined,
    );
  }
}

/**
 * The reason in words. The error of a schema library lists issues, which are used here because its message is often a
 * page of JSON.
 */
function reasonOf(error: unknown): string {
  const fields = fieldsOf(error);
  if (fields.length === 0) return messageOf(error);
  return fields.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
}

/**
 * The field and the problem of each issue, so that a form can show it there. Paths are written with dots:
 * `hosts.0.port`.
 */
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
