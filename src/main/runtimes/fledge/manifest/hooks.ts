import type { ManifestProblems } from "../../manifest-problems.ts";
import { isTable, readText, type Table, words } from "./values.ts";

export const hookNames = [
  "build",
  "post_install",
  "post_remove",
  "pre_init",
  "post_work_start",
  "pre_push",
] as const;
export type HookName = (typeof hookNames)[number];
export type Hooks = Partial<Record<HookName, string>>;

/**
 * Reads the hooks: a table `[hooks]` of names and commands, or a list of tables `[[hooks]]`, each with such names, or
 * with a `name` (or `event`) and a `command` (or `run`).
 */
export function readHooks(root: Table, problems: ManifestProblems): Hooks {
  const { hooks } = root;
  if (hooks === undefined) return {};
  if (isTable(hooks)) return hooksIn(hooks, "hooks", problems);
  if (!Array.isArray(hooks)) {
    const message = `\`hooks\` must be a table or a list of tables, but it is ${words(hooks)}. The plugin's author must correct it.`;
    problems.add("hooks", message);
    return {};
  }
  const all: Hooks = {};
  hooks.forEach((entry: unknown, at) => {
    const field = `hooks[${at}]`;
    if (!isTable(entry)) {
      problems.add(
        field,
        `\`${field}\` must be a table, but it is ${words(entry)}. The plugin's author must correct it.`,
      );
      return;
    }
    for (const [name, command] of Object.entries(hooksIn(named(entry), field, problems))) {
      if (name in all)
        problems.add("hooks", `The hook \`${name}\` is declared twice. The plugin's author must remove one.`);
      all[name as HookName] = command;
    }
  });
  return all;
}

/** `{ name = "build", command = "make" }` as `{ build = "make" }`. */
function named(entry: Table): Table {
  const name = entry.name ?? entry.event;
  return typeof name === "string" ? { [name]: entry.command ?? entry.run } : entry;
}

function hooksIn(table: Table, field: string, problems: ManifestProblems): Hooks {
  const hooks: Hooks = {};
  for (const name of hookNames) {
    const text = readText(table, name, `${field}.${name}`, problems);
    if (text === undefined) continue;
    if (text.trim() === "") problems.warn(`The hook \`${name}\` is empty and left out.`);
    else hooks[name] = text.trim();
  }
  for (const name of Object.keys(table)) {
    if (!hookNames.some((known) => known === name))
      problems.warn(`The hook \`${name.slice(0, 80)}\` is not known and never runs.`);
  }
  return hooks;
}
