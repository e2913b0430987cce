import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { nearNames } from "../../../../contract/shown/near-names.ts";

/** The command that a text calls, whatever its case; undefined when there is none of that name. */
export function commandIn(text: string, commands: readonly CommandInfo[]): CommandInfo | undefined {
  const name = nameIn(text)?.toLowerCase();
  return (
    commands.find((one) => one.name === nameIn(text)) ??
    commands.find((one) => one.name.toLowerCase() === name)
  );
}

/** What stands after a slash at the beginning; null for a text that is no command. */
export function nameIn(text: string): string | null {
  return /^\/(\S*)/.exec(text)?.[1] ?? null;
}

/** The command whose name is nearly what was typed; undefined when none is near. */
export function nearestCommand(text: string, commands: readonly CommandInfo[]): CommandInfo | undefined {
  const named = commands.map((command) => ({ displayName: command.name, packageName: "", command }));
  return nearNames(nameIn(text) ?? "", named, 1)[0]?.command;
}

/** The part of a command's hint for its arguments that is not typed yet; empty while the name is being typed. */
export function hintAfter(text: string, hint: string | undefined): string {
  const typed = /^\/\S+(\s.*)$/s.exec(text)?.[1];
  if (typed === undefined || hint === undefined) return "";
  const begun = typed.split(/\s+/).filter(Boolean).length;
  const rest = partsOf(hint).slice(begun).join(" ");
  if (rest === "") return "";
  return /\s$/.test(typed) ? rest : ` ${rest}`;
}

/** A hint in its arguments: what stands in brackets is one, whatever spaces it has. */
function partsOf(hint: string): string[] {
  return hint.match(/\[[^\]]*\](?:\S*)|<[^>]*>(?:\S*)|\S+/g) ?? [];
}
