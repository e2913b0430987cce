import type { Command } from "commander";
import type { Action, CliContext, ConnectOptions } from "./context.ts";

/** Runs what a command does, shows its failure, and remembers the exit code. */
export type Perform = (action: (context: CliContext) => Promise<number | undefined>) => Promise<void>;

/** The option of every command during which plugins may ask. */
export const waitOption = [
  "--wait",
  "let plugins' questions wait in the running Patchbay, when nobody can be asked here (default: they get their defaults, or fail)",
] as const;

/** A command that talks to the core and closes the connection however it ends. */
export function withClient(
  action: Action,
  options?: ConnectOptions,
): (context: CliContext) => Promise<number | undefined> {
  return async (context) => {
    const connection = await context.connect(options);
    try {
      return await action(context, connection.client, connection);
    } finally {
      await connection.close();
    }
  };
}

/** Bad usage that commander cannot see: a value that makes no sense. @throws CommanderError with exit code 2 */
export function usageError(command: Command, message: string): never {
  return command.error(`error: ${message}`, { exitCode: 2, code: "patchbay.usage" });
}
