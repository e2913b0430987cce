import {
  type HeldThing,
  type Plugin,
  type SaidKind,
  type SaidThing,
  switchedTools,
  type ToolInfo,
  type ToolSwitches,
  type Withheld,
} from "../../../contract/index.ts";
import { idOf, type SaidNow } from "../../registry/pins/fingerprint.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { PoolOptions } from "../ports.ts";

/** What decides about what is offered of what a plugin has. */
export interface Withholding {
  /** What it says now, as it was taken down; undefined: its words are those of its files. */
  said: SaidNow | undefined;
  pins: PoolOptions["pins"];
  plugin: Plugin;
  switches: ToolSwitches | undefined;
}

/**
 * The same contributions with what is not offered marked or left out: tools are marked, so that screens can show them;
 * instructions and prompts that nobody has agreed to are left out. The very same object where everything is offered.
 */
export function withheldOf(
  contributions: InstanceContributions,
  { said, pins, plugin, switches }: Withholding,
): InstanceContributions {
  const held = said && pins?.heldOf(plugin, said);
  const heldAs = (kind: SaidKind, name: string) => held?.get(idOf({ kind, name }));
  const states = switchedTools(
    contributions.tools.filter(({ name }) => !heldAs("tool", name)),
    switches,
  );
  const tools = contributions.tools.map((tool): ToolInfo => {
    const withheld = wordFor(heldAs("tool", tool.name), states.get(tool.name));
    const suspicious = (said && pins?.suspicionsOf(plugin, idOf({ kind: "tool", name: tool.name }))) || [];
    if (withheld === undefined && suspicious.length === 0) return tool;
    return {
      ...tool,
      ...(withheld && { withheld }),
      ...(suspicious.length > 0 && { suspicious: [...suspicious] }),
    };
  });
  const toolsets = contributions.toolsets.filter(({ id }) => !heldAs("instructions", id));
  const isHeld = ({ name }: { name: string }) => heldAs("prompt", name) !== undefined;
  const prompts = contributions.prompts.filter((prompt) => !isHeld(prompt));
  const heldPrompts = contributions.prompts.filter(isHeld);
  const isWhole =
    tools.every((tool, at) => tool === contributions.tools[at]) &&
    toolsets.length === contributions.toolsets.length &&
    heldPrompts.length === 0;
  return isWhole ? contributions : { ...contributions, tools, toolsets, prompts, heldPrompts };
}

function wordFor(
  held: HeldThing["change"] | undefined,
  isOn: boolean | null | undefined,
): Withheld | undefined {
  if (held) return held === "added" ? "new" : "held";
  if (isOn === null) return "beyond";
  return isOn === false ? "off" : undefined;
}

/** Of what is said the part about what was taken. */
export function saidOfTaken(
  said: readonly SaidThing[],
  { tools, prompts }: Pick<InstanceContributions, "tools" | "prompts">,
): SaidThing[] {
  const taken = new Set([
    ...tools.map(({ name }) => `tool ${name}`),
    ...prompts.map(({ name }) => `prompt ${name}`),
  ]);
  return said.filter(({ kind, name }) => kind === "instructions" || taken.has(`${kind} ${name}`));
}
