import type { AgentPluginRow, Declaration } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import { hostsIn } from "./settings-hosts.ts";

type Row = Pick<AgentPluginRow, "config" | "ownHosts"> | undefined;

/**
 * The hosts in new settings that are there by the plugin's own doing: its setup or its defaults brought them, and the
 * person neither typed nor had them before. Saving a form that shows them is no typing. Undefined when there are none,
 * and were none before.
 *
 * @param typed what the person typed; absent: the whole form, in which the plugin's own defaults stood already
 */
export function ownHostsIn(
  config: Record<string, unknown>,
  row: Row,
  declaration: Pick<Declaration, "configSchema" | "defaultConfig">,
  typed?: readonly unknown[],
): string[] | undefined {
  const before = new Set(hostsIn(row?.config).filter((host) => !row?.ownHosts?.includes(host)));
  const offered = new Set([...(row?.ownHosts ?? []), ...hostsIn(defaultsIn(declaration))]);
  const written = new Set(typed ? hostsIn(typed) : hostsIn(config).filter((host) => !offered.has(host)));
  const own = hostsIn(config).filter((host) => !before.has(host) && !written.has(host));
  return own.length > 0 || row?.ownHosts ? own : undefined;
}

/** The hosts in a form that did not stand there before anybody typed. */
export function typedHosts(
  config: Record<string, unknown>,
  declaration: Pick<Declaration, "configSchema" | "defaultConfig">,
): string[] {
  const offered = new Set(hostsIn(defaultsIn(declaration)));
  return hostsIn(config).filter((host) => !offered.has(host));
}

/** All values that a schema or default settings put into a form before anybody types. */
function defaultsIn({
  configSchema,
  defaultConfig,
}: Pick<Declaration, "configSchema" | "defaultConfig">): unknown[] {
  const found: unknown[] = [defaultConfig];
  const pending: unknown[] = [configSchema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) pending.push(...next);
    if (!isObject(next)) continue;
    for (const [name, value] of Object.entries(next)) {
      if (name === "default" || name === "const") found.push(value);
      if (value !== undefined && value !== null) pending.push(value);
    }
  }
  return found;
}
