import type { CheckView } from "../../contract/index.ts";

/** What the start of a plugin showed of what it offers, a sentence each. */
export function checkLines(check: CheckView, key: string): string[] {
  const again = `patchbay plugin check ${key}`;
  switch (check.state) {
    case "running":
      return ["It is being started once to see what it offers."];
    case "failed": {
      const { message, help } = check.problem;
      return [`What it offers could not be seen. ${message}`, ...(help ? [help] : []), `Try again: ${again}`];
    }
    case "open":
      return [waiting(check.waitsFor, again)];
    case "done": {
      const { tools, prompts, resources, suspicious } = check;
      const parts = [
        counted(tools, "tool"),
        ...(prompts > 0 ? [counted(prompts, "prompt")] : []),
        ...(resources ? [counted(resources, "resource")] : []),
        ...(check.instructions ? ["instructions for agents"] : []),
      ];
      const marked = `${suspicious} of its texts may be meant to mislead. Look at them on its page before you switch it on.`;
      return [`It offers ${new Intl.ListFormat("en").format(parts)}.`, ...(suspicious > 0 ? [marked] : [])];
    }
  }
}

function waiting(waitsFor: "settings" | "sign_in" | null, again: string): string {
  switch (waitsFor) {
    case "settings":
      return "What it offers is seen once its settings are filled in.";
    case "sign_in":
      return "What it offers is seen once you have signed in.";
    case null:
      return `What it offers was not looked at yet: ${again}`;
  }
}

function counted(count: number, noun: string): string {
  return `${count === 0 ? "no" : count} ${noun}${count === 1 ? "" : "s"}`;
}
