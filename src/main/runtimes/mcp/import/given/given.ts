import { commandLine, isCommandLine } from "./command-line.ts";
import { addLink, isAddLink } from "./links.ts";
import { type Given, isPasted, pasted } from "./pasted.ts";

const MOST_CHARACTERS = 1024 * 1024;

/** Whether a text describes servers, instead of naming a package, a file, a folder or an address. */
export function isGiven(text: string): boolean {
  return isAddLink(text) || isPasted(text) || isCommandLine(text);
}

/** The servers that a person typed or pasted; nothing is run for that, no shell either. */
export function givenServers(text: string): Given {
  if (text.length > MOST_CHARACTERS)
    return { kind: "problem", problem: "It is longer than a million characters." };
  if (isAddLink(text)) return addLink(text);
  return isPasted(text) ? pasted(text) : commandLine(text);
}
