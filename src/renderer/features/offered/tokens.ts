import type { ToolInfo } from "../../../contract/tools/tool-info.ts";

/** Characters of a token, about, in what models are sent. */
const charactersOfOne = 4;

/** About how many tokens the name, description and schema of a tool take in each call of the model. */
export function tokensOf({ name, description, parameters }: ToolInfo): number {
  const characters = name.length + description.length + JSON.stringify(parameters).length;
  return Math.ceil(characters / charactersOfOne);
}
