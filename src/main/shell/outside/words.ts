import { app } from "electron";
import { type AgentView, type Settings, systemLanguage } from "../../../contract/index.ts";
import { type ShellWords, wordLists } from "./word-lists.ts";

/**
 * The words in the chosen language; `system`, which also holds before the settings are read, means the language of the
 * system. Call it when Electron is ready.
 */
export function shellWords(choice: Settings["language"] = "system"): ShellWords {
  return wordLists[choice === "system" ? systemLanguage(app.getPreferredSystemLanguages()) : choice];
}

/** An agent's line in the tray: its name and how its worst plugin is. */
export function agentLine(words: ShellWords, agent: Pick<AgentView, "name" | "worst" | "pluginsOn">): string {
  return `${agent.name}: ${stateWords(words, agent)}`;
}

function stateWords(words: ShellWords, agent: Pick<AgentView, "worst" | "pluginsOn">): string {
  switch (agent.worst) {
    case "problem":
      return words.problem;
    case "needs_setup":
      return words.needsSetup;
    case "ok":
      return agent.pluginsOn === 0 ? words.noneOn : words.running;
  }
}
