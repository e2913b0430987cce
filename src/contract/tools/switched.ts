import { mostOffered } from "./most-offered.ts";
import type { ToolSwitches } from "./switches.ts";
import type { ToolInfo } from "./tool-info.ts";

/**
 * Whether each tool is on for an agent. Where nothing was switched, the first {@link mostOffered} of the plugin's own are.
 *
 * @param tools in the order in which the plugin lists them
 * @returns at most {@link mostOffered} are `true`; null: it would be on, but is one too many
 */
export function switchedTools(
  tools: readonly Pick<ToolInfo, "name" | "reading">[],
  switches: ToolSwitches | undefined,
): Map<string, boolean | null> {
  const states = new Map<string, boolean | null>();
  let on = 0;
  for (const { name, reading } of tools) {
    const own = switches && Object.hasOwn(switches.tools, name) ? switches.tools[name] : undefined;
    const wanted = own ?? (reading === undefined && (switches?.others ?? true));
    if (wanted && on < mostOffered) on += 1;
    else if (wanted) states.set(name, null);
    if (!states.has(name)) states.set(name, wanted);
  }
  return states;
}
