import type { CommandInfo, ToolInfo } from "../../../contract/index.ts";
import { cleanSchema } from "../../../contract/shown/clean-schema.ts";
import { cleanDeep, cleanLine, cleanText } from "../../../contract/shown/clean-text.ts";
import type { InstanceContributions, PromptInfo } from "../../runtimes/runtime.ts";

/** Most characters of one description. */
const LONGEST = 16 * 1024;

type Item<K extends "toolsets" | "skills"> = InstanceContributions[K][number];

/**
 * The tool with its texts cleaned, those of its schema too, and the right owner; the same object when nothing changed.
 */
export function cleanTool(tool: ToolInfo, owner: string): ToolInfo {
  const title = cleanLine(tool.title);
  const label = tool.label === undefined ? undefined : cleanLine(tool.label);
  const description = described(tool.description);
  const parameters = cleanSchema(tool.parameters);
  const same =
    tool.owner === owner &&
    title === tool.title &&
    label === tool.label &&
    description === tool.description &&
    parameters === tool.parameters;
  return same
    ? tool
    : { ...tool, title, ...(label !== undefined && { label }), description, parameters, owner };
}

export function cleanCommand({ name, description, argsHint }: CommandInfo, owner: string): CommandInfo {
  const hint = argsHint === undefined ? {} : { argsHint: cleanLine(argsHint) };
  return { name, description: cleanLine(description.slice(0, LONGEST)), ...hint, owner };
}

export function cleanToolset({ id, description }: Item<"toolsets">): Item<"toolsets"> {
  return { id: cleanLine(id), description: described(description) };
}

export function cleanSkill({ name, description, path }: Item<"skills">): Item<"skills"> {
  return { name: cleanLine(name), description: cleanLine(description.slice(0, LONGEST)), path };
}

export function cleanPrompt(prompt: PromptInfo): PromptInfo {
  return cleanDeep(prompt, (text) => described(text));
}

function described(text: string): string {
  return cleanText(text.length > LONGEST ? text.slice(0, LONGEST) : text);
}
