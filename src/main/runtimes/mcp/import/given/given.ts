import { isAddLink, isPasted } from "../../../../../contract/found/given-form.ts";
import { commandLine } from "./command-line.ts";
import { addLink } from "./links.ts";
import { type Given, pasted } from "./pasted.ts";

const MOST_CHARACTERS = 1024 * 1024;

/** The servers that a person typed or pasted; nothing is run for that, no shell either. */
export function givenServers(text: string): Given {
  if (text.length > MOST_CHARACTERS)
    return { kind: "problem", problem: "It is longer than a million characters." };
  if (isAddLink(text)) return addLink(text);
  return isPasted(text) ? pasted(text) : commandLine(text);
}
