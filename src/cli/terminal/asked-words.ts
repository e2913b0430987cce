import type { Asks } from "../../contract/index.ts";

/** What a plugin names of itself before anything of it runs: its commands, and the programs of its hooks. */
export function askedRows({ commands = [], hooks = [] }: Asks): [label: string, value: string][] {
  return [
    ...commands.map(({ name, description, dangerous }): [string, string] => [
      "Command",
      `${name}${dangerous ? " (dangerous)" : ""}${description === "" ? "" : `  ${description}`}`,
    ]),
    ...hooks.map(({ name, command, runs }): [string, string] => [
      "Hook",
      `${name}: ${command}${runs ? "" : " (never runs here)"}`,
    ]),
  ];
}
