import type { CommandInfo, HookInfo, ToolInfo } from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import {
  cleanCommand,
  cleanNote,
  cleanOffers,
  cleanPrompt,
  cleanSkill,
  cleanTool,
  cleanToolset,
} from "./clean.ts";
import { unaskedVetoes } from "./missing-hooks.ts";
import { type Accused, Objections, type Refused } from "./objections.ts";
import { commandObjection, hookObjection, isHidden, most, promptObjection, toolObjection } from "./shapes.ts";
import { realFile, skillObjection } from "./skill-path.ts";

export interface Judged {
  contributions: InstanceContributions;
  /** What was left out, each with the reason. */
  refused: Refused[];
}

/** A hook that asks for more time than this, in milliseconds, gets this. */
const LONGEST_HOOK_MS = 60_000;

/**
 * Holds what an instance says it offers against what its package declared when the person agreed to it. The plugin
 * shares its process with our code there and can say anything; only what passes here exists for the rest of the app.
 *
 * Left out are: whatever belongs to a capability that was not declared (tools outside of its namespace, hooks on other
 * events, other commands and skills, a channel), names of another shape or reserved ones, names that occur twice,
 * schemas that are broken, too large or too deep, and skills outside of its folder. Texts are cleaned, the owner is set by us,
 * and the id of each hook gets the generation as a prefix, so that a late call cannot reach another handler after a
 * restart.
 *
 * @param before what the same run offered until now: a tool that was said to change something is not believed when it
 * says later that it only reads
 */
export function judgeContributions(
  said: InstanceContributions,
  plugin: Accused,
  generation: number,
  before?: InstanceContributions,
): Judged {
  const objections = new Objections();
  const { capabilities, manifestKey: owner } = plugin;
  const tools = objections.keep("tool", said.tools.slice(0, most.tools + 1), nameOf, (tool, at) =>
    at < most.tools ? toolObjection(tool, plugin) : { why: `at most ${most.tools} are taken`, wall: true },
  );
  const hooks = objections.keep(
    "hook on",
    said.hooks,
    ({ event }) => event,
    (hook) => hookObjection(hook, plugin),
    hookId,
  );
  const commands = objections.keep("command", said.commands, nameOf, (command) =>
    commandObjection(command, plugin),
  );
  for (const { name } of commands) if (isHidden(name)) objections.note(`command ${name}`, hidden(name));
  const skills = objections.keep("skill", said.skills, nameOf, (skill) => skillObjection(skill, plugin));
  const prompts = objections.keep("prompt", said.prompts, nameOf, promptObjection);
  const toolsets = capabilities.tools ? said.toolsets.slice(0, most.toolsets) : [];
  if (said.toolsets.length > 0 && !capabilities.tools)
    objections.add("toolset", said.toolsets[0]?.id ?? "", undeclared);
  const channel = said.channel && capabilities.channel ? said.channel : null;
  if (said.channel && !channel) objections.add("channel", said.channel.name, undeclared);
  for (const event of unaskedVetoes(capabilities.hooks?.events ?? [], hooks))
    objections.note(`hook on ${event}`, unasked(event, plugin));
  const { refused } = objections;
  const writes = new Set(before?.tools.flatMap(({ name, readOnly }) => (readOnly ? [] : [name])));
  return {
    contributions: {
      tools: tools.map((tool): ToolInfo => cleanTool(writes.has(tool.name) ? writing(tool) : tool, owner)),
      toolsets: toolsets.map(cleanToolset),
      hooks: hooks.map(
        (hook): HookInfo => ({ ...hook, ...withinReason(hook), id: `${generation}:${hook.id}` }),
      ),
      commands: commands.map((command): CommandInfo => cleanCommand(command, owner)),
      skills: skills.map((skill) => ({ ...cleanSkill(skill), ...realFile(skill, plugin) })),
      prompts: prompts.map(cleanPrompt),
      ...(said.resources && { resources: true as const }),
      ...(said.resourceChanges && { resourceChanges: said.resourceChanges }),
      channel: channel && { ...channel, name: cleanLine(channel.name) },
      ...cleanOffers(said),
      ...(said.insights && { insights: [...said.insights] }),
      ...(said.notes?.length && { notes: said.notes.slice(0, most.notes).map(cleanNote) }),
      ...(refused.length > 0 && { leftOut: refused.map(({ sentence }) => sentence) }),
    },
    refused,
  };
}

const undeclared = { why: "the package does not declare it", wall: true };

function hidden(name: string): string {
  return `The command /${name} cannot be reached: Patchbay has a command of that name.`;
}

function unasked(event: string, { declaration }: Accused): string {
  const why = "the package declares it, but has not subscribed to it";
  return declaration?.requiredHooks.includes(event)
    ? `The hook on ${event} is required and nothing answers it, so what it would check is refused: ${why}.`
    : `The hook on ${event} forbids nothing: ${why}.`;
}

function writing(tool: ToolInfo): ToolInfo {
  return tool.readOnly ? { ...tool, readOnly: false } : tool;
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function hookId({ id }: HookInfo): string {
  return id;
}

function withinReason({ timeoutMs }: HookInfo): Pick<HookInfo, "timeoutMs"> {
  return { timeoutMs: Math.min(LONGEST_HOOK_MS, Math.max(1, timeoutMs)) };
}
