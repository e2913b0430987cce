import { useState } from "react";
import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { argumentsIn } from "../../../../contract/conversation/prompt-line.ts";
import { commandIn } from "./command-words.ts";

interface OpenForm {
  command: CommandInfo;
  /** What stands behind the command. */
  typed: string;
}

/** The form of a prompt that was chosen, or typed without what it needs. */
export function usePromptForm(commands: readonly CommandInfo[] | null) {
  const [open, setOpen] = useState<OpenForm | null>(null);
  return {
    open,
    close: () => setOpen(null),
    /** Opens the form of a prompt that was chosen, if it asks for anything; whether it did. */
    choose: (command: CommandInfo): boolean => {
      if (!command.prompt || command.prompt.arguments.length === 0) return false;
      setOpen({ command, typed: "" });
      return true;
    },
    /** Opens the form when a line calls a prompt and lacks something; whether it did. */
    complete: (line: string): boolean => {
      const command = commands ? commandIn(line, commands) : undefined;
      if (!command?.prompt) return false;
      const typed = line.replace(/^\S+\s*/, "");
      if (argumentsIn(typed, command.prompt.arguments).missing.length === 0) return false;
      setOpen({ command, typed });
      return true;
    },
  };
}
