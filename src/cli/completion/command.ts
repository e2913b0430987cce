import { Argument, type Command } from "commander";
import type { Perform } from "../command.ts";
import { scripts, shells } from "./scripts.ts";

/** `patchbay completion <shell>`: the function that makes a shell complete Patchbay's commands, options and names. */
export function addCompletionCommand(program: Command, perform: Perform): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "your shell").choices(shells))
    .description("print what makes your shell complete commands, plugins, agents and tools")
    .action((shell: keyof typeof scripts) =>
      perform(async ({ output }) => {
        output.result({ shell, script: scripts[shell] }, () => scripts[shell].trimEnd());
        return 0;
      }),
    );
}
