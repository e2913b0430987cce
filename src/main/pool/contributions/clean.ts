import type { CommandInfo, ScreenOffers, ToolInfo } from "../../../contract/index.ts";
import { cleanSchema } from "../../../contract/shown/clean-schema.ts";
import { cleanDeep, cleanLine, cleanText } from "../../../contract/shown/clean-text.ts";
import { ownTools } from "../../../contract/shown/look-alikes.ts";
import type { InstanceContributions, PromptInfo } from "../../runtimes/runtime.ts";

/** Most characters of one description. */
const LONGEST = 16 * 1024;
const LONGEST_LABEL = 200;
const LONGEST_NOTE = 1_000;

type Item<K extends "toolsets" | "skills"> = InstanceContributions[K][number];

/**
 * The tool with its texts cleaned, those of its schema too, and the right owner; the same object when nothing changed.
 */
export function cleanTool(tool: ToolInfo, owner: string): ToolInfo {
  const { label: _label, ...rest } = tool;
  const title = cleanLine(tool.title);
  const label = tool.label === undefined ? undefined : labelOf(tool.label);
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
    : { ...rest, title, ...(label !== undefined && { label }), description, parameters, owner };
}

/** The label of a tool; none when it could be taken for one of Patchbay's own tools. */
function labelOf(label: string): string | undefined {
  const clean = cleanLine(label.slice(0, LONGEST_LABEL));
  return ownTools.find(clean) ? undefined : clean;
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

/** What the plugin offers to the screens, with its texts cleaned. */
export function cleanOffers({
  shortcuts,
  keyBindings,
  renderers,
  providers,
  server,
}: ScreenOffers): ScreenOffers {
  return cleanDeep(
    {
      ...(shortcuts && { shortcuts }),
      ...(keyBindings && { keyBindings }),
      ...(renderers && { renderers }),
      ...(providers && { providers }),
      ...(server && { server }),
    },
    cleanLine,
  );
}

export function cleanNote(sentence: string): string {
  return cleanLine(sentence.slice(0, LONGEST_NOTE));
}

export function cleanPrompt(prompt: PromptInfo): PromptInfo {
  return cleanDeep(prompt, (text) => described(text));
}

function described(text: string): string {
  return cleanText(text.length > LONGEST ? text.slice(0, LONGEST) : text);
}
