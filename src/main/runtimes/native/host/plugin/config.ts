import { isObject } from "../../../../../contract/is-object.ts";
import { HostError } from "../../../hosted/node/host-error.ts";
import { refusalOfSettings } from "./config-refusal.ts";
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
 * @throws HostError CONFIG_REFUSED with the plugin's own message; START_FAILED when its code has a mistake
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
    throw refusalOfSettings(error, plugin.dir);
  }
}

function isFlat(whole: Record<string, unknown>): boolean {
  const keys = Object.keys(whole);
  return keys.length > 0 && !SECTIONS.some((section) => section in whole);
}
