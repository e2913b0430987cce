import type { ManifestProblems } from "../../manifest-problems.ts";
import { type CommandArgument, readArguments } from "./arguments.ts";
import { isTable, readText, type Table, words } from "./values.ts";

export interface FledgeCommand {
  name: string;
  /** Path of its program inside the plugin's folder. */
  binary: string;
  description: string;
  /** Null when none are declared: the command then takes one text, which is split into words. */
  args: CommandArgument[] | null;
  danger: "safe" | "dangerous" | "unknown";
}

/** Reads `[[commands]]`. A plugin without any command is a problem, because an agent could do nothing with it. */
export function readCommands(root: Table, plugin: Table, problems: ManifestProblems): FledgeCommand[] {
  const { commands } = root;
  if (Array.isArray(commands)) {
    const read = commands.flatMap((entry: unknown, index) =>
      readCommand(entry, `commands[${index}]`, problems),
    );
    if (commands.length === 0) noCommands(plugin, problems);
    refuseRepeats(read, problems);
    return read;
  }
  if (commands !== undefined) {
    problems.add(
      "commands",
      `\`commands\` must be a list of \`[[commands]]\` tables, but it is ${words(commands)}. The plugin's author must correct it.`,
    );
  } else noCommands(plugin, problems);
  return [];
}

function noCommands(plugin: Table, problems: ManifestProblems): void {
  const misplaced = isTable(plugin.commands) || Array.isArray(plugin.commands);
  problems.add(
    "commands",
    misplaced
      ? "The plugin has no commands: they stand under `[plugin.commands]`, where fledge does not look. Its author must write each as a `[[commands]]` table."
      : "The plugin has no commands, so there is nothing an agent could use. Its author must add a `[[commands]]` table.",
  );
}

function readCommand(entry: unknown, field: string, problems: ManifestProblems): FledgeCommand[] {
  if (!isTable(entry)) {
    problems.add(
      field,
      `\`${field}\` must be a table, but it is ${words(entry)}. The plugin's author must correct it.`,
    );
    return [];
  }
  const name = readText(entry, "name", `${field}.name`, problems) ?? "";
  const binary = readText(entry, "binary", `${field}.binary`, problems) ?? "";
  const unfit = name === "" ? "is missing or empty" : misnamed(name);
  if (unfit)
    problems.add(`${field}.name`, `\`${field}.name\` ${unfit}. The plugin's author must correct it.`);
  const outside = binary === "" ? "is missing or empty" : misplaced(binary);
  if (outside)
    problems.add(`${field}.binary`, `\`${field}.binary\` ${outside}. The plugin's author must correct it.`);
  const { dangerous } = entry;
  if (dangerous !== undefined && typeof dangerous !== "boolean") {
    problems.add(
      `${field}.dangerous`,
      `\`${field}.dangerous\` must be true or false, but it is ${words(dangerous)}. The plugin's author must correct it.`,
    );
  }
  return [
    {
      name,
      binary,
      description: readText(entry, "description", `${field}.description`, problems) ?? "",
      args: readArguments(entry.args, `${field}.args`, problems),
      danger: dangerous === undefined ? "unknown" : dangerous ? "dangerous" : "safe",
    },
  ];
}

/**
 * What is wrong with a command's name, or null. A command gets a link named `fledge-<command>`, so its name must fit
 * into a file name.
 */
function misnamed(name: string): string | null {
  if (/[/\\\0]/.test(name)) return `is “${name}”, which holds a slash`;
  if (/^[.-]/.test(name)) return `is “${name}”, which begins with a dot or a dash`;
  if (Buffer.byteLength(name) > 200) return "is longer than 200 bytes";
  return null;
}

function misplaced(binary: string): string | null {
  if (binary.includes("\0")) return "holds a NUL";
  if (/^(?:[/\\]|[a-zA-Z]:)/.test(binary))
    return `is “${binary}”, but it must be a path inside the plugin's folder`;
  return binary.split(/[/\\]/).includes("..")
    ? `is “${binary}”, which leads out of the plugin's folder`
    : null;
}

function refuseRepeats(commands: readonly FledgeCommand[], problems: ManifestProblems): void {
  const seen = new Set<string>();
  for (const { name } of commands) {
    if (name !== "" && seen.has(name))
      problems.add(
        "commands",
        `The command “${name}” is declared twice. The plugin's author must remove one.`,
      );
    seen.add(name);
  }
}
