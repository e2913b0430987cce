import type { CommandInfo } from "../../../contract/index.ts";
import type { LiveContributions } from "../ports.ts";

/** Most letters of a prompt in the name of its command. */
const LONGEST = 64;

/** The slash commands of prompts. Behind the plugin's key stands the prompt's name, as far as it can be typed in one word. */
export function promptCommands(
  prompts: LiveContributions["prompts"] = [],
  taken: ReadonlySet<string> = new Set(),
): CommandInfo[] {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  return prompts.map(({ owner, name, description, arguments: asked }) => {
    const typed = `${owner}:${typable(name)}`;
    let free = typed;
    for (let number = 2; used.has(free.toLowerCase()); number += 1) free = `${typed}-${number}`;
    used.add(free.toLowerCase());
    const hint = asked
      .slice(0, 8)
      .map((one) => (one.required ? `<${one.name}>` : `[${one.name}]`))
      .join(" ");
    return {
      name: free,
      description,
      ...(hint !== "" && { argsHint: hint }),
      owner,
      prompt: { name, arguments: asked },
    };
  });
}

function typable(name: string): string {
  const word = [...name.normalize("NFKC").replace(/[^\p{L}\p{N}_.-]+/gu, "-")].slice(0, LONGEST).join("");
  return word.replace(/^-+|-+$/g, "") || "prompt";
}
