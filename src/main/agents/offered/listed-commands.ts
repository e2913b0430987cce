import type { CommandInfo } from "../../../contract/index.ts";
import { builtinCommands, builtinsIn, english, GERMAN_HELP } from "../chat-words.ts";
import type { LiveContributions } from "../ports.ts";
import { promptCommands } from "./prompt-commands.ts";

/**
 * Every command that can be run. Of two plugins with the same name the earlier key keeps it; the other one is in the list too,
 * with a description that says so. Prompts stand behind them, under names that nothing else has.
 */
export function listedCommands({
  commands,
  prompts,
}: Pick<LiveContributions, "commands" | "prompts">): CommandInfo[] {
  const ours = [...builtinCommands, GERMAN_HELP];
  const taken = new Map<string, string>(ours.map((name) => [name, "a built-in command"]));
  const ofPlugins = commands.toSorted(order).map((command) => {
    const keeper = taken.get(command.name);
    if (keeper === undefined) {
      taken.set(command.name, `the plugin ${command.owner}`);
      return command;
    }
    return { ...command, description: `${command.description} (shadowed by ${keeper})` };
  });
  return [...builtinsIn(english), ...ofPlugins, ...promptCommands(prompts, new Set(taken.keys()))];
}

/** The commands that held prompts would have. */
export function heldCommands(
  live: Pick<LiveContributions, "commands" | "prompts" | "heldPrompts">,
): CommandInfo[] {
  return promptCommands(live.heldPrompts, new Set(listedCommands(live).map(({ name }) => name)));
}

function order(left: CommandInfo, right: CommandInfo): number {
  return (left.owner ?? "") < (right.owner ?? "") ? -1 : left.owner === right.owner ? 0 : 1;
}
