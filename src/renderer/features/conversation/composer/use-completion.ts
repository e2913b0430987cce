import { type KeyboardEvent, useState } from "react";
import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { commandIn, hintAfter, nameIn, nearestCommand } from "./command-words.ts";
import { useCommands } from "./use-commands.ts";

interface CompletionOptions {
  agentId: string;
  text: string;
  running: boolean;
  /** Takes a command of the list. */
  complete(command: CommandInfo): void;
  /** Puts the name of a command into the field, to be gone on with. */
  fill(name: string): void;
  /** Escape was pressed, and no list was open. */
  leave(): void;
}

/** The slash commands that fit what is typed, which of them is chosen, and what the keys do with them. */
export function useCompletion({ agentId, text, running, complete, fill, leave }: CompletionOptions) {
  const commands = useCommands(agentId, text);
  const [chosen, setChosen] = useState(0);
  const [isClosed, setClosed] = useState(false);
  const wanted = nameIn(text)?.toLowerCase() ?? null;
  const isNaming = wanted !== null && /^\/\S*$/.test(text);
  const matches =
    isNaming && commands ? commands.filter(({ name }) => name.toLowerCase().startsWith(wanted)) : [];
  const called = commands ? commandIn(text, commands) : undefined;
  const isUnknown = commands !== null && wanted !== null && wanted !== "" && !called && matches.length === 0;
  const nearest = isUnknown ? nearestCommand(text, commands) : undefined;
  // A prompt that is held is in no list. Only the core can say of it what is true, when it is sent.
  const isPrompt = nameIn(text)?.includes(":") === true;
  const isOpen = (matches.length > 0 || (isUnknown && !isPrompt)) && !isClosed && !running;
  const active = Math.min(chosen, matches.length - 1);

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isChoosing = isOpen && matches.length > 0;
    const current = matches[active];
    if (isChoosing && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen((active + step + matches.length) % matches.length);
    } else if (isOpen && event.key === "Tab" && !event.shiftKey) {
      const name = current?.name ?? nearest?.name;
      if (name === undefined) return;
      event.preventDefault();
      fill(name);
    } else if (event.key === "Escape") {
      if (isOpen) setClosed(true);
      else leave();
    } else if (isChoosing && current && event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      complete(current);
    }
  };

  return {
    commands,
    matches,
    nearest,
    active,
    isOpen,
    /** What is still to be typed after the command. */
    hint: hintAfter(text, called?.argsHint),
    press,
    /** The text was changed. */
    begin: () => {
      setChosen(0);
      setClosed(false);
    },
  };
}
