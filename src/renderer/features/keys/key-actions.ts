import { useEffect, useRef } from "react";
import type { KeyCommand } from "../../../contract/keys/commands.ts";

/** Does what the command says; false: it cannot here, and the key is free. */
type KeyAction = () => unknown;

const actions = new Map<KeyCommand, { current: KeyAction }[]>();

/** What a part of the screen does at a command's key, as long as it is shown. The part that came last is asked first. */
export function useKeyActions(doing: Partial<Record<KeyCommand, KeyAction>>): void {
  const latest = useRef(doing);
  latest.current = doing;
  const names = Object.keys(doing).join(" ");
  useEffect(() => {
    const commands = names.split(" ").filter(Boolean) as KeyCommand[];
    const added = commands.map((command) => {
      const action = { current: () => latest.current[command]?.() };
      actions.set(command, [action, ...(actions.get(command) ?? [])]);
      return { command, action };
    });
    return () => {
      for (const { command, action } of added)
        actions.set(
          command,
          (actions.get(command) ?? []).filter((one) => one !== action),
        );
    };
  }, [names]);
}

/** Does what a command says; false when nothing on the screen can. */
export function doKeyCommand(command: KeyCommand): boolean {
  return (actions.get(command) ?? []).some(({ current }) => current() !== false);
}
